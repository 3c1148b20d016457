import { degreeOf, type Graph, isLinked, neighboursOf } from '../graph/graph.js'
import { exp, log } from '../portable-math.js'
import { randomBlocks } from '../random/stream.js'
import { runningSums } from '../sum.js'
import type { Negatives } from './settings.js'

/** Draws items that stand for "not clicked", by numbers that depend on (seed, epoch, place) alone. */
export interface NegativeDraws {
  /**
   * Writes `count` items for each of these users into `out`: those of the k-th from `start + k · stride` on.
   * `first` is the place of the first user within the epoch; the others follow it.
   */
  draw(
    users: Uint32Array,
    at: { epoch: number; first: number; count: number },
    out: Uint32Array,
    to: { start: number; stride: number },
  ): void
  /** log of the probability that a draw for this user gives this item. */
  logProbability(user: number, item: number): number
}

/** Tries before the items of a user who has clicked nearly everything are examined one by one. */
const TRIES = 64

/** Clicks that are marked in the time that a bisection takes. */
const MARKS_A_SEARCH = 4

/** How negatives are drawn; they are checked against the graph, so clicked items are never drawn, except with `all`. */
export function negativeDraws(graph: Graph, negatives: Negatives, seed: number): NegativeDraws {
  const { items, byUser } = graph
  const blocks = randomBlocks(seed, 'negatives')
  const chances = negatives.kind === 'popularity' ? popularityChances(graph, negatives.power) : undefined
  const byChance = chances && proportionalPick(chances)
  const takesAll = negatives.kind === 'all'
  /** For each item, when it was last marked as clicked by the user who is drawn for. */
  const marks = new Float64Array(items)
  let mark = 0

  const pick = (word: number): number =>
    byChance ? byChance(word / 0x100000000) : Math.floor((word / 0x100000000) * items)

  const draw: NegativeDraws['draw'] = (users, { epoch, first, count }, out, { start, stride }) => {
    // What comes at the first try, without a look at the graph: a processor that need not wait for it runs ahead.
    for (let row = 0; row < users.length; row++)
      for (let k = 0, words; k < count; k++) {
        if (k % 4 === 0) words = blocks(first + row, epoch, k / 4)
        out[start + row * stride + k] = pick(words![k % 4]!)
      }
    if (takesAll) return
    for (let row = 0; row < users.length; row++) {
      const from = firstClicked(users[row]!, out, start + row * stride, count)
      if (from < count)
        drawOn(users[row]!, { epoch, place: first + row, from, count }, out, start + row * stride)
    }
  }

  /** Which of the items drawn for a user, the first of them at `start`, was clicked first; `count` where none was. */
  const firstClicked = (user: number, out: Uint32Array, start: number, count: number): number => {
    // To mark all that the user clicked costs about as much as a few bisections.
    if (degreeOf(byUser, user) < MARKS_A_SEARCH * count) {
      mark++
      for (let at = byUser.offsets[user]!; at < byUser.offsets[user + 1]!; at++)
        marks[byUser.neighbours[at]!] = mark
      for (let k = 0; k < count; k++) if (marks[out[start + k]!] === mark) return k
    } else for (let k = 0; k < count; k++) if (isLinked(byUser, user, out[start + k]!)) return k
    return count
  }

  /** Draws for a user from the first item on that was a click; each before it took one word. */
  const drawOn = (
    user: number,
    { epoch, place, from, count }: { epoch: number; place: number; from: number; count: number },
    out: Uint32Array,
    start: number,
  ): void => {
    let used = from
    const next = (): number => blocks(place, epoch, used >>> 2)[used++ % 4]!
    for (let k = from; k < count; k++) {
      let item = pick(next())
      for (let tries = 1; tries < TRIES && isLinked(byUser, user, item); tries++) item = pick(next())
      out[start + k] = isLinked(byUser, user, item) ? pickUnclicked(graph, user, chances, next()) : item
    }
  }

  const unclicked = new Float64Array(graph.users).fill(NaN)
  const logProbability: NegativeDraws['logProbability'] = (user, item) => {
    if (chances) {
      if (Number.isNaN(unclicked[user]!)) unclicked[user] = unclickedChance(graph, user, chances)
      return log(chances[item]! / unclicked[user]!)
    }
    return -log(takesAll ? items : items - degreeOf(byUser, user))
  }
  return { draw, logProbability }
}

/** Each item's share of clicks^power; items never clicked count as clicked once, so that they can come at all. */
function popularityChances({ items, byItem }: Graph, power: number): Float64Array {
  const powers = Float64Array.from({ length: items }, (_, item) =>
    exp(power * log(Math.max(1, degreeOf(byItem, item)))),
  )
  const total = powers.reduce((a, b) => a + b)
  return powers.map((one) => one / total)
}

/** The chance that an item drawn from all is one the user has not clicked. */
function unclickedChance({ items, byUser }: Graph, user: number, chances: Float64Array): number {
  const left = neighboursOf(byUser, user).reduce((rest, item) => rest - chances[item]!, 1)
  if (left > 1e-6) return left
  // Taken from 1, so little would be mostly rounding.
  let sum = 0
  for (let item = 0; item < items; item++) if (!isLinked(byUser, user, item)) sum += chances[item]!
  return sum
}

/** One of the items the user has not clicked, in proportion to their chances, or all equally likely; for a user with few of them left. */
function pickUnclicked(
  { items, byUser }: Graph,
  user: number,
  chances: Float64Array | undefined,
  word: number,
): number {
  const left: number[] = []
  for (let item = 0; item < items; item++) if (!isLinked(byUser, user, item)) left.push(item)
  const byChance = proportionalPick(Float64Array.from(left, (item) => chances?.[item] ?? 1))
  return left[byChance(word / 0x100000000)]!
}

/**
 * Picks places in proportion to their shares: the first place whose running sum is above `uniform` · total, for
 * `uniform` in [0, 1). A guide says between which two places to look, one entry for about every place, so that
 * a pick takes the same few comparisons however many places there are (Chen & Asau 1974).
 */
export function proportionalPick(shares: Float64Array): (uniform: number) => number {
  const sums = runningSums(shares)
  const total = sums.at(-1)!
  // A power of two: multiplying by it rounds nothing, so that the guide never leads past the place.
  let size = 1
  while (size < shares.length) size *= 2
  const guide = new Uint32Array(size + 1)
  for (let k = 0, place = 0; k <= size; k++) {
    while (place < sums.length - 1 && sums[place]! <= (k / size) * total) place++
    guide[k] = place
  }
  return (uniform) => {
    const threshold = uniform * total
    const k = Math.floor(uniform * size)
    let low = guide[k]!
    let high = guide[k + 1]!
    while (low < high) {
      const middle = (low + high) >>> 1
      if (sums[middle]! > threshold) high = middle
      else low = middle + 1
    }
    return low
  }
}
