import { HindcastError } from '../error.js'
import { CompensatedSum } from '../sum.js'

/** The weights divided by their mean, so that the learning rate and the penalty keep their meaning. */
export function toMeanOne(weights: Float64Array): Float64Array {
  const mean = requireMean(sumOf(weights) / weights.length)
  return weights.map((w) => w / mean)
}

/** The mean of weights, once it is known to be a valid divisor. */
export function requireMean(mean: number): number {
  if (mean > 0 && mean < Infinity) return mean
  throw new HindcastError('bad-rows', `The training weights have a mean of ${mean}.`, {
    remedy: 'Check the propensities and the target: some weight must be above 0, and none infinite.',
  })
}

export function sumOf(values: Float64Array): number {
  const sum = new CompensatedSum()
  for (const value of values) sum.add(value)
  return sum.value
}
