import type { Log } from '../log/log.js'
import { randomBlocks } from '../random/stream.js'
import { CompensatedSum } from '../sum.js'
import type { BatchPlan, Columns, Drawing } from './batches.js'
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

/** Samples of an event: its rating alone, or with imputed ratings of its own pair and of one drawn among all pairs. */
export const samplesPerRating = ({ ratings }: Pick<BatchPlan, 'ratings'>): number =>
  ratings?.imputation ? 3 : 1

/**
 * Each time a rated pair. With imputed ratings r̃, the errors of three samples add up to the doubly robust risk,
 * ω·((s − r)² − (s − r̃)²) + (s' − r̃')², the last for a pair drawn among all; each counts three times, since the kernel
 * takes the mean over samples.
 */
export function fillRatings(plan: BatchPlan, { epoch, first, events, users }: Drawing, to: Columns): void {
  const { ratings, imputation } = plan.ratings!
  const perEvent = samplesPerRating(plan)
  const draw = imputation && randomBlocks(plan.settings.seed, 'pairs to impute')
  for (let k = 0; k < events.length; k++) {
    const event = events[k]!
    const [user, item] = [users[k]!, plan.events.items[event]!]
    const weight = plan.settings.ips === 'resample' ? 1 : plan.weights[event]!
    const place = k * perEvent
    put(to, place, user, item, perEvent * weight, ratings[event]!)
    if (!draw) continue
    put(to, place + 1, user, item, -perEvent * weight, predicted(imputation, user, item))
    const words = draw(first + k, epoch, 0)
    const anyUser = Math.floor((words[0]! / 0x100000000) * plan.graph.users)
    const anyItem = Math.floor((words[1]! / 0x100000000) * plan.graph.items)
    put(to, place + 2, anyUser, anyItem, perEvent, predicted(imputation, anyUser, anyItem))
  }
}

function put(to: Columns, place: number, user: number, item: number, weight: number, rating: number): void {
  to.users[place] = user
  to.items[place] = item
  to.weights[place] = weight
  to.rewards[place] = rating
}
