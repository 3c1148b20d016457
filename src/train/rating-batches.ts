import { randomBlocks } from '../random/stream.js'
import type { BatchPlan, Columns, Drawing } from './batches.js'
import { predicted } from './rating-rows.js'

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
