import type { Tally } from '$core/describe/describe.js'
import { wilsonFunnel, wilsonInterval } from '$core/figures/click-rate-dots.js'
import { counted, formatCount, formatRate } from '$core/number-text.js'

/** What a log says about one item. */
export interface ItemStanding {
  readonly id: string
  /** By impressions, from 1; undefined where it was never shown. */
  readonly rank: number | undefined
  /** How many items were shown. */
  readonly shown: number
  readonly impressions: number
  readonly clicks: number
  readonly propensity: number | undefined
}

/** Where an item stands: `order` are the places of the shown items by rank, `means` their mean propensities. */
export function itemStanding(
  items: Tally,
  order: Uint32Array,
  place: number,
  means: Float64Array | undefined,
): ItemStanding {
  const rank = order.indexOf(place) + 1
  const propensity = means?.[place]
  return {
    id: items.ids[place]!,
    rank: rank === 0 ? undefined : rank,
    shown: order.length,
    impressions: items.impressions[place]!,
    clicks: items.clicks[place]!,
    propensity: propensity !== undefined && propensity > 0 ? propensity : undefined,
  }
}

/** The same in a sentence; `overall` is the click-through rate of the log. The interval is a 95 % Wilson interval. */
export function standingText(standing: ItemStanding, overall: number): string {
  const { rank, shown, impressions, clicks, propensity } = standing
  if (rank === undefined) return 'never shown in this log: nothing is known about its click-through rate.'
  const { rate, interval } = formatRate(clicks / impressions, wilsonInterval(clicks, impressions))
  const [lower, upper] = wilsonFunnel(overall, impressions)
  const observed = clicks / impressions
  const beside =
    observed < lower
      ? 'below the overall rate by more than chance explains'
      : observed > upper
        ? 'above the overall rate by more than chance explains'
        : 'no further from the overall rate than chance explains'
  return [
    `rank ${formatCount(rank)} of ${counted(shown, 'shown item')} with ${counted(impressions, 'impression')} and ${counted(clicks, 'click')}`,
    `a click-through rate of ${rate} (95 % CI ${interval}), ${beside}`,
    ...(propensity === undefined ? [] : [`a mean propensity of ${Number(propensity.toPrecision(3))}`]),
  ]
    .join('; ')
    .concat('.')
}
