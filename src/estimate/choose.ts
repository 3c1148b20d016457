import { normalQuantile } from '../normal.js'
import type { Choice, Difference } from './comparison.js'
import type { JointDraws } from './joint-draws.js'

/** A compared policy that has an interval, and its place among the draws. */
interface Candidate {
  readonly difference: Difference
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
  const needed = normalScore(1 - confidence)
  // The errors as normal scores of their ranks, so that each policy alone is exact.
  const byRank = Float64Array.from({ length: draws.count }, (_, rank) =>
    normalScore((rank + 0.5) / draws.count),
  )
  const drawn = eligible.map(({ difference: { difference, se, pValue }, place }) => {
    const [errors, pValues] = [draws.errors[place]!, draws.pValues[place]!]
    return {
      difference: difference!,
      scale: se!,
      errors: errors.map((x, draw) => Math.sign(x) * byRank[Math.round(pValues[draw]! * draws.count) - 1]!),
      // How far from 0 it was seen, as a normal score: Student's distribution has been taken account of.
      score: Math.sign(difference!) * normalScore(pValue!),
    }
  })
  const truth = best(
    drawn.filter((one) => one.difference > 0),
    (one) => one.difference,
  )
  const counts = { none: 0, wrong: 0, notBest: 0 }
  // Errors are as likely as their opposites: each draw counts both ways.
  for (const side of [1, -1])
    for (let draw = 0; draw < draws.count; draw++) {
      if (drawn.some(({ errors }) => side * errors[draw]! > needed)) counts.none++
      const launched = best(
        drawn.filter(({ score, errors }) => score + side * errors[draw]! > needed),
        ({ score, errors, scale }) => scale * (score + side * errors[draw]!),
      )
      if (launched && launched.difference < 0) counts.wrong++
      if (launched !== truth) counts.notBest++
    }
  const share = (count: number): number => count / (2 * draws.count)
  return {
    wrongIfNoneIsBetter: share(counts.none),
    wrongAsEstimated: share(counts.wrong),
    notBestAsEstimated: share(counts.notBest),
  }
}

/** The normal error that has this two-sided p-value; 38 where the p-value is below what a number can hold. */
const normalScore = (pValue: number): number => Math.min(38, -normalQuantile(pValue / 2))

/** The one with the largest amount, the first where several have it. */
function best<One>(all: readonly One[], amount: (one: One) => number): One | undefined {
  let found: One | undefined
  for (const one of all) if (found === undefined || amount(one) > amount(found)) found = one
  return found
}
