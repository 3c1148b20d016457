import type { Plan, TemperaturePoint, Temperatures } from '../estimate/plan/plan-record.js'
import { withoutRule } from '../policy/score-rule.js'
import { VERDICT_SHAPES } from '../words/estimate-text.js'
import { noAnswer, verdictWord } from '../words/verdict-text.js'
import { goalText, rowsLabel } from '../words/plan-text.js'
import {
  isAnswered,
  ownOf,
  temperatureFinding,
  temperatureText,
  temperedGoalText,
  temperedPlace,
} from '../words/temperature-text.js'
import { type Chart, drawChart, type FigureOptions, nothingToDraw } from './chart.js'
import { drawLinePanels, type LinePanel, type PanelLine } from './line-panels.js'
import { tableOf } from './table-cells.js'
import type { Frame } from './theme.js'

/** Effective sample size, error and rows needed by the temperature of the target, with the verdict at each. */
export function temperaturesFigure(plan: Plan, options: FigureOptions): Chart {
  const { temperatures, temperaturesReason, goals, verdict, target } = plan
  if (!temperatures) throw nothingToDraw(temperaturesReason ?? 'the target has no temperature')
  if (temperatures.points.every(({ temperature }) => temperature === null))
    throw nothingToDraw('the only temperature is infinite')
  return drawChart(
    {
      name: 'temperatures',
      title:
        verdict.level === 'refuse' ? noAnswer('the target at other temperatures') : temperatureFinding(plan)!,
      subtitle:
        `${withoutRule(target)} at several temperatures, on this log as it is. Before each temperature the verdict: ` +
        `${VERDICT_SHAPES.trust} trust, ${VERDICT_SHAPES.caution} caution, ${VERDICT_SHAPES.refuse} refuse.`,
      caption:
        'A higher temperature shows items more equally. Where the verdict is refuse, errors and rows are left out. The ' +
        'vertical line is the target’s own temperature.',
      stamp: verdict.level,
      table: tableOf(temperatures.points, [
        { name: 'temperature', label: 'Temperature', of: ({ temperature }) => temperatureText(temperature) },
        { name: 'ess', label: 'ESS', kind: 'count', of: ({ ess }) => ess && Math.round(ess) },
        { name: 'ess_ratio', label: 'ESS/n', kind: 'share', of: 'essRatio' },
        {
          name: 'se_of_value',
          label: 'SE of the value',
          kind: 'number',
          of: answered(({ seOfValue }) => seOfValue),
        },
        {
          name: 'se_of_difference',
          label: 'SE of the difference',
          kind: 'number',
          of: answered(({ seOfDifference }) => seOfDifference),
        },
        ...goals.map((goal, k) => ({
          name: `more_rows_${k + 1}`,
          label: rowsLabel(goal.kind, goal.kind === 'seen' ? 'decide the difference seen' : goalText(goal)),
          kind: 'count' as const,
          of: answered(({ moreRows }) => moreRows[k]!),
        })),
        { name: 'verdict', label: 'Verdict', kind: 'verdict', of: ({ verdict: own }) => verdictWord(own) },
      ]),
      draw: (frame) => draw(frame, plan, temperatures),
    },
    options,
  )
}

/** A number that the verdict on a temperature allows to state. */
const answered = (of: (point: TemperaturePoint) => number | null) => (point: TemperaturePoint) =>
  isAnswered(point) ? of(point) : null

/** At most so many temperatures are written below the axis. */
const MOST_TICKS = { wide: 12, narrow: 5 }

function draw(frame: Frame, plan: Plan, temperatures: Temperatures): ReturnType<typeof drawLinePanels> {
  // An endless temperature has no place on the axis; it stands in the table.
  const points = temperatures.points.filter(({ temperature }) => temperature !== null)
  const own = ownOf(temperatures)
  const every = Math.ceil(points.length / (frame.narrow ? MOST_TICKS.narrow : MOST_TICKS.wide))
  const label = (point: TemperaturePoint): string =>
    `${VERDICT_SHAPES[point.verdict.level]} ${temperatureText(point.temperature)}`
  const line = (of: (point: TemperaturePoint) => number | null): PanelLine => ({
    label: '',
    colour: 'snips',
    points: points.map((point) => ({ x: point.temperature!, mean: of(point), interval: null })),
  })
  return drawLinePanels(frame, {
    intervals: 'bands',
    axis: {
      label: 'Temperature of the target (log scale)',
      isLog: true,
      ticks: points
        .filter((_, k) => k % every === 0)
        .map((point) => ({ at: point.temperature!, text: label(point) })),
      hover: (x) => {
        const point = points.find(({ temperature }) => temperature === x)!
        return `Temperature ${temperatureText(x)}: ${point.verdict.level}`
      },
      ...(own.temperature !== null && {
        mark: { at: own.temperature, text: `the target, ${temperatureText(own.temperature)}` },
      }),
      ends: ['sharper', 'softer'],
    },
    panels: [
      {
        label: frame.narrow ? 'ESS/n' : 'Effective sample size as a share of the rows, ESS/n',
        percent: true,
        includes: [0],
        lines: [line(({ essRatio }) => essRatio)],
      },
      ...answeredPanels(plan, points.filter(isAnswered), line, frame),
    ],
  })
}

/** The error of the value and the rows that are needed, where the verdict allows to say either. */
function answeredPanels(
  plan: Plan,
  answered: readonly TemperaturePoint[],
  line: (of: (point: TemperaturePoint) => number | null) => PanelLine,
  { narrow }: Frame,
): LinePanel[] {
  const place = temperedPlace(plan)
  const panel = (label: string, of: (point: TemperaturePoint) => number | null): LinePanel => ({
    label,
    includes: [0],
    lines: [line((point) => (isAnswered(point) ? of(point) : null))],
  })
  return [
    ...(answered.some(({ seOfValue }) => seOfValue !== null)
      ? [panel('Standard error of the value', ({ seOfValue }) => seOfValue)]
      : []),
    ...(place !== undefined && answered.some(({ moreRows }) => moreRows[place] != null)
      ? [
          panel(
            narrow ? 'More rows needed' : rowsLabel(plan.goals[place]!.kind, temperedGoalText(plan, place)),
            ({ moreRows }) => moreRows[place] ?? null,
          ),
        ]
      : []),
  ]
}
