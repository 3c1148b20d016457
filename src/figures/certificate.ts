import type { Bounded, Certificate } from '../train/certificate.js'
import { certificateTitle } from '../words/certificate-text.js'
import { formatConfidence, formatEstimate } from '../words/estimate-text.js'
import { verdictWord } from '../words/verdict-text.js'
import { sentences } from '../words/seed-text.js'
import { type Chart, drawChart, type FigureOptions } from './chart.js'
import type { IntervalPicture, IntervalRow } from './interval-layout.js'
import { arrowSentence, drawIntervalRows } from './interval-rows.js'
import { tableOf } from './table-cells.js'
import { groundsOf } from '../verdict/verdict.js'

/** What the learnt and the logging policy earn on the test impressions, and by how much they differ, each with its lower bound. */
export function certificateFigure(certificate: Certificate, options: FigureOptions): Chart {
  const { policy, logging, difference, confidence } = certificate
  const level = formatConfidence(confidence)
  const named = [
    { label: 'learnt policy', ...policy },
    { label: 'logging policy', ...logging },
    { label: 'difference', ...difference },
  ]
  const picture: IntervalPicture = {
    rows: named.map((one) => rowOf(one, level)),
    axis: 'Mean reward per impression',
    lines: [{ at: 0, label: 'no difference', colour: 'logged' }],
  }
  return drawChart(
    {
      name: 'certificate',
      title: certificateTitle(certificate),
      subtitle: sentences(
        `Estimates on the test impressions. The left end of each line is the least that is earned, with ${level} confidence.`,
        arrowSentence(picture),
      ),
      caption:
        'The test impressions were used neither to train nor to choose the epoch. Policies are compared on the same rows, ' +
        'so shared noise cancels in the difference. The true value lies beyond a given end in at most one of twenty such logs.',
      stamp: decisive(certificate).verdict.level,
      table: tableOf(named, [
        { name: 'what', label: 'What', of: 'label' },
        { name: 'value', label: 'Mean reward', kind: 'number', of: 'value' },
        { name: 'at_least', label: `At least (${level})`, kind: 'number', of: 'atLeast' },
        { name: 'at_most', label: `At most (${level})`, kind: 'number', of: 'atMost' },
        { name: 'verdict', label: 'Verdict', kind: 'verdict', of: ({ verdict }) => verdictWord(verdict) },
      ]),
      draw: (frame) => drawIntervalRows(frame, picture),
    },
    options,
  )
}

/** What the title speaks of. */
const decisive = ({ decision, policy, difference }: Certificate): Bounded =>
  decision === 'launch' ? difference : policy

function rowOf(
  { label, value, atLeast, atMost, verdict }: Bounded & { readonly label: string },
  level: string,
): IntervalRow {
  const interval = atLeast === null || atMost === null ? null : ([atLeast, atMost] as const)
  const tag = { text: verdictWord(verdict), colour: verdict.level }
  const reason = groundsOf(verdict)
  if (interval === null || value === null)
    return {
      label,
      colour: 'ink',
      tag,
      value: null,
      interval: null,
      reason,
      written: { value: '', interval: null },
      title: `${label}\nno value: ${reason}`,
    }
  const written = formatEstimate(value, interval)
  return {
    label,
    colour: 'ink',
    tag,
    value,
    interval,
    written,
    title: `${label}: ${written.value}\nat least ${formatEstimate(atLeast!, interval).value} with ${level} confidence\n${tag.text}: ${reason}`,
  }
}
