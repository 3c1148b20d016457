import type { Segment, Segments } from '../estimate/evaluation.js'
import { counted, formatCount } from '../number-text.js'
import { formatConfidence, formatEstimate, formatSeen, valueDecimals } from './estimate-text.js'
import { noAnswer } from './verdict-text.js'
import { perUnitOf } from './unit.js'

/** A segment as people read it: its label, "(none)" where rows have none, "28 others" where several are gathered. */
export const segmentName = ({ segment, gathers }: Pick<Segment, 'segment' | 'gathers'>): string =>
  gathers !== undefined ? counted(gathers, 'other') : segment === '' ? '(none)' : segment

/** Whether the target earns more or less than the logging policy in a segment: open where its interval covers 0 or the verdict is `refuse`. */
export function segmentOutcome({ differenceInterval, verdict }: Segment): 'more' | 'less' | 'open' {
  if (verdict.level === 'refuse' || differenceInterval === null) return 'open'
  const [low, high] = differenceInterval
  return low > 0 ? 'more' : high < 0 ? 'less' : 'open'
}

/** The segments in a sentence: in how many the target earns more or less than the logging policy, and how many give no answer. */
export function segmentsAnswer({ by, segments }: Segments): string {
  const answered = segments.filter(({ verdict }) => verdict.level !== 'refuse')
  if (answered.length === 0) return noAnswer(`no segment by ${by} has enough data`)
  const count = (outcome: 'more' | 'less' | 'open'): number =>
    answered.filter((segment) => segmentOutcome(segment) === outcome).length
  const [more, less, open] = [count('more'), count('less'), count('open')]
  const refused = segments.length - answered.length
  const parts = [
    more > 0 ? `more than logging in ${more}` : '',
    less > 0 ? `${more > 0 ? 'less' : 'less than logging'} in ${less}` : '',
    open > 0 ? `not detectably different in ${open}` : '',
  ].filter(Boolean)
  const all = `${counted(segments.length, 'segment')} by ${by}`
  const unanswered = refused === 0 ? '' : `; no answer for ${refused}`
  if (more + less === 0)
    return refused === 0
      ? `The target does not differ detectably from logging in any of ${all}`
      : `The target does not differ detectably from logging in ${open} of ${all}${unanswered}`
  return `The target earns ${parts.join(', ')} of ${all}${unanswered}`
}

/** How the intervals account for the number of segments. */
export function looksText({ looks, confidence, eachConfidence }: Segments): string {
  const level = formatConfidence(confidence)
  return looks <= 1
    ? `The interval has a confidence of ${level}`
    : `${looks === 2 ? 'Both' : `All ${looks}`} intervals hold together with ${level} confidence (${formatConfidence(eachConfidence)} each)`
}

/** What a segment earned, for a line of its own: "0.312 against 0.300 logged, from 12,345 rows". */
export function segmentValues({ value, interval, meanReward, rows }: Segment): string {
  if (value === null || meanReward === null) return `${formatCount(rows)} rows`
  const logged = formatSeen(meanReward, valueDecimals(value, interval))
  return `${formatEstimate(value, interval).value} against ${logged} logged, from ${formatCount(rows)} rows`
}

/** The unit of the values. */
export const segmentUnit = ({ per, estimator }: Pick<Segments, 'per' | 'estimator'>): string =>
  `${perUnitOf(estimator)} of the ${per === 'log' ? 'whole log' : 'segment'}`
