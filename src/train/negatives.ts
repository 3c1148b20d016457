import { firstAbove } from '../bisect.js'
import { degreeOf, type Graph, isLinked, neighboursOf } from '../graph/graph.js'
import { exp, log } from '../portable-math.js'
import { randomBlocks } from '../random/stream.js'
import { runningSums } from '../sum.js'
import type { Negatives } from './settings.js'

/** Draws items that stand for "not clicked", by numbers that depend on (seed, epoch, place) alone. */
export interface NegativeDraws {
  /** Writes `count` items for a user into `out` from `start`; `place` numbers the sample within the epoch. */
  draw(
    user: number,
    at: { epoch: number; place: number; count: number },
    out: Uint32Array,
    start: number,
  ): void
  /** log of the probability that a draw for this user gives this item. */
  logProbability(user: number, item: number): number
}

/** Tries before a user who has clicked nearly everything is looked at item by item. */
const TRIES = 64

/** How negatives are drawn; clicked items are verified against the graph and, but for `all`, never come. */
export function negativeDraws(graph: Graph, negatives: Negatives, seed: number): NegativeDraws {
  const { items, byUser } = graph
  const blocks = randomBlocks(seed, 'negatives')
  const chances = negatives.kind === 'popularity' ? popularityChances(graph, negatives.power) : undefined
  const cumulative = chances && runningSums(chances)
  const pick = (word: number): number =>
    cumulative
      ? firstAbove(cumulative, (word / 0x100000000) * cumulative.at(-1)!)
      : Math.floor((word / 0x100000000) * items)
  const isWanted = (user: number, item: number): boolean =>
    negatives.kind === 'all' || !isLinked(byUser, user, item)

  const draw: NegativeDraws['draw'] = (user, { epoch, place, count }, out, start) => {
    let words = blocks(place, epoch, 0)
    let used = 0
    const next = (): number => {
      if (used > 0 && used % 4 === 0) words = blocks(place, epoch, used / 4)
      return words[used++ % 4]!
    }
    for (let k = 0; k < count; k++) {
      let item = pick(next())
      for (let tries = 1; tries < TRIES && !isWanted(user, item); tries++) item = pick(next())
      out[start + k] = isWanted(user, item) ? item : pickUnclicked(graph, user, chances, next())
    }
  }

  const unclicked = new Float64Array(graph.users).fill(NaN)
  const logProbability: NegativeDraws['logProbability'] = (user, item) => {
    if (negatives.kind === 'all') return -log(items)
    if (!chances) return -log(items - degreeOf(byUser, user))
    if (Number.isNaN(unclicked[user]!)) unclicked[user] = unclickedChance(graph, user, chances)
    return log(chances[item]! / unclicked[user]!)
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

/** One of the items the user has not clicked, in proportion to the chances, or all alike; for a user with few of them left. */
function pickUnclicked(
  { items, byUser }: Graph,
  user: number,
  chances: Float64Array | undefined,
  word: number,
): number {
  const left: number[] = []
  for (let item = 0; item < items; item++) if (!isLinked(byUser, user, item)) left.push(item)
  const sums = runningSums(Float64Array.from(left, (item) => chances?.[item] ?? 1))
  return left[firstAbove(sums, (word / 0x100000000) * sums.at(-1)!)]!
}
