import { badOption } from '../../error.js'
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

/** Numbers the nodes of batches and lists the entries of each. The same batch gives the same arrays, wherever it is done. */
export function batchCompactor(sizes: CompactSizes): (batch: Pick<Batch, 'users' | 'items'>) => CompactBatch {
  const { users, items, itemsPerSample } = sizes
  const numbering = new Numbering(users + items)
  return ({ users: batchUsers, items: batchItems }) => {
    requireSizes(batchUsers, batchItems, sizes)
    numbering.begin(batchUsers.length + batchItems.length)
    const userPlaces = numbering.placesOf(batchUsers, 0)
    const userNodes = numbering.count
    const itemPlaces = numbering.placesOf(batchItems, users)
    return {
      nodes: numbering.nodes(),
      userNodes,
      userPlaces,
      itemPlaces,
      ...entriesOf(userPlaces, itemPlaces, { nodes: numbering.count, itemsPerSample }),
    }
  }
}

/** The entries of each node, where they begin and which they are. */
function entriesOf(
  userPlaces: Uint32Array,
  itemPlaces: Uint32Array,
  { nodes, itemsPerSample }: { nodes: number; itemsPerSample: number },
): Pick<CompactBatch, 'starts' | 'entries'> {
  const starts = new Uint32Array(nodes + 1)
  for (const place of userPlaces) starts[place + 1]! += itemsPerSample
  for (const place of itemPlaces) starts[place + 1]!++
  for (let k = 1; k < starts.length; k++) starts[k]! += starts[k - 1]!
  const next = starts.slice()
  const entries = new Uint32Array(2 * itemPlaces.length)
  for (let sample = 0, entry = 0; sample < userPlaces.length; sample++) {
    const place = userPlaces[sample]!
    let ofUser = next[place]!
    for (let k = 0; k < itemsPerSample; k++, entry++) {
      entries[ofUser++] = entry
      entries[next[itemPlaces[entry]!]!++] = entry
    }
    next[place] = ofUser
  }
  return { starts, entries }
}

/**
 * Numbers nodes in the order in which they first come. A node has a place where the place that is noted for it is one
 * of those given since the beginning and has this node, so that nothing need be cleared between batches (Briggs &
 * Torczon 1993).
 */
class Numbering {
  readonly #noted: Uint32Array
  #nodes = new Uint32Array(0)
  count = 0

  constructor(nodes: number) {
    this.#noted = new Uint32Array(nodes)
  }

  /** Forgets all places; at most so many will be asked for. */
  begin(most: number): void {
    this.count = 0
    if (this.#nodes.length < most) this.#nodes = new Uint32Array(most)
  }

  /** The place of each of these, which are nodes from `first` on. */
  placesOf(ids: Uint32Array, first: number): Uint32Array {
    const [noted, nodes] = [this.#noted, this.#nodes]
    const places = new Uint32Array(ids.length)
    let count = this.count
    for (let k = 0; k < ids.length; k++) {
      const node = first + ids[k]!
      let place = noted[node]!
      if (place >= count || nodes[place] !== node) {
        place = count++
        noted[node] = place
        nodes[place] = node
      }
      places[k] = place
    }
    this.count = count
    return places
  }

  nodes(): Uint32Array {
    return this.#nodes.slice(0, this.count)
  }
}

function requireSizes(
  batchUsers: Uint32Array,
  batchItems: Uint32Array,
  { users, items, itemsPerSample }: CompactSizes,
): void {
  if (batchItems.length !== batchUsers.length * itemsPerSample)
    throw badOption(
      `A batch of ${batchUsers.length} users has ${batchItems.length} items.`,
      `Give ${itemsPerSample} for each user.`,
    )
  requireBelow(batchUsers, users, 'user')
  requireBelow(batchItems, items, 'item')
}

function requireBelow(ids: Uint32Array, count: number, what: string): void {
  for (let k = 0; k < ids.length; k++)
    if (ids[k]! >= count)
      throw badOption(
        `A batch names ${what} ${ids[k]}, but there are only ${count}.`,
        `Count ${what}s from 0.`,
      )
}
