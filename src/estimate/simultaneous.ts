import { drawNormal } from '../random/distributions.js'
import { randomStream } from '../random/stream.js'
import { studentCdf } from '../student.js'
import { symmetricEigen } from '../symmetric-eigen.js'
import type { Choice, Difference } from './comparison.js'
import { reachOf } from './intervals/difference.js'
import { type Influences, spreadOf } from './spread.js'

/** What several comparisons allow to say at once. */
export interface Simultaneous {
  /** The level 1 − p of each interval with which all of them hold at once, with the given confidence. */
  readonly confidence: number
  /** By comparison: its p-value after correction. Below 1 − confidence exactly where its interval excludes 0. */
  readonly adjusted: readonly number[]
  /** By comparison: Romano and Wolf's step-down p-value, never above the corrected one. */
  readonly stepDown: readonly number[]
}

/**
 * Several comparisons at once, from their p-values and draws of their joint errors: by the smallest p-value of each
 * draw, which for equal degrees of freedom is max |t|. A corrected p-value lies between the p-value itself, which is
 * right where all errors move as one, and Bonferroni's.
 */
export function simultaneousOf(
  pValues: readonly number[],
  draws: JointDraws | undefined,
  confidence: number,
): Simultaneous {
  if (!draws) return { confidence, adjusted: pValues, stepDown: pValues }
  const all = smallestOf(
    draws,
    pValues.map((_, k) => k),
  )
  return {
    confidence: 1 - levelOf(all, pValues.length, 1 - confidence),
    adjusted: pValues.map((p) => correctedFor(p, all, pValues.length)),
    stepDown: stepDown(pValues, draws),
  }
}

/** The smallest p-value of each draw among some comparisons, in rising order. */
function smallestOf({ pValues, count }: JointDraws, places: readonly number[]): Float64Array {
  const smallest = new Float64Array(count).fill(1)
  for (const place of places) {
    const own = pValues[place]!
    for (let draw = 0; draw < count; draw++) smallest[draw] = Math.min(smallest[draw]!, own[draw]!)
  }
  return smallest.sort()
}

/** The share of draws with a p-value this small among `count` comparisons, the observed one counted as a draw. */
function correctedFor(p: number, smallest: Float64Array, count: number): number {
  const share = (countUpTo(smallest, p) + 1) / (smallest.length + 1)
  return Math.max(p, Math.min(share, count * p, 1))
}

/** The least p whose corrected p-value reaches a level. */
function levelOf(smallest: Float64Array, count: number, level: number): number {
  const reached = Math.max(1, Math.ceil(level * (smallest.length + 1) - 1))
  return Math.min(level, Math.max(smallest[reached - 1]!, level / count))
}

/** How many of some rising numbers are at most this. */
function countUpTo(rising: Float64Array, most: number): number {
  let [low, high] = [0, rising.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (rising[middle]! <= most) low = middle + 1
    else high = middle
  }
  return low
}

/** The smallest p-value is corrected for all comparisons, the next for all but that one, and so on; none below one before it. */
function stepDown(pValues: readonly number[], draws: JointDraws): number[] {
  const order = pValues.map((_, k) => k).sort((a, b) => pValues[a]! - pValues[b]!)
  const adjusted = pValues.slice()
  let largest = 0
  order.forEach((place, rank) => {
    const left = order.slice(rank)
    largest = Math.max(largest, correctedFor(pValues[place]!, smallestOf(draws, left), left.length))
    adjusted[place] = largest
  })
  return adjusted
}

/** Draws of the errors of several estimates at once, each in units of its own standard error. */
export interface JointDraws {
  /** By estimate, then by draw. */
  readonly errors: readonly Float64Array[]
  /**
   * By estimate, then by draw: the two-sided p-value of the error, from its rank among the draws of that estimate.
   * So each estimate alone is exact, and only how they depend on each other is simulated.
   */
  readonly pValues: readonly Float64Array[]
  readonly count: number
}

const DRAWS = 20_000

/**
 * Normal errors with the correlations of the influences of the clusters, always the same for the same influences.
 * The Gaussian multiplier bootstrap over clusters, Σ ξ_g φ_g with normal ξ_g, has exactly this distribution: what it
 * would take a pass over all clusters per draw to find is drawn from its covariance instead.
 */
export function drawJointly(family: readonly Influences[], count = DRAWS): JointDraws {
  const factors = rootOf(correlationsOf(family))
  const errors = family.map(() => new Float64Array(count))
  const random = randomStream(0, 'comparisons at once')
  const independent = new Float64Array(family.length)
  for (let draw = 0; draw < count; draw++) {
    for (let k = 0; k < independent.length; k++) independent[k] = drawNormal(random)
    errors.forEach((own, k) => (own[draw] = dot(factors[k]!, independent)))
  }
  return { errors, pValues: errors.map(ranked), count }
}

/** The correlations of estimates, Σ ± G/(G−1) Σ φ_g ψ_g over the product of their standard errors. */
export function correlationsOf(family: readonly Influences[]): Float64Array[] {
  const errors = family.map((influences) => spreadOf(influences)!)
  return family.map((first, j) =>
    Float64Array.from(family, (second, k) =>
      j === k ? 1 : crossedCovariance(first, second) / (errors[j]! * errors[k]!),
    ),
  )
}

