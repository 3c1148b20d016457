import { exp, log } from '../../portable-math.js'
import { studentQuantile } from '../../student.js'
import type { Estimator } from '../estimator.js'
import type { Moments } from '../source/moments.js'
import { firstOrderOf } from './first-order.js'
import {
  type Bounds,
  type Interval,
  type IntervalResult,
  intervalOf,
  noInterval,
  UNKNOWN_RANGE,
} from './interval.js'
import { jackknifeSpreadOf } from './jackknife.js'

/**
 * The jackknife interval on the logit scale: logit V ± t_ν·SE/(V(1 − V)), taken back. SE leaves out one
 * cluster at a time, ν are the effective degrees of freedom of the influences. It stays inside the range
 * of rewards (known a priori; [0, 1] for clicks) and leans away from its ends, as a rare reward asks for. An estimate
 * at or beyond the ends (IPS can be above 1), or of rewards without a known range, gets the plain scale, V ± t_ν·SE.
 */
export function logitJackknifeInterval(
  estimator: Estimator,
  moments: Moments,
  confidence: number,
  rewardRange: Bounds = UNKNOWN_RANGE,
): IntervalResult {
  const theory = firstOrderOf(estimator, moments)
  if (typeof theory === 'string') return noInterval('logit-t', theory)
  const error = jackknifeSpreadOf(estimator, moments)
  if (error === undefined)
    return noInterval('logit-t', 'One cluster carries all the weight: without it nothing could be estimated.')
  const { value } = theory
  const half = studentQuantile((1 + confidence) / 2, theory.degreesOfFreedom) * error
  const [least, most] = rewardRange
  const width = most - least
  const share = (value - least) / width
  if (!(Number.isFinite(width) && share > 0 && share < 1))
    return intervalOf(
      'jackknife-t',
      [value - half, value + half],
      Number.isFinite(width)
        ? `The estimate lies outside the range of rewards (${least} to ${most}), so the interval is not on the logit scale.`
        : undefined,
    )
  const centre = log(share) - log(1 - share)
  const reach = half / (width * share * (1 - share))
  const back = (x: number): number => least + width * (x > 0 ? 1 / (1 + exp(-x)) : 1 - 1 / (1 + exp(x)))
  return intervalOf('logit-t', [back(centre - reach), back(centre + reach)])
}

export const logitT: Interval<'logit-t'> = {
  name: 'logit-t',
  label: 'Student’s t on the logit scale',
  family: 'large sample',
  meaning: 'Student’s interval on the logit scale, by the jackknife. Stays within the range of rewards.',
  docs: 'intervals.md#logit-t',
  of: (estimator, moments, confidence, { rewardRange }) =>
    logitJackknifeInterval(estimator, moments, confidence, rewardRange),
}
