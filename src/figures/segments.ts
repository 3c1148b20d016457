import type { Segment, Segments, Verdict } from '../estimate/evaluation.js'
import { formatCount } from '../number-text.js'
import { formatConfidence, formatEstimate, rangeText } from '../words/estimate-text.js'
import { jointLevel, noAnswer, verdictWord } from '../words/verdict-text.js'
import {
  looksText,
  segmentName,
  segmentOutcome,
  segmentsAnswer,
  segmentUnit,
  segmentValues,
} from '../words/segment-text.js'
import { segmentStopText } from '../words/stop-text.js'
import { perUnitOf } from '../words/unit.js'
import { sentences } from '../words/seed-text.js'
import { type Chart, type Dial, drawChart, type FigureOptions, nothingToDraw } from './chart.js'
import { type IntervalPicture, type IntervalRow, middleHalf } from './interval-layout.js'
import { arrowSentence, drawIntervalRows } from './interval-rows.js'
import { tableOf } from './table-cells.js'
import { groundsOf } from '../verdict/verdict.js'

/** Segments and, where it is at hand, the verdict on the whole log: where that is `refuse`, the title states no finding. */
export interface SegmentsInput extends Segments {
  readonly whole?: Pick<Verdict, 'level'>
}

/**
 * What the target earns more or less than the logging policy in each segment of a log, with intervals that hold for
 * all segments at once. Rings: no detectable difference, or no answer.
 */
export function segmentsFigure(segments: SegmentsInput, options: FigureOptions): Chart {
  if (segments.segments.length === 0) throw nothingToDraw('the log has no segments')
  const isRefused = segments.whole?.level === 'refuse'
  const level = formatConfidence(segments.confidence)
  const rows = segments.segments.map((segment) => rowOf(segment, segments))
  const picture: IntervalPicture = {
    rows,
    axis: `Difference in ${segments.per === 'log' ? 'contribution' : 'mean reward'} ${perUnitOf(segments.estimator)}`,
    lines: [{ at: 0, label: 'same as logging', colour: 'logged' }],
    isDialled: true,
  }
  return drawChart(
    {
      name: 'segments',
      title: isRefused ? noAnswer('its segments, each with its own verdict') : segmentsAnswer(segments),
      subtitle: sentences(
        `Reward ${segmentUnit(segments)} minus that of the logging policy on the same rows. ${looksText(segments)}.`,
        rows.some(({ inner }) => inner) ? 'Thick: 50 % intervals, each on its own.' : '',
        rows.some(({ hollow, value }) => hollow && value !== null) ? 'Ring: no detectable difference.' : '',
        arrowSentence(picture),
      ),
      caption: [
        'ESS, the effective sample size, is how many equally weighted impressions would be as informative.',
        ...segments.notes,
      ].join(' '),
      stamp: isRefused ? 'refuse' : jointLevel(segments.segments.map(({ verdict }) => verdict.level)),
      dials: segments.segments.length > 1 ? [dialOf(segments)] : [],
      table: tableOf(segments.segments, [
        { name: 'segment', label: segments.by, of: segmentName },
        { name: 'rows', label: 'Rows', kind: 'count', of: 'rows' },
        { name: 'logged', label: 'Logged', kind: 'number', of: 'meanReward' },
        { name: 'value', label: 'Target', kind: 'number', of: 'value' },
        { name: 'difference', label: 'Difference', kind: 'number', of: 'difference' },
        { name: 'lower', label: `Lower ${level}`, kind: 'number', of: (one) => one.differenceInterval?.[0] },
        { name: 'upper', label: `Upper ${level}`, kind: 'number', of: (one) => one.differenceInterval?.[1] },
        { name: 'ess', label: 'ESS', kind: 'count', of: ({ ess }) => ess && Math.round(ess) },
        { name: 'verdict', label: 'Verdict', kind: 'verdict', of: ({ verdict }) => verdictWord(verdict) },
        { name: 'reason', label: 'Why', of: ({ verdict }) => groundsOf(verdict) || null },
      ]),
      draw: (frame) => drawIntervalRows(frame, picture),
    },
    options,
  )
}

/** A choice of one segment: what the target earns there. */
const dialOf = (segments: Segments): Dial => ({
  label: `Segment by ${segments.by}`,
  kind: 'choice',
  start: 0,
  stops: [
    { at: 'all segments', text: `${looksText(segments)}.`, strip: null },
    ...segments.segments.map((segment, strip) => ({
      at: segmentName(segment),
      text: segmentStopText(segment, segments.confidence),
      tag: { text: verdictWord(segment.verdict), level: segment.verdict.level },
      strip,
    })),
  ],
})

function rowOf(segment: Segment, { confidence, eachConfidence }: Segments): IntervalRow {
  const level = formatConfidence(confidence)
  const { difference, differenceInterval: interval, verdict, ess } = segment
  const label = segmentName(segment)
  const word = verdictWord(verdict)
  const size = ess === null ? '' : `, ESS ${formatCount(Math.round(ess))}`
  const tag = { text: `${word}${size}`, colour: verdict.level }
  const grounds = groundsOf(verdict)
  if (difference === null) {
    const reason = segment.reason ?? grounds
    return {
      label,
      colour: 'ink',
      value: null,
      interval: null,
      reason,
      tag,
      written: { value: '', interval: null },
      title: `${label}\nno value: ${reason}`,
    }
  }
  const written = formatEstimate(difference, interval)
  const inner = verdict.level === 'refuse' ? undefined : middleHalf(difference, interval, eachConfidence)
  const signed = difference > 0 ? `+${written.value}` : written.value
  return {
    label,
    colour: 'ink',
    value: difference,
    interval,
    ...(inner && { inner }),
    hollow: segmentOutcome(segment) === 'open',
    written: { value: signed, interval: written.interval },
    tag,
    title: [
      `${label}: ${signed}`,
      rangeText(written.interval, level),
      segmentValues(segment),
      `${word}${grounds ? `: ${grounds}` : ''}`,
    ].join('\n'),
  }
}