/** The covariance of two estimates of the same rows, by all ways in which rows depend on each other. */
export function crossedCovariance(first: Influences, second: Influences): number {
  return first.reduce((sum, { sign, influence }, way) => {
    const clusters = influence.length
    return sum + (sign * clusters * dot(influence, second[way]!.influence)) / (clusters - 1)
  }, 0)
}

/**
 * Rows f_k with f_j·f_k the correlation of j and k. A difference of variances may have negative eigenvalues by
 * chance: they count as 0, and each row is brought back to length 1.
 */
function rootOf(correlations: readonly Float64Array[]): Float64Array[] {
  const { values, vectors } = symmetricEigen(correlations)
  return correlations.map((_, k) => {
    const row = Float64Array.from(values, (value, e) => Math.sqrt(Math.max(0, value)) * vectors[e]![k]!)
    const length = Math.sqrt(dot(row, row))
    return row.map((x) => x / length)
  })
}

/** The share of draws at least as far from 0. */
function ranked(errors: Float64Array): Float64Array {
  const order = Uint32Array.from(errors, (_, draw) => draw)
  const distance = errors.map(Math.abs)
  order.sort((a, b) => distance[b]! - distance[a]! || a - b)
  const shares = new Float64Array(errors.length)
  order.forEach((draw, rank) => (shares[draw] = (rank + 1) / errors.length))
  return shares
}

function dot(first: Float64Array, second: Float64Array): number {
  let sum = 0
  for (let k = 0; k < first.length; k++) sum += first[k]! * second[k]!
  return sum
}

/** A compared policy that has an interval, the degrees of freedom of its difference, and its place among the draws. */
interface Candidate {
  readonly difference: Difference
  readonly freedom: number
  readonly place: number
}

/** The policies that may be launched, and the draws and the level of each interval with which all hold at once. */
export interface Choosing {
  readonly baseline: string
  readonly candidates: readonly Candidate[]
  readonly draws: JointDraws
  readonly confidence: number
}

/**
 * The policy to launch: of those whose simultaneous interval lies above 0 and whose verdict is not `refuse`, the one
 * with the largest difference; else the baseline. And how often this rule errs, by drawing errors anew: where no policy
 * is better than the baseline, in at most 1 − confidence of all logs, and in half of that unless the errors of
 * policies are opposite, for then where one is not launched by mistake the other is.
 */
export function choose({ baseline, candidates, draws, confidence }: Choosing): Choice {
  const eligible = candidates.filter(({ difference }) => difference.verdict.level !== 'refuse')
  const found = best(
    eligible.filter(({ difference }) => difference.simultaneous![0] > 0),
    ({ difference }) => difference.difference!,
  )
  return {
    launch: found?.difference.target ?? baseline,
    isBaseline: found === undefined,
    errors: errorsOf(eligible, draws, confidence),
  }
}

function errorsOf(eligible: readonly Candidate[], draws: JointDraws, confidence: number): Choice['errors'] {
  const drawn = eligible.map(({ difference: { difference, se }, freedom, place }) => {
    const reach = reachOf(confidence, freedom)
    return {
      difference: difference!,
      /** What the policy seems to earn more than the baseline where its error is so many standard errors. */
      seen: (error: number): number => difference! + se! * error,
      errors: draws.errors[place]!,
      pValues: draws.pValues[place]!,
      isLaunchedAlike: beyond(reach, freedom),
      isLaunched: beyond(reach - difference! / se!, freedom),
    }
  })
  const truth = best(
    drawn.filter((one) => one.difference > 0),
    (one) => one.difference,
  )
  const counts = { none: 0, wrong: 0, notBest: 0, kept: 0 }
  // Errors are as likely as their opposites: each draw counts both ways.
  for (const side of [1, -1])
    for (let draw = 0; draw < draws.count; draw++) {
      const among = (is: 'isLaunched' | 'isLaunchedAlike') =>
        drawn.filter((one) => one[is](side * one.errors[draw]!, one.pValues[draw]!))
      if (among('isLaunchedAlike').length > 0) counts.none++
      const launched = best(among('isLaunched'), ({ seen, errors }) => seen(side * errors[draw]!))
      if (!launched) counts.kept++
      if (launched && launched.difference < 0) counts.wrong++
      if (launched !== truth) counts.notBest++
    }
  const share = (count: number): number => count / (2 * draws.count)
  return {
    wrongIfNoneIsBetter: share(counts.none),
    wrongAsEstimated: share(counts.wrong),
    notBestAsEstimated: share(counts.notBest),
    expectedLossOfWaiting: (truth?.difference ?? 0) * share(counts.kept),
  }
}

/**
 * Whether an error with this two-sided p-value, in standard errors, lies above a threshold by Student's distribution: by its
 * p-value, which is exact for each policy alone.
 */
function beyond(threshold: number, freedom: number): (error: number, pValue: number) => boolean {
  const least = 2 * studentCdf(-Math.abs(threshold), freedom)
  return threshold > 0
    ? (error, pValue) => error > 0 && pValue <= least
    : (error, pValue) => error > 0 || pValue > least
}

/** The one with the largest amount, the first where several have it. */
function best<One>(all: readonly One[], amount: (one: One) => number): One | undefined {
  let found: One | undefined
  for (const one of all) if (found === undefined || amount(one) > amount(found)) found = one
  return found
}
