import type { Estimator } from '../estimator.js'
import { type Reliability, reliabilityOf } from '../spread.js'
import type { Moments } from '../source/moments.js'
import { weightedReward } from '../term.js'
import { bernstein } from './bernstein.js'
import { cressieRead, estimatesWeightedRewards } from './empirical-likelihood.js'
import { firstOrderOf, type Interval, type IntervalResult, resultOf, widened } from './interval.js'
import { logitT } from './large-sample.js'

/** Below these the large-sample intervals do not cover (docs/coverage.md). */
const LEAST_EFFECTIVE_CLICKS = 10
const LEAST_DEGREES_OF_FREEDOM = 5

/**
 * The jackknife interval on the logit scale with t_ν while at least 10 effective clicks, counted by cluster, and 5
 * effective degrees of freedom carry the estimate. Below, no large-sample interval covers: it takes the worst-case
 * interval that a known largest weight allows (Cressie–Read for ips and snips, empirical Bernstein for clipped means),
 * otherwise the logit one with a warning.
 */
export const auto: Interval<'auto'> = {
  name: 'auto',
  label: 'Automatic',
  family: 'automatic',
  meaning:
    'Picks the interval that was measured to cover as often as it claims, given what the log contains.',
  docs: 'intervals.md#auto',
  usesMaxWeight: true,
  of: (estimator, moments, confidence, settings) => {
    const by = ({ name, of }: Interval): IntervalResult =>
      resultOf(name, of(estimator, moments, confidence, settings))
    const theory = firstOrderOf(estimator, moments)
    const doubt =
      typeof theory === 'string'
        ? theory
        : doubtOf(
            estimator,
            reliabilityOf(weightedRewardsOf(estimator, moments), theory.influences[0]!.influence),
          )
    const usual = by(logitT)
    if (doubt === undefined) return usual
    const worst = by(estimatesWeightedRewards(estimator) ? cressieRead : bernstein)
    if (worst.interval)
      return withReason(
        widened(worst, estimator, moments),
        `${doubt} This is therefore the worst-case interval.`,
      )
    if (!usual.interval) return { ...usual, reason: doubt }
    return withReason(
      usual,
      `${doubt} The interval may be too narrow, and no worst-case interval is available.`,
    )
  },
}

/** S_g[wr]; for slates, which have weights of their own, what the estimator sums instead. */
const weightedRewardsOf = ({ ratios }: Estimator, moments: Moments): Float64Array =>
  moments.sums(moments.has([weightedReward]) ? weightedReward : ratios[0]!.numerator)

/** Why the large-sample theory does not hold; undefined when it does. */
function doubtOf({ takesModelAsTrue }: Estimator, reliability: Reliability): string | undefined {
  const { effectiveClicks, degreesOfFreedom } = reliability
  // The direct method uses no clicks of the rows it averages over.
  if (!takesModelAsTrue && effectiveClicks < LEAST_EFFECTIVE_CLICKS)
    return `The estimate rests on only ${effectiveClicks.toFixed(1)} effective clicks; at least ${LEAST_EFFECTIVE_CLICKS} are needed.`
  if (degreesOfFreedom < LEAST_DEGREES_OF_FREEDOM)
    return `A few clusters decide the estimate: it has ${degreesOfFreedom.toFixed(1)} effective degrees of freedom; at least ${LEAST_DEGREES_OF_FREEDOM} are needed.`
  return undefined
}

const withReason = (result: IntervalResult, reason: string): IntervalResult => ({
  ...result,
  reason: result.reason === undefined ? reason : `${reason} ${result.reason}`,
})
