import { comparisonAnswer, judgedDifferences, outcomeOf } from '../words/difference-text.js'
import type { DifferencesInput, JudgedDifference } from '../words/difference-text.js'
import { formatConfidence, formatEstimate, formatPValue, VERDICT_SHAPES } from '../words/estimate-text.js'
import { perUnitOf } from '../words/unit.js'
import { drawChart } from './chart.js'
import type { Chart, FigureOptions } from './chart.js'
import { nothingToDraw } from './nothing-to-draw.js'
import { arrowSentence, drawIntervalRows } from './interval-rows.js'
import type { IntervalPicture, IntervalRow } from './interval-rows.js'
import { tableNumbers } from './table-cells.js'

/**
 * What each policy would have earned more or less than the baseline, with the interval of the paired
 * difference, which is far tighter than two intervals side by side. Rings: not significant after correction.
 */
export function differencesFigure(comparison: DifferencesInput, options: FigureOptions): Chart {
  const { baseline, confidence } = comparison
  const others = judgedDifferences(comparison)
  if (others.length === 0) throw nothingToDraw('there is no policy to compare with the baseline')
  const level = formatConfidence(confidence)
  const rows = others.map((other) => rowOf(other, level, confidence))
  const picture: IntervalPicture = {
    rows,
    axis: `Difference in mean reward ${perUnitOf(comparison.estimator)}`,
    lines: [{ at: 0, label: `same as ${baseline}`, colour: 'logged' }],
  }
  return drawChart(
    {
      name: 'differences',
      title: comparisonAnswer(comparison),
      subtitle: [
        `Mean reward minus that of ${baseline} on the same rows, with ${level} intervals.`,
        rows.some(({ hollow, value }) => hollow && value !== null)
          ? `Ring: not significant${others.length > 1 ? ` after correction for ${others.length} comparisons` : ''}.`
          : '',
        arrowSentence(picture),
      ]
        .filter(Boolean)
        .join(' '),
      caption:
        'Both policies are estimated on the same impressions, so shared noise cancels and the interval of the difference ' +
        'is tighter than their own intervals suggest. The table has p-values before and after correction.',
      table: {
        columns: [
          { name: 'target', label: 'Policy' },
          { name: 'difference', label: `Minus ${baseline}`, kind: 'number' },
          { name: 'lower', label: `Lower ${level}`, kind: 'number' },
          { name: 'upper', label: `Upper ${level}`, kind: 'number' },
          { name: 'p_value', label: 'p', kind: 'number' },
          { name: 'adjusted_p_value', label: 'p corrected', kind: 'number' },
          { name: 'verdict', label: 'Verdict' },
        ],
        rows: others.map(({ target, difference, interval, pValue, adjustedPValue, verdict }) => [
          target,
          ...tableNumbers([difference, interval?.[0], interval?.[1], pValue, adjustedPValue]),
          verdict.level,
        ]),
      },
      draw: (frame) => drawIntervalRows(frame, picture),
    },
    options,
  )
}

function rowOf(other: JudgedDifference, level: string, confidence: number): IntervalRow {
  const { target, difference, interval, pValue, adjustedPValue, verdict } = other
  const tag = { text: `${VERDICT_SHAPES[verdict.level]} ${verdict.level}`, colour: verdict.level }
  const grounds = verdict.reasons[0]?.message ?? ''
  const base = { label: target, colour: 'ink', tag } as const
  if (difference === null || !Number.isFinite(difference)) {
    const written = { value: '', interval: null }
    const reason = other.reason ?? grounds
    return { ...base, value: null, interval: null, reason, written, title: `${target}\nno value: ${reason}` }
  }
  const { value, interval: between } = formatEstimate(difference, interval)
  const signed = difference > 0 ? `+${value}` : value
  return {
    ...base,
    value: difference,
    interval,
    hollow: outcomeOf(other, confidence) === 'open',
    written: { value: signed, interval: between },
    title: [
      `${target}: ${signed}`,
      between === null ? 'no interval' : `${level} CI ${between}`,
      pValue === null ? '' : `${formatPValue(pValue)}, ${formatPValue(adjustedPValue)} corrected`,
      `${tag.text}${grounds ? `: ${grounds}` : ''}`,
    ]
      .filter(Boolean)
      .join('\n'),
  }
}
