import type { Tally } from '$core/describe/describe.js'
import { HindcastError } from '$core/error.js'
import { softmaxPolicy } from '$core/policy/ruled-policy.js'
import { log } from '$core/portable-math.js'
import { type World, worldOf } from '$core/world/world.js'

/** How often each item of a log was shown and clicked. */
export type ShownItems = Pick<Tally, 'ids' | 'impressions' | 'clicks'>

export interface WorldLikeLogOptions {
  readonly seed: number
  /** All alike: item counts cannot distinguish users. */
  readonly users: number
  /** Exposures per user, drawn with replacement. */
  readonly exposures: number
  /** T of the logging policy ∝ impressions^(1/T): 1 shows items as often as the log did, ∞ is uniform. */
  readonly temperature: number
}

/** Each item is treated as shown this many more times, at the overall click rate. */
const PRIOR_IMPRESSIONS = 10

/**
 * A world modelled on the items of a log. Item i, shown n(i) times with c(i) clicks there, is shown in proportion to
 * n(i)^(1/T) and clicked by any user with probability (c(i) + κ·p)/(n(i) + κ), p the overall click rate and κ = 10:
 * the more often an item was shown, the more its own click rate counts.
 *
 * @param items shown at least once each, as `mostShown` gives them
 */
export function worldLikeLog(
  { ids, impressions, clicks }: ShownItems,
  { seed, users, exposures, temperature }: WorldLikeLogOptions,
): World {
  const rates = smoothedRates(impressions, clicks)
  return worldOf({
    name: 'log',
    seed,
    userIds: Array.from({ length: users }, (_, u) => String(u + 1)),
    itemIds: ids,
    logging: softmaxPolicy('logging', Float64Array.from(impressions, log), temperature),
    exposures,
    clickRate: (_user, item) => rates[item]!,
  })
}

function smoothedRates(impressions: Float64Array, clicks: Float64Array): Float64Array {
  const total = (counts: Float64Array): number => counts.reduce((sum, count) => sum + count, 0)
  const overall = total(clicks) / total(impressions)
  return clicks.map(
    (count, item) => (count + PRIOR_IMPRESSIONS * overall) / (impressions[item]! + PRIOR_IMPRESSIONS),
  )
}

/** The most shown items of a tally, at most `most`, in their order there; those never shown are left out. */
export function mostShown({ ids, impressions, clicks }: ShownItems, most: number): ShownItems {
  const places = Array.from(impressions, (_, place) => place)
    .filter((place) => impressions[place]! > 0)
    .toSorted((a, b) => impressions[b]! - impressions[a]! || a - b)
    .slice(0, most)
    .toSorted((a, b) => a - b)
  if (places.length === 0)
    throw new HindcastError('bad-file', 'The log shows no items, so no world can be modelled on it.', {
      remedy: 'Open a log with at least one impression, or choose another world.',
    })
  return {
    ids: places.map((place) => ids[place]!),
    impressions: Float64Array.from(places, (place) => impressions[place]!),
    clicks: Float64Array.from(places, (place) => clicks[place]!),
  }
}
