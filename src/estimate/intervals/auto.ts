import { HindcastError } from '../../error.js'
import type { Estimator } from '../estimator.js'
import type { Moments } from '../moments.js'
import { type Reliability, reliabilityOf } from '../reliability.js'
import { one, type Term, weight, weightedReward } from '../term.js'
import { bernsteinInterval, hoeffdingInterval, type KnownBounds } from './bernstein.js'
import type { BootstrapOptions } from './bootstrap.js'
import { sequenceInterval } from './confidence-sequence.js'
import { cressieReadInterval, estimatesWeightedRewards } from './empirical-likelihood.js'
import { firstOrderOf } from './first-order.js'
import type { IntervalResult } from './interval.js'
import { logitJackknifeInterval } from './logit-jackknife.js'
import { bcaInterval, percentileInterval } from './percentile.js'
import { sumsAtHand } from './sums-at-hand.js'
import { normalInterval, tInterval } from './student-t.js'

export { differenceInterval } from './difference.js'

/** The intervals there are. */
export const INTERVAL_METHODS = [
  'auto',
  'normal',
  't',
  'logit-t',
  'bootstrap',
  'bca',
  'bernstein',
  'hoeffding',
  'cressie-read',
  'sequence',
] as const

export type IntervalMethod = (typeof INTERVAL_METHODS)[number]

export interface IntervalOptions extends KnownBounds {
  /** Probability that the interval is to hold the value, in (0, 1): 0.95. */
  readonly confidence?: number
  /** `auto` takes the one that covers, and says which. */
  readonly method?: IntervalMethod
  /** Resamples of the bootstrap: 50. */
  readonly bootstrap?: number
  /** Seed of the bootstrap: 0. */
  readonly seed?: number
  /** Clusters at which a confidence sequence is tightest, chosen before the first look: 1000. */
  readonly tightestAt?: number
}

/** The sums that intervals need beside those of the estimator. */
export const INTERVAL_TERMS: readonly Term[] = [one, weight, weightedReward]

/** Below these the large-sample intervals do not cover (docs/coverage.md). */
const LEAST_EFFECTIVE_CLICKS = 10
const LEAST_DEGREES_OF_FREEDOM = 5

/**
 * The interval of an estimate, from the sums of its clusters (`INTERVAL_TERMS` among them), with the method
 * taken and, where there is none or it is not to be leaned on, the reason.
 *
 * `auto` takes the jackknife interval on the logit scale with t_ν while at least 10 effective clicks,
 * counted by cluster, and 5 effective degrees of freedom carry the estimate. Below, no large-sample
 * interval covers: it takes the worst-case interval that a known largest weight allows (Cressie–Read for
 * ips and snips, empirical Bernstein for clipped means), else the logit one with a warning.
 */
export function intervalFor(
  estimator: Estimator,
  moments: Moments,
  options: IntervalOptions = {},
): IntervalResult {
  const { confidence = 0.95, method = 'auto', rewardRange, tightestAt } = options
  if (!(confidence > 0 && confidence < 1))
    throw new HindcastError('bad-option', `The confidence must lie between 0 and 1, not ${confidence}.`, {
      remedy: 'Write 0.95 for 95 %.',
    })
  const resampling: BootstrapOptions = {
    ...(options.bootstrap !== undefined && { resamples: options.bootstrap }),
    ...(options.seed !== undefined && { seed: options.seed }),
  }
  switch (method) {
    case 'normal':
      return normalInterval(estimator, moments, confidence)
    case 't':
      return tInterval(estimator, moments, confidence)
    case 'logit-t':
      return logitJackknifeInterval(estimator, moments, confidence, rewardRange)
    case 'bootstrap':
      return percentileInterval(estimator, moments, confidence, resampling)
    case 'bca':
      return bcaInterval(estimator, moments, confidence, resampling)
    case 'bernstein':
      return bernsteinInterval(estimator, moments, confidence, options)
    case 'hoeffding':
      return hoeffdingInterval(estimator, moments, confidence, options)
    case 'cressie-read':
      return cressieReadInterval(estimator, moments, confidence, options)
    case 'sequence':
      return sequenceInterval(estimator, moments, confidence, tightestAt)
    case 'auto':
      return automatic(estimator, moments, confidence, options)
  }
}

function automatic(
  estimator: Estimator,
  moments: Moments,
  confidence: number,
  options: IntervalOptions,
): IntervalResult {
  const theory = firstOrderOf(estimator, moments)
  const doubt =
    typeof theory === 'string'
      ? theory
      : doubtOf(estimator, reliabilityOf(weightedRewardsOf(estimator, moments), theory.influence))
  const usual = logitJackknifeInterval(estimator, moments, confidence, options.rewardRange)
  if (doubt === undefined) return usual
  const worst = estimatesWeightedRewards(estimator)
    ? cressieReadInterval(estimator, moments, confidence, options)
    : bernsteinInterval(estimator, moments, confidence, options)
  if (worst.interval) return withReason(worst, `${doubt} So this is the worst-case interval.`)
  if (!usual.interval) return { ...usual, reason: doubt }
  return withReason(
    usual,
    `${doubt} The interval may well be too narrow, and no worst-case one is to be had.`,
  )
}

/** S_g[wr]; for slates, which have weights of their own, what the estimator sums instead. */
const weightedRewardsOf = ({ ratios }: Estimator, moments: Moments): Float64Array =>
  sumsAtHand(moments, weightedReward) ?? moments.sums(ratios.at(-1)!.numerator)

/** Why the large-sample theory is not to be leaned on; undefined when it is. */
function doubtOf({ name }: Estimator, reliability: Reliability): string | undefined {
  const { effectiveClicks, degreesOfFreedom } = reliability
  // The direct method uses no click of the rows it averages over.
  if (name !== 'dm' && effectiveClicks < LEAST_EFFECTIVE_CLICKS)
    return `Only ${effectiveClicks.toFixed(1)} effective clicks carry the estimate, where ${LEAST_EFFECTIVE_CLICKS} are needed.`
  if (degreesOfFreedom < LEAST_DEGREES_OF_FREEDOM)
    return `A few clusters decide the estimate: ${degreesOfFreedom.toFixed(1)} effective degrees of freedom, where ${LEAST_DEGREES_OF_FREEDOM} are needed.`
  return undefined
}

const withReason = (result: IntervalResult, reason: string): IntervalResult => ({
  ...result,
  reason: result.reason === undefined ? reason : `${reason} ${result.reason}`,
})
