import type { Exploration, ExplorationPoint, Plan } from '../estimate/plan/plan-record.js'
import { formatShare, shareTick } from '../number-text.js'
import { noAnswer } from '../words/verdict-text.js'
import { explorationFinding, exploredPlace, goalText, rowsLabel } from '../words/plan-text.js'
import { type Chart, drawChart, type FigureOptions, nothingToDraw } from './chart.js'
import { drawLinePanels, type LinePanel, type PanelLine } from './line-panels.js'
import { tableOf } from './table-cells.js'
import type { Frame } from './theme.js'
import { logTicks } from './axes.js'

/** Effective sample size, rows needed and cost, by the share of items shown at random. */
export function explorationFigure(plan: Plan, options: FigureOptions): Chart {
  const { exploration, explorationReason, goals, verdict, target } = plan
  const explored = exploration?.points.filter(({ epsilon }) => epsilon > 0) ?? []
  if (!exploration || explored.length === 0)
    throw nothingToDraw(explorationReason ?? 'no share of random items was asked for')
  const isRefused = verdict.level === 'refuse'
  // A refused plan states no size.
  const planned = isRefused ? [] : goals
  return drawChart(
    {
      name: 'exploration',
      title: isRefused ? noAnswer('what random items might buy') : explorationFinding(plan)!,
      subtitle:
        `Expected for a logger that shows a random item with probability ε and otherwise chooses as today; target: ` +
        `${target}. Horizontal lines: today’s logger.`,
      caption:
        'From the rows of this log alone. A random item is drawn from all items, each equally likely. The cost is how ' +
        'much less random items earn than the logging policy, by SNIPS, with a band of two standard errors either way.',
      stamp: verdict.level,
      table: tableOf(exploration.points, [
        { name: 'epsilon', label: 'Random items', kind: 'share', isExact: true, of: 'epsilon' },
        { name: 'ess', label: 'ESS at today’s size', kind: 'count', of: ({ ess }) => Math.round(ess) },
        { name: 'ess_ratio', label: 'ESS/n', kind: 'share', of: 'essRatio' },
        { name: 'se_of_value', label: 'SE of the value', kind: 'number', of: 'seOfValue' },
        { name: 'se_of_difference', label: 'SE of the difference', kind: 'number', of: 'seOfDifference' },
        ...planned.map((goal, k) => ({
          name: `more_rows_${k + 1}`,
          label: rowsLabel(goal.kind, goalText(goal)),
          kind: 'count' as const,
          of: ({ moreRows }: ExplorationPoint) => moreRows[k]!,
        })),
        { name: 'cost', label: 'Cost per impression', kind: 'number', of: 'cost' },
        { name: 'cost_se', label: 'SE of the cost', kind: 'number', of: 'costSe' },
      ]),
      draw: (frame) => draw(frame, plan, exploration),
    },
    options,
  )
}

function draw(frame: Frame, plan: Plan, { points }: Exploration): ReturnType<typeof drawLinePanels> {
  const [today, ...explored] = points
  const shares = explored.map(({ epsilon }) => epsilon)
  const ticks = logTicks(shares[0]! * 0.999, shares.at(-1)! * 1.001, frame.narrow ? 5 : 8)
  const line = (colour: PanelLine['colour'], of: (point: ExplorationPoint) => number): PanelLine => ({
    label: 'with random items',
    colour,
    points: explored.map((point) => ({ x: point.epsilon, mean: of(point), interval: null })),
  })
  return drawLinePanels(frame, {
    intervals: 'bands',
    axis: {
      label: 'Share of random items, ε (log scale)',
      isLog: true,
      ticks: ticks.map((at) => ({ at, text: shareTick(at) })),
      hover: (x) => `${formatShare(x)} random items`,
    },
    panels: [
      {
        label: frame.narrow ? 'ESS/n' : 'Effective sample size as a share of the rows, ESS/n',
        percent: true,
        includes: [0],
        level: today!.essRatio,
        lines: [line('snips', ({ essRatio }) => essRatio)],
      },
      ...(plan.verdict.level === 'refuse' ? [] : [neededPanel(plan, today!, line, frame)]),
      {
        label: frame.narrow ? 'Cost per impression' : 'Reward given up per impression meanwhile',
        level: 0,
        lines: [
          {
            ...line('ips', ({ cost }) => cost),
            points: explored.map(({ epsilon, cost, costSe }) => ({
              x: epsilon,
              mean: cost,
              interval: costSe === null ? null : ([cost - 2 * costSe, cost + 2 * costSe] as const),
            })),
          },
        ],
      },
    ],
  })
}

/** Rows that the main goal needs; where it needs none, or that is not known, the standard error. */
function neededPanel(
  plan: Plan,
  today: ExplorationPoint,
  line: (colour: PanelLine['colour'], of: (point: ExplorationPoint) => number) => PanelLine,
  { narrow }: Frame,
): LinePanel {
  const place = exploredPlace(plan)
  if (place !== undefined)
    return {
      label: narrow ? 'More rows needed' : rowsLabel(plan.goals[place]!.kind, goalText(plan.goals[place]!)),
      includes: [0],
      level: today.moreRows[place]!,
      lines: [line('snips', ({ moreRows }) => moreRows[place]!)],
    }
  const se = (point: ExplorationPoint): number => point.seOfDifference ?? point.seOfValue
  return {
    label: `Standard error of the ${today.seOfDifference === null ? 'value' : 'difference'}`,
    includes: [0],
    level: se(today),
    lines: [line('snips', se)],
  }
}
