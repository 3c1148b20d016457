import { evaluate, groundsOf, type Log, type Policy, type VerdictLevel } from 'hindcast'
import type { Interval, StudyEstimator } from '../results.js'
import { varianceOf } from '../statistics/over-seeds.js'

/** What a log says about a policy. */
export interface Valued {
  readonly estimates: readonly {
    readonly estimator: StudyEstimator
    readonly value: number | null
    /** Over bootstrap resamples of the users. */
    readonly variance: number | null
    readonly interval: Interval | null
    /** The resamples. */
    readonly draws: readonly number[]
  }[]
  readonly ess: number | null
  readonly essRatio: number | null
  readonly meanWeight: number | null
  readonly verdict: VerdictLevel
  readonly reasons: readonly string[]
}

export interface ValueOptions {
  readonly estimators: readonly StudyEstimator[]
  readonly resamples: number
  readonly seed: number
}

/** Estimates of a policy's value from a log, as `evaluate` gives them, with the bootstrap of each. */
export async function valuePolicy(log: Log, policy: Policy, options: ValueOptions): Promise<Valued> {
  const { estimators, resamples, seed } = options
  const { evaluation, evidence } = await evaluate(log, {
    target: { kind: 'policy', policy },
    estimators,
    bootstrap: resamples,
    seed,
    said: { policyMade: 'held-out' },
    accept: {
      'rewards-joined-widely': 'in these worlds, what a user thinks of an item never changes',
      'item-shares': 'each user is shown only items that training has not seen them with',
    },
  })
  const { diagnostics, verdict } = evaluation
  return {
    estimates: evaluation.estimates.map(({ value, interval }, k) => {
      const estimator = estimators[k]!
      const draws = Array.from(evidence.replicates.get(estimator) ?? []).filter(Number.isFinite)
      return { estimator, value, interval, variance: draws.length > 1 ? varianceOf(draws) : null, draws }
    }),
    ess: diagnostics.ess,
    essRatio: diagnostics.essRatio,
    meanWeight: diagnostics.meanWeight,
    verdict: verdict.level,
    reasons:
      verdict.reasons.length > 0 ? verdict.reasons.map(({ message }) => message) : [groundsOf(verdict)],
  }
}

/** One of the estimates. */
export const estimateBy = ({ estimates }: Valued, estimator: StudyEstimator): Valued['estimates'][number] =>
  estimates.find((estimate) => estimate.estimator === estimator)!

/** Bootstrap variance of SNIPS over that of IPS. */
export function varianceRatio(valued: Valued): number | null {
  const snips = estimateBy(valued, 'snips').variance
  const ips = estimateBy(valued, 'ips').variance
  return snips === null || ips === null || ips === 0 ? null : snips / ips
}

export const holds = (interval: Interval | null, truth: number): boolean =>
  interval !== null && interval[0] <= truth && truth <= interval[1]
