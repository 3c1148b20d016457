import { topShare } from '../describe/concentration.js'
import type { Tally } from '../describe/tally.js'
import { gini } from '../gini.js'
import { exp, log } from '../portable-math.js'
import { median } from '../quantile.js'
import { jackknifeInterval } from './jackknife.js'
import { meanOf, varianceOf } from './over-seeds.js'
import type { ClickRateSpread, Counts, Spread } from './results.js'

/** How exposure over items and activity over users are spread. */
export function spreadOf(items: Tally, users: Tally): Spread {
  const exposure = Array.from(items.impressions)
  const activity = Array.from(users.impressions)
  return {
    exposureGini: gini(items.impressions)!,
    topTenthShare: topTenth(exposure),
    topTenthShareInterval: jackknifeInterval(exposure, topTenth),
    medianExposure: median(items.impressions),
    maxExposure: items.impressions.reduce((most, count) => Math.max(most, count), 0),
    neverShown: exposure.filter((count) => count === 0).length,
    activityGini: gini(users.impressions)!,
    topTenthActivity: topTenth(activity),
    topTenthActivityInterval: jackknifeInterval(activity, topTenth),
  }
}

/** Share of the total that the largest tenth of the amounts holds. */
const topTenth = (amounts: readonly number[]): number =>
  topShare(Float64Array.from(amounts), Math.max(1, Math.round(amounts.length / 10)))

export const countsOf = ({ impressions, clicks }: Tally): Counts => ({
  impressions: Array.from(impressions),
  clicks: Array.from(clicks),
})

interface Shown {
  readonly impressions: number
  readonly clicks: number
}

const BINS = 5

/** Click rates of items by how often they were shown, in five bins of as many items. */
export function clickRateSpread({ impressions, clicks }: Counts): ClickRateSpread {
  const shown = impressions
    .map((count, item) => ({ impressions: count, clicks: clicks[item]! }))
    .filter((item) => item.impressions > 0)
    .sort((a, b) => a.impressions - b.impressions)
  const bins = binsOf(shown).map((items) => {
    const total = meanOf(items.map((item) => item.impressions))
    const rates = items.map(rateOf)
    const rate = meanOf(rates)
    return {
      items: items.length,
      fewest: items[0]!.impressions,
      most: items.at(-1)!.impressions,
      impressions: total,
      meanClickRate: rate,
      deviation: deviationOf(items),
      deviationByChance: Math.sqrt(meanOf(items.map((item) => (rate * (1 - rate)) / item.impressions))),
      extreme: rates.filter((own) => own === 0 || own === 1).length / items.length,
    }
  })
  const logRatio = (items: readonly Shown[]): number => {
    const parts = binsOf(items)
    return parts.length < 2 ? NaN : log(deviationOf(parts[0]!) / deviationOf(parts.at(-1)!))
  }
  const value = logRatio(shown)
  const interval = jackknifeInterval(shown, logRatio)
  return {
    bins,
    ratio: Number.isFinite(value) ? exp(value) : null,
    ratioInterval: interval && [exp(interval[0]), exp(interval[1])],
  }
}

const rateOf = ({ impressions, clicks }: Shown): number => clicks / impressions
const deviationOf = (items: readonly Shown[]): number => Math.sqrt(varianceOf(items.map(rateOf)))

/** Items in order, in bins of as many items; none of fewer than two. */
const binsOf = (items: readonly Shown[]): (readonly Shown[])[] =>
  Array.from({ length: BINS }, (_, bin) =>
    items.slice(Math.round((bin * items.length) / BINS), Math.round(((bin + 1) * items.length) / BINS)),
  ).filter((bin) => bin.length >= 2)
