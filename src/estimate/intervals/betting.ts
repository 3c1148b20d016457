import { exp, log } from '../../portable-math.js'
import type { Estimator } from '../estimator.js'
import type { Moments } from '../source/moments.js'
import { one, weight, weightedReward } from '../term.js'
import { lackingForRewards } from './empirical-likelihood.js'
import { type Interval, type KnownBounds, UNKNOWN_RANGE } from './interval.js'

/** What is bet on: y_g − v·x_g for each cluster, whose mean is 0 where v is the policy's value. */
interface Game {
  /** y_g = S_g[wr]. */
  readonly gains: Float64Array
  /** x_g: S_g[w] for a self-normalised estimate, the rows n_g for others. */
  readonly stakes: Float64Array
  /** The rows n_g. */
  readonly sizes: Float64Array
  /** How far below and above 0 the term of one row can be at v. */
  readonly reach: (v: number) => { readonly below: number; readonly above: number }
  /** λ is a share of the inverse of this. */
  readonly unit: number
}

/** The largest share of the capital that one cluster can take: 1 would be ruin. */
const MOST_AT_RISK = 0.9
/** Bets are even in log λ, in steps of √2, down to what a hundred million rows ask for. */
const SMALLEST_BET = -22
const LARGEST_BET = { up: 10, down: 0 }

const betsFor = (largest: number): Float64Array =>
  Float64Array.from({ length: largest - SMALLEST_BET + 1 }, (_, k) =>
    exp(0.5 * Math.LN2 * (SMALLEST_BET + k)),
  )
/** λ of bets that the value is above v, and of bets that it is below, in units of 1/(largest weight × range of rewards). */
const BETS = { up: betsFor(LARGEST_BET.up), down: betsFor(LARGEST_BET.down) }

/**
 * The betting confidence sequence of a policy's value with a known largest weight (Waudby-Smith & Ramdas 2024,
 * "Estimating means of bounded random variables by betting"; Waudby-Smith et al. 2022, "Anytime-valid off-policy
 * inference for contextual bandits"). For each v somebody bets against "the value is v": a bet of λ multiplies the
 * capital by 1 ± λ(y_g − v·x_g) at every cluster. Were v the value, the capital would be a martingale, and reach 2/α
 * at any time with probability α/2 at most (Ville). The interval holds the v against which neither side has won.
 *
 * The capital is the average over bets that are fixed in advance, evenly in log λ, instead of one bet that learns
 * as rows arrive: so it does not depend on the order of clusters, and sums by cluster are enough. No bet risks more
 * than 0.9 of the capital on a cluster: in a cluster of many rows λ is cut down to that. The sizes of such clusters
 * are taken as given.
 */
export const betting: Interval<'betting'> = {
  name: 'betting',
  label: 'Betting sequence',
  family: 'sequential',
  meaning: 'Valid at every look from the first row on, from the largest possible weight. For rare rewards.',
  docs: 'intervals.md#betting',
  isOneWay: true,
  usesMaxWeight: true,
  of: (estimator, moments, confidence, known) => {
    const game = gameOf(estimator, moments, known)
    if (typeof game === 'string') return game
    const [least, most] = known.rewardRange!
    const aim = log(2 / (1 - confidence))
    const excess = (side: 'up' | 'down') => (v: number) => logCapital(game, side, v) - aim
    const low = edge(least, most, excess('up'))
    const high = edge(most, least, excess('down'))
    if (!(low <= high))
      return 'Every value within the range of rewards is refuted: weights or rewards contradict what was stated about them.'
    const reason = game.sizes.some((size) => size > 1)
      ? 'It holds at every look if the rows of a cluster all arrive between two looks.'
      : undefined
    return { interval: [low, high], reason }
  },
}

/** What is bet on, or why nothing can be. */
function gameOf(
  estimator: Estimator,
  moments: Moments,
  { maxWeight = Infinity, rewardRange = UNKNOWN_RANGE }: KnownBounds,
): Game | string {
  const lacking = lackingForRewards(estimator, moments, maxWeight, rewardRange)
  if (lacking !== undefined) return lacking
  if (moments.by === 'bucket')
    return 'There are too many clusters to sum each by itself, and buckets of them grow from look to look.'
  const [least, most] = rewardRange
  const sizes = moments.sums(one)
  const weights = moments.sums(weight)
  const gains = moments.sums(weightedReward)
  const selfNormalised = estimator.family === 'self-normalised'
  for (let g = 0; g < sizes.length; g++) {
    const slack = 1e-9 * sizes[g]! * maxWeight * Math.max(1, Math.abs(least), Math.abs(most))
    const weighs = weights[g]!
    if (weighs > sizes[g]! * maxWeight * (1 + 1e-9))
      return `The log has weights above ${maxWeight}, so that is not the largest possible weight.`
    if (gains[g]! < least * weighs - slack || gains[g]! > most * weighs + slack)
      return `The log has rewards outside ${least} to ${most}, more than the range of rewards allows.`
  }
  return {
    gains,
    stakes: selfNormalised ? weights : sizes,
    sizes,
    unit: maxWeight * (most - least),
    reach: selfNormalised
      ? (v) => ({ below: maxWeight * (v - least), above: maxWeight * (most - v) })
      : (v) => ({ below: v - Math.min(0, maxWeight * least), above: Math.max(0, maxWeight * most) - v }),
  }
}

/** ln of the capital of those who bet that the value is above (`up`) or below v, from 1 at the start. */
function logCapital({ gains, stakes, sizes, reach, unit }: Game, side: 'up' | 'down', v: number): number {
  const bets = BETS[side]
  const sign = side === 'up' ? 1 : -1
  const furthest = side === 'up' ? reach(v).below : reach(v).above
  const logs = new Float64Array(bets.length)
  for (let k = 0; k < bets.length; k++) {
    const bet = bets[k]! / unit
    let product = 1
    let total = 0
    for (let g = 0; g < gains.length; g++) {
      const risk = furthest * sizes[g]!
      const lambda = bet * risk > MOST_AT_RISK ? MOST_AT_RISK / risk : bet
      product *= 1 + sign * lambda * (gains[g]! - v * stakes[g]!)
      // One logarithm for many factors.
      if (product < 1e-200 || product > 1e200) {
        total += log(product)
        product = 1
      }
    }
    logs[k] = total + log(product)
  }
  const largest = logs.reduce((most, value) => Math.max(most, value), -Infinity)
  return largest + log(logs.reduce((sum, value) => sum + exp(value - largest), 0) / logs.length)
}

/**
 * Where a falling function crosses 0 between two values, the first itself where it is not above 0 there: the Illinois
 * method, false position that halves the value at an end that stays twice.
 */
function edge(from: number, to: number, excess: (v: number) => number): number {
  let [outside, above] = [from, excess(from)]
  if (!(above >= 0)) return from
  let [inside, below] = [to, excess(to)]
  let last = 0
  for (let step = 0; step < 100 && Math.abs(inside - outside) > 1e-12 * Math.abs(to - from); step++) {
    const share = above / (above - below)
    // Near an end of the range the capital is so large that false position would hardly move.
    const v = outside + (inside - outside) * (step < 8 ? 0.5 : Math.min(0.999, Math.max(0.001, share)))
    const value = excess(v)
    if (value >= 0) [outside, above, below, last] = [v, value, last === 1 ? below / 2 : below, 1]
    else [inside, below, above, last] = [v, value, last === -1 ? above / 2 : above, -1]
  }
  return outside
}
