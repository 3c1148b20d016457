import type { Plan } from '../estimate/plan/plan-record.js'
import type { Chart, FigureOptions, Table } from '../figures/chart.js'
import { explorationFigure } from '../figures/exploration.js'
import { powerCurve } from '../figures/power-curve.js'
import { tableOf } from '../figures/table-cells.js'
import { temperaturesFigure } from '../figures/temperatures.js'
import { formatShare } from '../number-text.js'
import { explorationNotes, goalText, planFinding, planNotes } from '../words/plan-text.js'
import { TEMPERATURES_HEADING, temperatureNotes } from '../words/temperature-text.js'
import { type PageOptions, reportHtml } from './report.js'

/** What a page about a plan is made from. */
export interface PlanPage {
  readonly title: string
  readonly plan: Plan
  readonly settings: Readonly<Record<string, unknown>>
}

/** The page about a plan, as HTML: the verdict, what is needed in words, power curves, what exploration would buy, other temperatures. */
export function planPage(
  { title, plan, settings }: PlanPage,
  { document, generatedBy, notes = {} }: PageOptions,
): string {
  const {
    target,
    against,
    cluster,
    confidence,
    power,
    verdict,
    exploration,
    explorationReason,
    temperatures,
  } = plan
  const isRefused = verdict.level === 'refuse'
  const charts = planCharts(plan, { document })
  const chartsNamed = (name: string): Chart[] => charts.filter((chart) => chart.name === name)
  return reportHtml({
    title: `${title}: a plan for ${target} against ${against}`,
    answer: `${planFinding(plan)}.`,
    // The answer gives the first reason.
    verdict,
    facts: [],
    charts: chartsNamed('power-curve'),
    sections: [
      ...(isRefused ? [] : [{ heading: 'What is needed', text: planNotes(plan), table: goalsTable(plan) }]),
      {
        heading: 'What more exploration would buy',
        text: exploration ? explorationNotes(plan) : [`Not known: ${explorationReason}.`],
        charts: chartsNamed('exploration'),
      },
      ...(temperatures
        ? [
            {
              heading: TEMPERATURES_HEADING,
              text: temperatureNotes(plan),
              charts: chartsNamed('temperatures'),
            },
          ]
        : []),
    ],
    settings: { ...settings, target, against, cluster, confidence, power },
    notes,
    generatedBy,
  })
}

/** The power curves and, where they are known, what exploration would buy, and the target at other temperatures. */
export const planCharts = (plan: Plan, options: FigureOptions): Chart[] => [
  powerCurve(plan, options),
  ...((plan.exploration?.points.length ?? 0) > 1 ? [explorationFigure(plan, options)] : []),
  ...(plan.temperatures?.points.some(({ temperature }) => temperature !== plan.temperatures!.own)
    ? [temperaturesFigure(plan, options)]
    : []),
]

/** What each goal needs. */
const goalsTable = ({ goals }: Plan): Table =>
  tableOf(goals, [
    { name: 'goal', label: 'Goal', of: goalText },
    {
      name: 'today',
      label: 'Today',
      of: ({ powerToday, isReached }) =>
        powerToday === null ? (isReached ? 'reached' : 'not reached') : formatShare(powerToday),
    },
    { name: 'more_rows', label: 'More rows', kind: 'count', of: ({ needed }) => needed?.more.rows },
    { name: 'more_users', label: 'More users', kind: 'count', of: ({ needed }) => needed?.more.users },
    { name: 'more_days', label: 'More days', kind: 'count', of: ({ needed }) => needed?.more.days },
    {
      name: 'same_days',
      label: 'More users, on the same days',
      kind: 'count',
      of: ({ needed }) => needed?.sameDays?.users,
    },
    { name: 'fewest_days', label: 'Fewest days', kind: 'count', of: ({ needed }) => needed?.fewestDays },
  ])
