import type { Segment, Segments } from '../estimate/evaluation.js'
import { formatCount } from '../number-text.js'
import { formatConfidence, VERDICT_SHAPES } from '../words/estimate-text.js'
import {
  looksText,
  segmentName,
  segmentOutcome,
  segmentsAnswer,
  segmentUnit,
  segmentValues,
} from '../words/segment-text.js'
import { intervalTable, OUTCOME_STYLE, type Row } from './interval-table.js'
import { LEVEL_STYLE } from './verdict-text.js'
import { bullet, WIDTH, wrap } from './format.js'
import { onOneLine, type Terminal } from './terminal.js'

/** The segments of a log for a terminal of 80 columns: the answer, the differences drawn, then each with its verdict. */
export function segmentsText(segments: Segments, terminal: Terminal): string {
  const names = [segments.by, 'difference', `${formatConfidence(segments.confidence)} CI`, 'ESS'] as const
  const reference = { at: 0, label: 'logging' }
  return [
    terminal.style('bold', `By ${segments.by}`),
    wrap(onOneLine(`${segmentsAnswer(segments)}.`), WIDTH),
    '',
    ...intervalTable(segments.segments.map(rowOf), { names, reference }, terminal),
    wrap(
      `┊ no difference from logging on the same rows; reward ${segmentUnit(segments)} (${segments.estimator})`,
      WIDTH,
      '  ',
    ),
    wrap(`${looksText(segments)}.`, WIDTH, '  '),
    ...segments.notes.map((note) => wrap(note, WIDTH, '  ')),
    '',
    ...segments.segments.map((segment) => lineOf(segment, terminal)),
  ].join('\n')
}

function rowOf(segment: Segment): Row {
  const { difference, differenceInterval, ess, verdict, reason } = segment
  return {
    label: segmentName(segment),
    value: difference,
    interval: differenceInterval,
    reason: difference === null ? (reason ?? verdict.reasons[0]?.message) : undefined,
    style: { more: OUTCOME_STYLE.better, less: OUTCOME_STYLE.worse, open: undefined }[
      segmentOutcome(segment)
    ],
    after: ess === null ? '' : formatCount(Math.round(ess)),
    shape: verdict.level,
  }
}

/** A segment with its verdict: what it earned, and what speaks against it. */
function lineOf(segment: Segment, terminal: Terminal): string {
  const { verdict } = segment
  const sign = terminal.style(LEVEL_STYLE[verdict.level], `${VERDICT_SHAPES[verdict.level]} ${verdict.level}`)
  const reasons = verdict.level === 'trust' ? [] : verdict.reasons.map(({ message }) => bullet(message))
  return [`${sign}  ${onOneLine(segmentName(segment))}: ${segmentValues(segment)}`, ...reasons].join('\n')
}
