import { advice, set } from '../advice.js'
import { badOption } from '../error.js'
import { type Contexts, featuresOf } from '../log/contexts.js'
import type { Log } from '../log/log.js'

/** How features become a row of numbers that an item's row is multiplied with: (x − mean)/deviation each, then 1. */
export interface FeatureScale {
  readonly names: readonly string[]
  readonly mean: Float64Array
  /** The standard deviation over the rows of training; 1 for a feature that never varied. */
  readonly deviation: Float64Array
}

/** Means and deviations of the features over the rows of a log, which must have contexts. */
export function featureScale(log: Log): FeatureScale {
  const { names } = requireContexts(log)
  const mean = new Float64Array(names.length)
  const squares = new Float64Array(names.length)
  let total = 0
  overRows(log, (features, weight) => {
    total += weight
    features.forEach((value, k) => (mean[k]! += weight * value))
  })
  mean.forEach((sum, k) => (mean[k] = total > 0 ? sum / total : 0))
  overRows(log, (features, weight) =>
    features.forEach((value, k) => (squares[k]! += weight * (value - mean[k]!) ** 2)),
  )
  const deviation = squares.map((sum) => Math.sqrt(sum / total) || 1)
  return { names, mean, deviation }
}

/** The row of some features, in float32. */
export function featureRow({ mean, deviation }: FeatureScale, features: ArrayLike<number>): Float32Array {
  const row = new Float32Array(mean.length + 1).fill(1)
  for (let k = 0; k < mean.length; k++) row[k] = (features[k]! - mean[k]!) / deviation[k]!
  return row
}

/** The contexts of a log, or an error where it has none. */
export function requireContexts({ contexts }: Log): Contexts {
  if (contexts && contexts.names.length > 0) return contexts
  throw badOption(
    'A linear policy needs features, and the log has none.',
    advice`Name columns of numbers that were known when each item was chosen, with ${set('features')}.`,
  )
}

function overRows(log: Log, visit: (features: Float32Array, weight: number) => void): void {
  const contexts = log.contexts!
  for (let row = 0; row < log.rows; row++)
    visit(featuresOf(contexts, contexts.index[row]!), log.weight?.[row] ?? 1)
}
