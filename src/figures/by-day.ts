import { type DayValues, wholeDays } from '../estimate/by-day.js'
import { dateText } from '../log/days.js'
import { normalQuantile } from '../normal.js'
import { counted } from '../number-text.js'
import { byDayFinding } from '../words/by-day-finding.js'
import { formatConfidence } from '../words/estimate-text.js'
import { noAnswer } from '../words/verdict-text.js'
import { type Chart, type FigureOptions, type JudgedInput, drawChart, nothingToDraw } from './chart.js'
import { type LinePicture, type PanelLine, drawLinePanels } from './line-panels.js'
import { tableOf } from './table-cells.js'

export interface ByDayInput extends JudgedInput {
  /** In the order of time, as `valuesByDay` gives them. */
  readonly days: readonly DayValues[]
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** "5 Jan". */
function shortDate(day: number): string {
  const [, month, date] = dateText(day).split('-')
  return `${Number(date)} ${MONTHS[Number(month) - 1]}`
}

/** Days named on the axis, at most five, evenly apart; whole weeks where there are enough. */
function namedDays(first: number, last: number): number[] {
  const span = last - first
  const step = span > 28 ? 7 * Math.ceil(span / 28) : Math.max(1, Math.ceil(span / 4))
  return Array.from({ length: Math.floor(span / step) + 1 }, (_, k) => first + k * step)
}

/**
 * The value of the target, what was logged and the mean weight, day by day. Where days differ by more than their
 * intervals, an interval over users alone is too narrow; where the mean weight leaves 1, propensities changed.
 */
export function byDayFigure({ days, confidence = 0.95, verdict }: ByDayInput, options: FigureOptions): Chart {
  if (days.length === 0) throw nothingToDraw('there are no days')
  const drawn = wholeDays(days)
  const leftOut = days.length - drawn.length
  const z = normalQuantile((1 + confidence) / 2)
  const around = (mean: number, se: number | null): [number, number] | null =>
    se === null ? null : [mean - z * se, mean + z * se]
  const line = (
    colour: PanelLine['colour'],
    label: string,
    of: (one: DayValues) => { mean: number; interval: readonly [number, number] | null },
  ): PanelLine => ({ label, colour, points: drawn.map((one) => ({ x: one.day, ...of(one) })) })
  const level = formatConfidence(confidence)
  const picture: LinePicture = {
    intervals: 'bars',
    panels: [
      {
        label: 'Value of the target per impression (IPS)',
        isTall: true,
        includes: [0],
        cutsIntervals: true,
        lines: [
          line('ips', 'target', ({ value, valueSe }) => ({ mean: value, interval: around(value, valueSe) })),
        ],
      },
      {
        label: 'Mean reward per impression as logged',
        includes: [0],
        lines: [line('logged', 'logging policy', ({ meanReward }) => ({ mean: meanReward, interval: null }))],
      },
      {
        label: 'Mean importance weight (should be 1)',
        level: 1,
        cutsIntervals: true,
        lines: [
          line('ink', 'weight', ({ meanWeight, meanWeightSe }) => ({
            mean: meanWeight,
            interval: around(meanWeight, meanWeightSe),
          })),
        ],
      },
    ],
    axis: {
      label: 'Day (UTC)',
      ticks: namedDays(drawn[0]!.day, drawn.at(-1)!.day).map((at) => ({ at, text: shortDate(at) })),
      hover: (day) => dateText(day),
    },
  }
  return drawChart(
    {
      name: 'by-day',
      title:
        verdict?.level === 'refuse' ? noAnswer('values, rewards and weights by day') : byDayFinding(days),
      subtitle: `${counted(drawn.length, 'day')}, each alone: what the target would have earned by IPS and the mean weight, with ${level} intervals that treat the rows of a day as independent, and what was logged.`,
      caption:
        'Where days differ by more than their intervals, something else changes from day to day: intervals by user and day ' +
        'account for it, those by user alone do not. A mean weight far from 1 on some days means that their propensities are wrong.' +
        (leftOut === 0
          ? ''
          : ` Not drawn: ${counted(leftOut, 'day')} with too few rows, such as the last one of a log that ends in it; the table has ${leftOut === 1 ? 'it' : 'them'}.`),
      ...(verdict && { stamp: verdict.level }),
      table: tableOf(days, [
        { name: 'day', label: 'Day', of: ({ day }) => dateText(day) },
        { name: 'rows', label: 'Rows', kind: 'count', of: 'rows' },
        { name: 'value', label: 'Value (IPS)', kind: 'number', of: 'value' },
        { name: 'value_se', label: 'Standard error', kind: 'number', of: 'valueSe' },
        { name: 'mean_reward', label: 'Mean reward as logged', kind: 'number', of: 'meanReward' },
        { name: 'mean_weight', label: 'Mean weight', kind: 'number', of: 'meanWeight' },
        { name: 'mean_weight_se', label: 'Its standard error', kind: 'number', of: 'meanWeightSe' },
      ]),
      draw: (frame) => drawLinePanels(frame, picture),
    },
    options,
  )
}
