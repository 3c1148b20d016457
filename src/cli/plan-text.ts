import type { CurvePoint, Goal, Plan } from '../estimate/plan/plan-record.js'
import { formatCount, formatShare } from '../number-text.js'
import {
  isAnswered,
  ownOf,
  TEMPERATURES_HEADING,
  temperatureNotes,
  temperatureText,
  temperedGoalText,
  temperedPlace,
} from '../words/temperature-text.js'
import { verdictWord } from '../words/verdict-text.js'
import { formatConfidence } from '../words/estimate-text.js'
import {
  aboutCount,
  exploredPlace,
  explorationNotes,
  goalText,
  mainGoal,
  planFinding,
  planNotes,
  sizeText,
} from '../words/plan-text.js'
import { verdictText } from './verdict-text.js'
import { GAP, textTable, WIDTH, wrap } from './format.js'
import type { Terminal } from './terminal.js'

/** A plan for a terminal of 80 columns: the answer, what each goal needs, power by size, what exploration would buy, the target at other temperatures, the verdict. */
export function planText(file: string, plan: Plan, terminal: Terminal): string {
  const isRefused = plan.verdict.level === 'refuse'
  const heading = (text: string): string => terminal.style('bold', text)
  return [
    heading(file),
    heading(wrap(`${planFinding(plan)}.`, WIDTH)),
    '',
    ...(isRefused
      ? []
      : [
          heading('What is needed beyond this log'),
          ...goalTable(plan, terminal),
          ...notes(planNotes(plan)),
          '',
          ...powerTable(plan, heading, terminal),
        ]),
    heading('What more exploration would buy'),
    ...explorationTable(plan, terminal),
    '',
    ...temperatureTable(plan, heading, terminal),
    verdictText(plan.verdict, terminal),
  ].join('\n')
}

/** Paragraphs below a table. */
const notes = (said: readonly string[]): string[] =>
  said.map((note) => `${GAP}${wrap(note, WIDTH, GAP).trimStart()}`)

function goalTable({ goals, log }: Plan, terminal: Terminal): string[] {
  const hasDays = log.days !== null
  const names = ['goal', 'today', 'more rows', 'more users', ...(hasDays ? ['more days'] : [])]
  const rows = goals.map((goal) => {
    const { needed } = goal
    const cells = needed
      ? [needed.more.rows, needed.more.users, ...(hasDays ? [needed.more.days!] : [])].map(aboutCount)
      : ['none suffice', '–', ...(hasDays ? ['–'] : [])]
    return [goalText(goal), todayText(goal), ...cells]
  })
  return textTable(names, rows, terminal)
}

const todayText = ({ powerToday, isReached }: Goal): string =>
  powerToday === null ? (isReached ? 'reached' : 'not yet') : formatShare(powerToday)

/** The sizes whose power is shown. */
const SIZES = [1, 2, 4, 8, 16]

function powerTable(plan: Plan, heading: (text: string) => string, terminal: Terminal): string[] {
  const goal = mainGoal(plan)
  const power = (point: CurvePoint): number => (goal.kind === 'detect' ? point.detect! : point.seen)
  const points = plan.curve.filter(({ factor }) => SIZES.includes(factor))
  const hasDays = plan.log.days !== null
  return [
    heading(`Chance to ${goalText(goal)}, by size of the log`),
    ...textTable(
      [
        'size',
        'rows',
        ...(hasDays ? ['days'] : []),
        'probability',
        `found with ${formatConfidence(plan.power)}`,
      ],
      points.map((point) => [
        `${Number(point.factor.toPrecision(2))} ×`,
        aboutCount(point.rows),
        ...(hasDays ? [formatCount(point.days!)] : []),
        formatShare(power(point)),
        sizeText(point.detectable),
      ]),
      terminal,
    ),
    '',
  ]
}

function explorationTable(plan: Plan, terminal: Terminal): string[] {
  const { exploration, explorationReason, verdict } = plan
  if (!exploration) return notes([`Not known: ${explorationReason}.`])
  const place = verdict.level === 'refuse' ? undefined : exploredPlace(plan)
  return [
    ...textTable(
      ['random items', 'ESS', 'ESS/n', ...(place === undefined ? [] : ['more rows']), 'cost per impression'],
      exploration.points.map((point) => [
        point.epsilon === 0 ? 'as today' : formatShare(point.epsilon),
        aboutCount(Math.round(point.ess)),
        formatShare(Math.min(1, point.essRatio)),
        ...(place === undefined ? [] : [aboutCount(point.moreRows[place]!)]),
        point.epsilon === 0 ? '' : costCell(point.cost, point.costSe),
      ]),
      terminal,
    ),
    ...notes([
      ...(place === undefined
        ? []
        : [`More rows for this goal, if logged this way: ${goalText(plan.goals[place]!)}.`]),
      ...explorationNotes(plan),
    ]),
  ]
}

/** Nothing for a target without a temperature. */
function temperatureTable(plan: Plan, heading: (text: string) => string, terminal: Terminal): string[] {
  const { temperatures } = plan
  if (!temperatures) return []
  const place = temperedPlace(plan)
  const own = ownOf(temperatures)
  return [
    heading(TEMPERATURES_HEADING),
    ...textTable(
      [
        'temperature',
        'ESS',
        'ESS/n',
        'SE of value',
        ...(place === undefined ? [] : ['more rows']),
        'verdict',
      ],
      temperatures.points.map((point) => {
        const { temperature, ess, essRatio, seOfValue, moreRows, verdict } = point
        const answered = (value: number | null | undefined, text: (value: number) => string): string =>
          isAnswered(point) && value != null ? text(value) : '–'
        return [
          `${temperatureText(temperature)}${point === own ? ', the target' : ''}`,
          ess === null ? '–' : aboutCount(Math.round(ess)),
          essRatio === null ? '–' : formatShare(Math.min(1, essRatio)),
          answered(seOfValue, sizeText),
          ...(place === undefined ? [] : [answered(moreRows[place], aboutCount)]),
          verdictWord(verdict),
        ]
      }),
      terminal,
    ),
    ...notes([
      ...(place === undefined
        ? []
        : [`More rows for this goal, if logged as today: ${temperedGoalText(plan, place)}.`]),
      ...temperatureNotes(plan),
    ]),
    '',
  ]
}

/** A cost and twice its standard error. */
const costCell = (cost: number, se: number | null): string =>
  se === null ? sizeText(cost) : `${sizeText(cost)} ± ${sizeText(2 * se)}`
