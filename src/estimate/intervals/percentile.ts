import { normalCdf, normalQuantile } from '../../normal.js'
import { quantileOfDraws } from '../../quantile.js'
import type { Estimator } from '../estimator.js'
import type { Moments } from '../source/moments.js'
import { type BootstrapOptions, bootstrapValues, drawable } from './bootstrap.js'
import { firstOrderOf } from './first-order.js'
import {
  type Interval,
  type IntervalResult,
  type IntervalSettings,
  intervalOf,
  noInterval,
} from './interval.js'
import { jackknifeOf } from './jackknife.js'

/** The cluster bootstrap's percentile interval: the middle share of the resampled estimates (Efron 1979). */
function percentileInterval(
  estimator: Estimator,
  moments: Moments,
  confidence: number,
  options: BootstrapOptions = {},
): IntervalResult {
  const sorted = resampled(estimator, moments, options)
  if (typeof sorted === 'string') return noInterval('bootstrap', sorted)
  const tail = (1 - confidence) / 2
  return intervalOf(
    'bootstrap',
    [quantileOfDraws(sorted, tail), quantileOfDraws(sorted, 1 - tail)],
    few(sorted.length),
  )
}

/**
 * The bias-corrected and accelerated interval of the cluster bootstrap (Efron 1987): percentiles moved to
 * Φ(z₀ + (z₀ + z)/(1 − a(z₀ + z))), with z₀ from the share of resampled estimates below the estimate, and
 * a = Σd³/(6 (Σd²)^{3/2}) from the jackknife's d_g = V − V₍₋g₎ (their mean taken off).
 */
function bcaInterval(
  estimator: Estimator,
  moments: Moments,
  confidence: number,
  options: BootstrapOptions = {},
): IntervalResult {
  const sorted = resampled(estimator, moments, options)
  if (typeof sorted === 'string') return noInterval('bca', sorted)
  const theory = firstOrderOf(estimator, moments)
  if (typeof theory === 'string') return noInterval('bca', theory)
  const falls = jackknifeOf(estimator, moments)
  if (!falls)
    return noInterval('bca', 'One cluster carries all the weight: without it nothing could be estimated.')
  let below = 0
  for (const value of sorted) below += value < theory.value ? 1 : value === theory.value ? 0.5 : 0
  if (below === 0 || below === sorted.length)
    return noInterval(
      'bca',
      'All resampled estimates lie on one side of the estimate, so their bias cannot be corrected.',
    )
  const bias = normalQuantile(below / sorted.length)
  const acceleration = skewness(falls) / 6
  const moved = (z: number): number => normalCdf(bias + (bias + z) / (1 - acceleration * (bias + z)))
  const z = normalQuantile((1 + confidence) / 2)
  if (!(1 - Math.abs(acceleration) * (Math.abs(bias) + z) > 0))
    return noInterval('bca', 'The influences are too skewed for the correction: choose another interval.')
  return intervalOf(
    'bca',
    [quantileOfDraws(sorted, moved(-z)), quantileOfDraws(sorted, moved(z))],
    few(sorted.length),
  )
}

/** The resampled estimates in order, or why there are none. */
function resampled(estimator: Estimator, moments: Moments, options: BootstrapOptions): Float64Array | string {
  const drawn = drawable([estimator], moments)
  const theory = firstOrderOf(estimator, drawn)
  if (typeof theory === 'string') return theory
  const values = bootstrapValues(estimator, drawn, options)
  const defined = values.filter((value) => Number.isFinite(value))
  // Left out, they would hide how little there is; a rare one does not matter.
  if (!(defined.length >= 0.99 * values.length) || defined.length < 2)
    return `${values.length - defined.length} of ${values.length} resamples have a denominator of zero: too few clusters carry weight.`
  return defined.toSorted()
}

/** Σ d³/(Σ d²)^{3/2} of deviations from their mean. */
function skewness(values: Float64Array): number {
  let mean = 0
  for (const value of values) mean += value / values.length
  let squares = 0
  let cubes = 0
  for (const value of values) {
    const deviation = value - mean
    squares += deviation * deviation
    cubes += deviation * deviation * deviation
  }
  return squares > 0 ? cubes / (squares * Math.sqrt(squares)) : 0
}

const few = (resamples: number): string | undefined =>
  resamples < 1000
    ? `${resamples} resamples are enough for a variance but few for an interval: use 1,000 or more.`
    : undefined

const resamplingOf = ({ bootstrap: resamples, seed }: IntervalSettings): BootstrapOptions => ({
  ...(resamples !== undefined && { resamples }),
  ...(seed !== undefined && { seed }),
})

export const bootstrap: Interval<'bootstrap'> = {
  name: 'bootstrap',
  label: 'Percentile bootstrap',
  family: 'bootstrap',
  meaning: 'Percentiles of estimates from resampled clusters. Needs 1,000 resamples or more.',
  docs: 'intervals.md#bootstrap',
  isOneWay: true,
  of: (estimator, moments, confidence, settings) =>
    percentileInterval(estimator, moments, confidence, resamplingOf(settings)),
}

export const bca: Interval<'bca'> = {
  name: 'bca',
  label: 'BCa bootstrap',
  family: 'bootstrap',
  meaning: 'Percentiles of the bootstrap, corrected for bias and skew. Needs 1,000 resamples or more.',
  docs: 'intervals.md#bca',
  isOneWay: true,
  of: (estimator, moments, confidence, settings) =>
    bcaInterval(estimator, moments, confidence, resamplingOf(settings)),
}
