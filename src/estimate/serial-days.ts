import type { Moments } from './source/moments.js'
import { type Influences, spreadOf } from './spread.js'
import type { Complaint } from './verdict.js'

/** Fewer days cannot tell a run of good days from chance. */
const FEWEST_DAYS = 10
/** From so many days on, what the days of the week explain is left out: weeks repeat, and are no run. */
const THREE_WEEKS = 21
/** Chance goes beyond this in about 5 of 1,000 logs whose days are independent. */
const FAR = 2.6
/** Days that add less than this to the variance do not matter, runs or not. */
const LEAST_SHARE = 0.2

/**
 * What speaks against an interval that takes days as independent, where good days follow good ones: a trend, or days that
 * drift. The sum of such days spreads more than V_day says.
 */
export function serialDays(moments: Moments, influences: Influences): Complaint[] {
  const crossed = moments.crossed.findIndex(({ sign }) => sign > 0)
  const [byDay, ofDays] = [moments.crossed[crossed]?.moments, influences[crossed + 1]]
  // Only days are few enough to keep their ids.
  if (!byDay?.ids || !ofDays) return []
  const spread = spreadOf(influences)
  const alone = spreadOf(influences.slice(0, 1))
  if (!spread || !alone || spread ** 2 - alone ** 2 < LEAST_SHARE * spread ** 2) return []
  const z = serialExcess(byDay.ids.map(Number), ofDays.influence)
  if (z === null || z < FAR) return []
  return [
    {
      level: 'caution',
      code: 'days-run-together',
      message: `Days resemble the days before them (by ${z.toFixed(1)} standard errors), as in a trend. The interval takes days as independent, and is too narrow.`,
      value: z,
    },
  ]
}

/**
 * √D times the correlation of the values of consecutive days, about a standard normal number where days are independent;
 * null for few days. Days are numbered from 1970.
 */
export function serialExcess(days: readonly number[], values: Float64Array): number | null {
  if (days.length < FEWEST_DAYS) return null
  const order = Array.from(days.keys()).toSorted((a, b) => days[a]! - days[b]!)
  const isByWeekday = days.length >= THREE_WEEKS
  const kindOf = (k: number): number => (isByWeekday ? days[k]! % 7 : 0)
  const means = new Map<number, { sum: number; count: number }>()
  for (const k of order) {
    const of = means.get(kindOf(k)) ?? { sum: 0, count: 0 }
    means.set(kindOf(k), { sum: of.sum + values[k]!, count: of.count + 1 })
  }
  const rest = order.map((k) => values[k]! - means.get(kindOf(k))!.sum / means.get(kindOf(k))!.count)
  const squares = rest.reduce((sum, value) => sum + value * value, 0)
  if (!(squares > 0)) return null
  let products = 0
  for (let d = 1; d < rest.length; d++)
    if (days[order[d]!]! - days[order[d - 1]!]! === 1) products += rest[d]! * rest[d - 1]!
  // Around one mean, independent days have a correlation of −1/D on average.
  const expected = isByWeekday ? 0 : -1 / days.length
  return (products / squares - expected) * Math.sqrt(days.length)
}
