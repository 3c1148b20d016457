import { dateText } from '../log/calendar.js'
import { declaredReasons } from '../verdict/declared.js'
import type { VerdictOptions } from '../verdict/said.js'
import { type SeenTotals, totalsReasons } from '../verdict/totals.js'
import type { Reason } from '../verdict/verdict.js'
import { valuesByDay } from './by-day.js'
import type { PlainEstimate } from './evaluation.js'
import type { ClusterColumn, Moments } from './source/moments.js'
import type { Facts, SumSource } from './source/source.js'
import { one, reward } from './term.js'
import type { Complaint } from './verdict.js'

/** What speaks against every estimate because of where the policy comes from, and of what the user says of the log. */
export function declaredComplaints(
  { target, origin }: Pick<SumSource, 'target' | 'origin'>,
  { usesPropensities, propensitySource }: Pick<Facts, 'usesPropensities' | 'propensitySource'>,
  { said, strict }: VerdictOptions,
): Complaint[] {
  const { reasons } = declaredReasons({
    target,
    said,
    origin,
    propensitySource: usesPropensities ? propensitySource : 'none',
    strict,
  })
  const isAsked = said !== undefined || strict === true
  return complaintsOf(
    reasons.filter(
      ({ code }) =>
        // Propensities that were not logged are a reason of the log already.
        code !== `propensities-${propensitySource}` && (isAsked || code !== 'policy-of-unknown-origin'),
    ),
  )
}

/** What speaks against an estimate because the log does not hold what is known to have happened. */
export function totalsComplaints(
  moments: Moments,
  ways: readonly ClusterColumn[],
  { totals, matters = 0 }: VerdictOptions,
): (estimate: PlainEstimate) => Complaint[] {
  if (!totals) return () => []
  const days = valuesByDay(moments, ways.join('+'))?.map(({ day, rows, meanReward }) => ({
    day: dateText(day),
    rows,
    reward: rows * meanReward,
  }))
  const seen: SeenTotals = { rows: moments.total(one), reward: moments.total(reward), ...(days && { days }) }
  return ({ value, interval }) => {
    if (value === null || interval === null) return complaintsOf(totalsReasons(totals, seen))
    const half = Math.max((interval[1] - interval[0]) / 2, matters * Math.abs(value))
    return complaintsOf(totalsReasons(totals, seen, { value, half }))
  }
}

/** Notes lower nothing. */
const complaintsOf = (reasons: readonly Reason[]): Complaint[] =>
  reasons.flatMap(({ code, level, message, value }) =>
    level === 'note' ? [] : [{ code, level, message, value }],
  )
