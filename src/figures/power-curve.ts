import type { CurvePoint, Plan } from '../estimate/plan/plan-record.js'
import { counted, formatCount, formatTick } from '../number-text.js'
import { formatConfidence } from '../words/estimate-text.js'
import { noAnswer } from '../words/verdict-text.js'
import { mainGoal, powerFinding, sizeText } from '../words/plan-text.js'
import { perUnitOf } from '../words/unit.js'
import { type Chart, drawChart, type FigureOptions } from './chart.js'
import { drawLinePanels, type PanelLine } from './line-panels.js'
import { tableOf } from './table-cells.js'
import type { Frame } from './theme.js'
import { logTicks } from './axes.js'

/** The probability that a larger log decides a difference, and the width of its interval, by the size of the log. */
export function powerCurve(plan: Plan, options: FigureOptions): Chart {
  const { curve, confidence, power, target, against, verdict, log } = plan
  const level = formatConfidence(confidence)
  const isRefused = verdict.level === 'refuse'
  return drawChart(
    {
      name: 'power-curve',
      title: isRefused ? noAnswer('power curves not to rely on') : powerFinding(plan),
      subtitle:
        `Probability that the ${level} CI of the difference between ${target} and ${against} excludes 0, and the width ` +
        `of that CI, for logs that continue like this one. Horizontal line: ${formatConfidence(power)}.`,
      caption:
        'A larger log is assumed to have proportionally more users' +
        (log.days === null ? '' : ' and days') +
        ', whose clicks vary as much as those of this one. The vertical line is the log as it is.',
      stamp: verdict.level,
      table: tableOf(curve, [
        { name: 'rows', label: 'Rows', kind: 'count', of: 'rows' },
        { name: 'users', label: 'Users', kind: 'count', of: 'users' },
        { name: 'days', label: 'Days', kind: 'count', of: 'days' },
        { name: 'seen', label: 'Decides the difference seen', kind: 'share', of: 'seen' },
        { name: 'detect', label: 'Decides the difference of interest', kind: 'share', of: 'detect' },
        {
          name: 'detectable',
          label: `Difference found with ${formatConfidence(power)}`,
          kind: 'number',
          of: 'detectable',
        },
        { name: 'width_of_value', label: 'Width of the CI of the value', kind: 'number', of: 'widthOfValue' },
        {
          name: 'width_of_difference',
          label: 'Width of the CI of the difference',
          kind: 'number',
          of: 'widthOfDifference',
        },
      ]),
      draw: (frame) => draw(frame, plan),
    },
    options,
  )
}

function draw(frame: Frame, plan: Plan): ReturnType<typeof drawLinePanels> {
  const { curve, log, power, goals } = plan
  const rows = curve.map((point) => point.rows)
  const detect = goals.find(({ kind }) => kind === 'detect')
  const seen = goals[0]!
  const line = (
    label: string,
    colour: PanelLine['colour'],
    of: (point: CurvePoint) => number,
  ): PanelLine => ({
    label,
    colour,
    points: curve.map((point) => ({ x: point.rows, mean: of(point), interval: null })),
  })
  const { needed } = mainGoal(plan)
  const ticks = logTicks(rows[0]! * 0.999, rows.at(-1)! * 1.001, frame.narrow ? 5 : 8)
  return drawLinePanels(frame, {
    intervals: 'bands',
    mostDots: 0,
    axis: {
      label: 'Rows of the log (log scale)',
      isLog: true,
      ticks: ticks.map((at) => ({ at, text: formatTick(at) })),
      hover: (x) => hoverText(curve, x),
      mark: { at: log.rows, text: `this log, ${formatTick(log.rows)} rows` },
      ...(needed && needed.factor > 1 && { ends: ['smaller log', 'larger log'] as const }),
    },
    panels: [
      {
        label: frame.narrow ? 'Probability of deciding' : 'Probability that the difference is decided',
        isTall: true,
        percent: true,
        includes: [0, 1],
        level: power,
        lines: [
          line(`${sizeText(seen.size)}, as seen`, 'snips', (point) => point.seen),
          ...(detect ? [line(`${sizeText(detect.size)}, of interest`, 'dr', (point) => point.detect!)] : []),
        ],
      },
      {
        label: frame.narrow ? 'Width of the CI' : `Width of the CI, reward ${perUnitOf(plan.estimator)}`,
        includes: [0],
        lines: [
          line('CI of the difference', 'muted', (point) => point.widthOfDifference),
          { ...line('CI of the value', 'logged', (point) => point.widthOfValue), dashed: true },
        ],
      },
    ],
  })
}

function hoverText(curve: readonly CurvePoint[], rows: number): string {
  const point = curve.find((one) => one.rows === rows)!
  const days = point.days === null ? '' : `, ${counted(point.days, 'day')}`
  return `${formatCount(rows)} rows, ${counted(point.users, 'user')}${days} (${Number(point.factor.toPrecision(2))} × this log)`
}
