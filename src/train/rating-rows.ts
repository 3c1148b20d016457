import type { Log } from '../log/log.js'
import { CompensatedSum } from '../sum.js'
import type { Events } from './events.js'
import { LOSSES } from './losses/index.js'
import type { TrainSettings } from './settings.js'

/** What the squared form takes from each event, besides its user and item. */
export interface RatingRows {
  /** r, less the mean rating. */
  readonly ratings: Float64Array
  /** The model that imputes the ratings of all pairs, where the loss has one. */
  readonly imputation?: Imputation
}

/** Final embeddings of the imputation model: users first, then items, row after row of `dim` numbers. */
export interface Imputation {
  readonly dim: number
  readonly users: number
  readonly embeddings: Float32Array
}

/** Whether a loss learns ratings. */
export const learnsRatings = ({ loss }: Pick<TrainSettings, 'loss'>): boolean =>
  LOSSES.named(loss).form === 'squared'

/**
 * μ, the mean rating that scores are relative to: of the training rows, each weighted by 1/propensity where the loss
 * has weights.
 */
export function meanRating(log: Log, { loss }: Pick<TrainSettings, 'loss'>): number {
  const propensity = LOSSES.named(loss).weights === 'none' ? undefined : log.propensity
  const [sum, total] = [new CompensatedSum(), new CompensatedSum()]
  for (let row = 0; row < log.rows; row++) {
    const weight = (log.weight?.[row] ?? 1) / (propensity?.[row] ?? 1)
    sum.add(weight * log.reward[row]!)
    total.add(weight)
  }
  return sum.value / total.value
}

export function ratingRows(log: Log, events: Events, settings: TrainSettings): RatingRows {
  const mean = meanRating(log, settings)
  return { ratings: Float64Array.from(events.rows, (row) => log.reward[row]! - mean) }
}

/** What embeddings predict for a pair, less the mean rating. */
export function predicted(
  { dim, users, embeddings }: Omit<Imputation, 'embeddings'> & { readonly embeddings: ArrayLike<number> },
  user: number,
  item: number,
): number {
  let sum = 0
  for (let d = 0; d < dim; d++) sum += embeddings[user * dim + d]! * embeddings[(users + item) * dim + d]!
  return sum
}
