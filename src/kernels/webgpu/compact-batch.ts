import { HindcastError } from '../../error.js'
import type { Batch, KernelSettings } from '../kernel.js'

/**
 * A batch as a device without atomic sums needs it: its distinct nodes numbered from 0, and under each of them the
 * entries that move it, so that its gradient is one sum in a fixed order. An entry is an item of a sample; entry e
 * belongs to sample ⌊e / itemsPerSample⌋. Plain arrays of 32-bit words, each with a buffer of its own: a worker that
 * runs ahead can transfer them.
 */
export interface CompactBatch {
  /** Distinct nodes: users in the order in which samples name them, then items likewise, as `users + item`. */
  readonly nodes: Uint32Array
  /** How many of the nodes are users. */
  readonly userNodes: number
  /** Place among the nodes of the user of each sample. */
  readonly userPlaces: Uint32Array
  /** Place among the nodes of the item of each entry. */
  readonly itemPlaces: Uint32Array
  /** The entries of node k are `entries[starts[k]] … entries[starts[k + 1] − 1]`, ascending. One more than there are nodes. */
  readonly starts: Uint32Array
  /** Each entry twice: under its user and under its item. */
  readonly entries: Uint32Array
}

/** Sizes that a batch is numbered by. */
export interface CompactSizes extends Pick<KernelSettings, 'itemsPerSample'> {
  /** Users and items of the graph. */
  readonly users: number
  readonly items: number
}

/** Numbers the nodes of a batch and lists the entries of each. The same batch gives the same arrays, wherever it is done. */
export function compactBatch(
  { users: batchUsers, items: batchItems }: Pick<Batch, 'users' | 'items'>,
  { users, items, itemsPerSample }: CompactSizes,
): CompactBatch {
  if (batchItems.length !== batchUsers.length * itemsPerSample)
    throw new HindcastError(
      'bad-option',
      `A batch of ${batchUsers.length} users has ${batchItems.length} items.`,
      { remedy: `Give ${itemsPerSample} for each user.` },
    )
  const numbering = numberingOf(batchUsers.length + batchItems.length)
  const userPlaces = numbering.placesOf(batchUsers, { first: 0, count: users, what: 'user' })
  const userNodes = numbering.count()
  const itemPlaces = numbering.placesOf(batchItems, { first: users, count: items, what: 'item' })
  return { nodes: numbering.nodes(), userNodes, userPlaces, itemPlaces, ...listed() }

  function listed(): Pick<CompactBatch, 'starts' | 'entries'> {
    const starts = new Uint32Array(numbering.count() + 1)
    for (const place of userPlaces) starts[place + 1]! += itemsPerSample
    for (const place of itemPlaces) starts[place + 1]!++
    for (let k = 1; k < starts.length; k++) starts[k]! += starts[k - 1]!
    const next = starts.slice()
    const entries = new Uint32Array(2 * itemPlaces.length)
    for (let sample = 0, entry = 0; sample < userPlaces.length; sample++)
      for (let k = 0; k < itemsPerSample; k++, entry++) {
        entries[next[userPlaces[sample]!]!++] = entry
        entries[next[itemPlaces[entry]!]!++] = entry
      }
    return { starts, entries }
  }
}

/** Numbers nodes in the order in which they first come. A table of hashes, so that its size follows the batch, not the graph. */
function numberingOf(most: number) {
  const bits = Math.ceil(Math.log2(2 * most + 2))
  const slots = new Uint32Array(2 ** bits)
  const nodes = new Uint32Array(most)
  let found = 0
  const placeOf = (node: number): number => {
    let slot = Math.imul(node, 0x9e3779b1) >>> (32 - bits)
    // A slot holds a place plus one; 0 is free.
    while (slots[slot] !== 0 && nodes[slots[slot]! - 1] !== node) slot = (slot + 1) & (slots.length - 1)
    if (slots[slot] === 0) {
      nodes[found] = node
      slots[slot] = ++found
    }
    return slots[slot]! - 1
  }
  return {
    count: () => found,
    nodes: () => nodes.slice(0, found),
    placesOf: (
      ids: Uint32Array,
      { first, count, what }: { first: number; count: number; what: string },
    ): Uint32Array => {
      const places = new Uint32Array(ids.length)
      for (let k = 0; k < ids.length; k++) {
        if (ids[k]! >= count)
          throw new HindcastError('bad-option', `A batch names ${what} ${ids[k]}, but there are ${count}.`, {
            remedy: `Count ${what}s from 0.`,
          })
        places[k] = placeOf(first + ids[k]!)
      }
      return places
    },
  }
}
