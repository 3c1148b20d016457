import type { Difference } from '../estimate/comparison.js'
import { allOf, comparisonAnswer, formatLift, settledAs } from '../words/difference-text.js'
import type { DifferencesInput } from '../words/difference-text.js'
import { formatConfidence, formatEstimate, formatPValue } from '../words/estimate-text.js'
import { perUnitOf } from '../words/unit.js'
import { jointLevel, verdictWord } from '../words/verdict-text.js'
import { sentences } from '../words/seed-text.js'
import { type Chart, drawChart, type FigureOptions, nothingToDraw, type Table } from './chart.js'
import { type IntervalPicture, type IntervalRow, middleHalf } from './interval-layout.js'
import { arrowSentence, drawIntervalRows } from './interval-rows.js'
import { tableOf } from './table-cells.js'
import { groundsOf } from '../verdict/verdict.js'

/**
 * What each policy would have earned more or less than the baseline, with the interval of the paired
 * difference, which is far tighter than two intervals side by side. Thin: the intervals of all policies at once;
 * thick: 50 %, each as if it were the only one. Rings: not significant among all.
 */
export function differencesFigure(comparison: DifferencesInput, options: FigureOptions): Chart {
  const { baseline, confidence, differences: others } = comparison
  if (others.length === 0) throw nothingToDraw('there is no policy to compare with the baseline')
  const level = formatConfidence(confidence)
  const rows = others.map((other) => rowOf(other, comparison))
  const picture: IntervalPicture = {
    rows,
    axis: `Difference in mean reward ${perUnitOf(comparison.estimator)}`,
    lines: [{ at: 0, label: `same as ${baseline}`, colour: 'logged' }],
  }
  const isOne = others.length === 1
  return drawChart(
    {
      name: 'differences',
      title: comparisonAnswer(comparison),
      subtitle: sentences(
        `Mean reward minus that of ${baseline} on the same rows, and as a share of it.`,
        isOne
          ? `Thin line: ${level} interval; thick: 50 %.`
          : `Thin lines: ${level} intervals that hold for ${allOf(others.length, 'policies')} at once; thick: 50 % intervals, each on its own.`,
        rows.some(({ hollow, value }) => hollow && value !== null) ? 'Ring: not significant.' : '',
        arrowSentence(picture),
      ),
      caption:
        `${isOne ? 'Both' : 'All'} policies are estimated on the same impressions, so shared noise cancels and the interval of the difference ` +
        'is tighter than their own intervals suggest. The table has values, lifts, and p-values before and after correction.',
      stamp: jointLevel(others.map(({ verdict }) => verdict.level)),
      table: differenceTable(comparison, level),
      draw: (frame) => drawIntervalRows(frame, picture),
    },
    options,
  )
}

function differenceTable({ baseline, differences }: DifferencesInput, level: string): Table {
  const isOne = differences.length === 1
  const whose = isOne ? '' : ', all at once'
  return tableOf(differences, [
    { name: 'target', label: 'Policy', of: 'target' },
    { name: 'value', label: 'Mean reward', kind: 'number', of: 'value' },
    { name: 'difference', label: `Minus ${baseline}`, kind: 'number', of: 'difference' },
    { name: 'lower', label: `Lower ${level}`, kind: 'number', of: ({ interval }) => interval?.[0] },
    { name: 'upper', label: `Upper ${level}`, kind: 'number', of: ({ interval }) => interval?.[1] },
    ...(['lower', 'upper'] as const).map((end, k) =>
      isOne
        ? null
        : {
            name: `simultaneous_${end}`,
            label: `${end === 'lower' ? 'Lower' : 'Upper'} ${level}, all at once`,
            kind: 'number' as const,
            of: ({ simultaneous }: Difference) => simultaneous?.[k],
          },
    ),
    { name: 'lift', label: 'Lift', kind: 'rate', of: ({ lift }) => lift?.value },
    {
      name: 'lift_lower',
      label: `Lift, lower${whose}`,
      kind: 'rate',
      of: ({ lift }) => lift?.simultaneous?.[0],
    },
    {
      name: 'lift_upper',
      label: `Lift, upper${whose}`,
      kind: 'rate',
      of: ({ lift }) => lift?.simultaneous?.[1],
    },
    { name: 'p_value', label: 'p', kind: 'number', of: 'pValue' },
    isOne
      ? null
      : { name: 'adjusted_p_value', label: 'p, all at once', kind: 'number', of: 'adjustedPValue' },
    { name: 'action', label: 'What to do', of: ({ action }) => action.replace('-', ' ') },
    { name: 'verdict', label: 'Verdict', kind: 'verdict', of: ({ verdict }) => verdictWord(verdict) },
  ])
}

function rowOf(other: Difference, { confidence, differences }: DifferencesInput): IntervalRow {
  const { target, difference, interval, simultaneous, pValue, adjustedPValue, verdict } = other
  const level = formatConfidence(confidence)
  const isOne = differences.length === 1
  const tag = { text: verdictWord(verdict), colour: verdict.level }
  const grounds = groundsOf(verdict)
  const settled = settledAs(other)
  const base = { label: target, colour: settled === 'open' ? 'undecided' : settled, tag } as const
  if (difference === null || !Number.isFinite(difference)) {
    const written = { value: '', interval: null }
    const reason = other.reason ?? grounds
    return { ...base, value: null, interval: null, reason, written, title: `${target}\nno value: ${reason}` }
  }
  const { value, interval: between } = formatEstimate(difference, simultaneous)
  const signed = difference > 0 ? `+${value}` : value
  const lift = formatLift(other.lift)
  const inner = verdict.level === 'refuse' ? undefined : middleHalf(difference, interval, confidence)
  return {
    ...base,
    value: difference,
    interval: simultaneous,
    ...(inner && { inner }),
    hollow: settled === 'open',
    written: {
      value: lift ? `${signed} · ${lift.value}` : signed,
      interval: between,
      brief: signed,
    },
    title: [
      `${target}: ${signed}`,
      between === null ? 'no interval' : `${level} CI ${between}${isOne ? '' : ', for all policies at once'}`,
      lift ? `lift ${lift.value}${lift.interval === null ? '' : ` (${lift.interval})`}` : '',
      pValue === null ? '' : formatPValue(isOne ? pValue : adjustedPValue),
      `${tag.text}${grounds ? `: ${grounds}` : ''}`,
    ]
      .filter(Boolean)
      .join('\n'),
  }
}
