import { dateText } from '../log/days.js'
import type { VerdictOptions } from '../verdict/said.js'
import { type SeenTotals, totalsReasons } from '../verdict/totals.js'
import type { Reason } from '../verdict/verdict.js'
import { valuesByDay } from './by-day.js'
import type { PlainEstimate } from './evaluation.js'
import type { ClusterColumn, Moments } from './source/moments.js'
import { one, reward } from './term.js'

/** What speaks against an estimate because the log does not hold what is known to have happened. */
export function totalsComplaints(
  moments: Moments,
  ways: readonly ClusterColumn[],
  { totals, matters = 0 }: VerdictOptions,
): (estimate: PlainEstimate) => Reason[] {
  if (!totals) return () => []
  const days = valuesByDay(moments, ways.join('+'))?.map(({ day, rows, meanReward }) => ({
    day: dateText(day),
    rows,
    reward: rows * meanReward,
  }))
  const seen: SeenTotals = { rows: moments.total(one), reward: moments.total(reward), ...(days && { days }) }
  return ({ value, interval }) => {
    if (value === null || interval === null) return totalsReasons(totals, seen)
    const half = Math.max((interval[1] - interval[0]) / 2, matters * Math.abs(value))
    return totalsReasons(totals, seen, { value, half })
  }
}
