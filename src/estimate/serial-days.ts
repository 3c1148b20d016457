import { studentQuantile } from '../student.js'
import type { Moments } from './source/moments.js'
import { type Influences, spreadOf } from './spread.js'
import type { Complaint } from './verdict.js'

/** Fewer days cannot tell a run of good days from chance. */
const FEWEST_DAYS = 10
/** From so many days on, what the days of the week explain is left out: weeks repeat, and are no run. */
const THREE_WEEKS = 21
/** From so many on, what weekends explain is left out of a line through the days: a week may end with them. */
const ONE_WEEK = 7
/** Chance goes beyond this in about 5 of 1,000 logs whose days are independent. */
const FAR = 2.6
/** As rarely, a straight line through independent days is steeper, up or down, than Student's t allows with this chance on each side. */
const STEEP = 0.9975
/** Days that add less than this to the variance do not matter, runs or not. */
const LEAST_SHARE = 0.2

/**
 * What speaks against an interval that takes days as independent, where good days follow good ones, or rewards rise or fall over
 * the log. The sum of such days spreads more than V_day says, and days to come are not those of the log.
 */
export function serialDays(moments: Moments, influences: Influences): Complaint[] {
  const crossed = moments.crossed.findIndex(({ sign }) => sign > 0)
  const [byDay, ofDays] = [moments.crossed[crossed]?.moments, influences[crossed + 1]]
  // Only days are few enough to keep their ids.
  if (!byDay?.ids || !ofDays) return []
  const spread = spreadOf(influences)
  const alone = spreadOf(influences.slice(0, 1))
  if (!spread || !alone || spread ** 2 - alone ** 2 < LEAST_SHARE * spread ** 2) return []
  const days = byDay.ids.map(Number)
  const z = serialExcess(days, ofDays.influence)
  const slope = slopeOf(days, ofDays.influence)
  const isRun = z !== null && z >= FAR
  if (!isRun && !slope?.isSteep) return []
  const [seen, value] = isRun
    ? [`Days resemble the days before them (by ${z.toFixed(1)} standard errors), as in a trend.`, z]
    : [
        `What the target earns ${slope!.t > 0 ? 'rises' : 'falls'} over the days of the log (by ${Math.abs(slope!.t).toFixed(1)} standard errors).`,
        slope!.t,
      ]
  return [
    {
      level: 'caution',
      code: 'days-run-together',
      message: `${seen} The interval treats days as independent, so it is too narrow.`,
      value,
    },
  ]
}

/**
 * √D times the correlation of the values of consecutive days, about a standard normal number where days are independent;
 * null for few days. Days are numbered from 1970.
 */
export function serialExcess(days: readonly number[], values: Float64Array): number | null {
  if (days.length < FEWEST_DAYS) return null
  const isByWeekday = days.length >= THREE_WEEKS
  const order = Array.from(days.keys()).toSorted((a, b) => days[a]! - days[b]!)
  const left = lessMeans(values, isByWeekday ? days.map(weekdayOf) : days.map(() => 0))
  const rest = order.map((k) => left[k]!)
  const squares = rest.reduce((sum, value) => sum + value * value, 0)
  if (!(squares > 0)) return null
  let products = 0
  for (let d = 1; d < rest.length; d++)
    if (days[order[d]!]! - days[order[d - 1]!]! === 1) products += rest[d]! * rest[d - 1]!
  // Around one mean, independent days have a correlation of −1/D on average.
  const expected = isByWeekday ? 0 : -1 / days.length
  return (products / squares - expected) * Math.sqrt(days.length)
}

/** How many standard errors a straight line through the values of days is from level; null for few days, or days without spread. */
export function slopeOf(
  days: readonly number[],
  values: Float64Array,
): { readonly t: number; readonly isSteep: boolean } | null {
  const kinds = days.map(
    days.length >= THREE_WEEKS ? weekdayOf : days.length >= ONE_WEEK ? isWeekend : () => 0,
  )
  const [x, y] = [lessMeans(days, kinds), lessMeans(values, kinds)]
  const freedom = days.length - 1 - new Set(kinds).size
  if (freedom < 1) return null
  const product = (a: readonly number[], b: readonly number[]): number =>
    a.reduce((sum, value, k) => sum + value * b[k]!, 0)
  const [xx, xy, yy] = [product(x, x), product(x, y), product(y, y)]
  const rest = yy - xy ** 2 / xx
  if (!(rest > 1e-12 * yy)) return null
  const t = xy / Math.sqrt((xx * rest) / freedom)
  return { t, isSteep: Math.abs(t) > studentQuantile(STEEP, freedom) }
}

/** The day of the week of a day numbered from 1970, which began on a Thursday. */
const weekdayOf = (day: number): number => day % 7
const isWeekend = (day: number): number => (weekdayOf(day) === 2 || weekdayOf(day) === 3 ? 1 : 0)

/** Values less the mean of those of their kind. */
function lessMeans(values: ArrayLike<number>, kinds: readonly number[]): number[] {
  const means = new Map<number, { sum: number; count: number }>()
  kinds.forEach((kind, k) => {
    const of = means.get(kind) ?? { sum: 0, count: 0 }
    means.set(kind, { sum: of.sum + values[k]!, count: of.count + 1 })
  })
  return kinds.map((kind, k) => values[k]! - means.get(kind)!.sum / means.get(kind)!.count)
}
