import { studentCdf } from '../student.js'
import type { Choice, Difference } from './comparison.js'
import { reachOf } from './intervals/difference.js'
import type { JointDraws } from './simultaneous.js'

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
