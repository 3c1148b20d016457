import { dateText } from '../log/days.js'
import { median } from '../quantile.js'
import { type Judged, marginOf } from '../verdict/judge.js'
import type { VerdictOptions } from '../verdict/said.js'
import { type SeenTotals, totalsReasons } from '../verdict/totals.js'
import type { Reason } from '../verdict/verdict.js'
import type { ClusterColumn, Moments } from './source/moments.js'
import {
  one,
  reward,
  type Term,
  weight,
  weightedReward,
  weightedRewardSquared,
  weightSquared,
} from './term.js'

/** What one day says, taken alone. Standard errors take the rows of a day as independent; null for a single row. */
export interface DayValues {
  /** Days since 1970. */
  readonly day: number
  readonly rows: number
  /** What the target would have earned per impression, by IPS. */
  readonly value: number
  readonly valueSe: number | null
  /** What the logging policy earned per impression. */
  readonly meanReward: number
  readonly meanWeight: number
  readonly meanWeightSe: number | null
}

/** What each day says, in the order of time, from sums by user, day or both; null where no sums are by day. */
export function valuesByDay(moments: Moments, cluster: string): DayValues[] | null {
  const ways = cluster.split('+')
  const byDay =
    ways[0] === 'day'
      ? moments
      : ways[1] === 'day'
        ? moments.crossed.find(({ sign }) => sign > 0)?.moments
        : undefined
  if (!byDay?.ids) return null
  return byDay.ids
    .map((id, place): DayValues => {
      const sumOf = (term: Term): number => byDay.sums(term)[place]!
      const [rows, earned, weights] = [sumOf(one), sumOf(weightedReward), sumOf(weight)]
      return {
        day: Number(id),
        rows,
        value: earned / rows,
        valueSe: errorOfMean(rows, earned, sumOf(weightedRewardSquared)),
        meanReward: sumOf(reward) / rows,
        meanWeight: weights / rows,
        meanWeightSe: errorOfMean(rows, weights, sumOf(weightSquared)),
      }
    })
    .toSorted((a, b) => a.day - b.day)
}

/** Days with fewer rows than this share of those of the middle day are parts of a day. */
const LEAST_SHARE = 0.05

/**
 * The days with rows enough to be set beside the others: a log mostly ends, and often begins, in the middle of a day. All
 * where none has two rows.
 */
export function wholeDays(days: readonly DayValues[]): readonly DayValues[] {
  const least = LEAST_SHARE * median(Float64Array.from(days, ({ rows }) => rows))
  const whole = days.filter(({ rows, valueSe }) => rows >= least && valueSe !== null)
  return whole.length > 0 ? whole : days
}

/** The standard error of a mean, from the number of values, their sum and that of their squares. */
function errorOfMean(count: number, sum: number, squares: number): number | null {
  if (count < 2) return null
  const variance = (squares - (sum * sum) / count) / (count - 1)
  return Math.sqrt(Math.max(0, variance) / count)
}

/** What speaks against an answer, a value or a difference, because the log does not hold what is known to have happened. */
export function totalsComplaints(
  moments: Moments,
  ways: readonly ClusterColumn[],
  { totals }: VerdictOptions,
): (answer: Judged | undefined) => Reason[] {
  if (!totals) return () => []
  const days = valuesByDay(moments, ways.join('+'))?.map(({ day, rows, meanReward }) => ({
    day: dateText(day),
    rows,
    reward: rows * meanReward,
  }))
  const seen: SeenTotals = { rows: moments.total(one), reward: moments.total(reward), ...(days && { days }) }
  return (answer) => totalsReasons(totals, seen, answer && { ...answer, half: marginOf(answer) })
}
