import type { ExplorationPoint, Goal, LogSize, Plan } from '../estimate/plan/plan-record.js'
import { listed } from '../listed.js'
import { counted, formatCount, formatShare } from '../number-text.js'
import { formatConfidence, formatEstimate, formatFixed } from './estimate-text.js'
import { noAnswer } from './verdict-text.js'
import { perUnitOf } from './unit.js'

/** The goal that a plan is mostly about: the difference of interest where one was given, else the one seen. */
export const mainGoal = ({ goals }: Pick<Plan, 'goals'>): Goal =>
  goals.find(({ kind }) => kind === 'detect') ?? goals[0]!

/** The place of the goal whose rows exploration is measured by: the main one, or the first that needs more; undefined where none does, or that is not known. */
export function exploredPlace({
  goals,
  exploration,
}: Pick<Plan, 'goals' | 'exploration'>): number | undefined {
  const today = exploration?.points[0]
  const isOpen = (goal: Goal): boolean => (today?.moreRows[goals.indexOf(goal)] ?? 0) > 0
  const goal = [mainGoal({ goals }), ...goals].find(isOpen)
  return goal && goals.indexOf(goal)
}

/** A count to three digits, rounded up: a plan is no more exact than that. */
export function aboutCount(count: number): string {
  if (count < 1000) return formatCount(count)
  const step = 10 ** (Math.floor(Math.log10(count)) - 2)
  return formatCount(Math.ceil(count / step - 1e-9) * step)
}

/** Rows, users and days in words: "24,000 more rows (1,800 more users, 12 more days)". */
function moreText({ rows, users, days }: LogSize): string {
  const beside = [
    `${aboutCount(users)} more ${users === 1 ? 'user' : 'users'}`,
    ...(days === null ? [] : [`${aboutCount(days)} more ${days === 1 ? 'day' : 'days'}`]),
  ]
  return `${aboutCount(rows)} more ${rows === 1 ? 'row' : 'rows'} (${beside.join(', ')})`
}

/** A difference or a width with two significant digits. */
export const sizeText = (size: number): string =>
  size === 0
    ? '0'
    : formatFixed(size, Math.min(20, Math.max(0, 1 - Math.floor(Math.log10(Math.abs(size)) + 1e-9))))

/** A goal in words, for a table: "decide a difference of 0.010", "narrow the CI of the value to 0.02". */
export function goalText({ kind, size }: Pick<Goal, 'kind' | 'size'>): string {
  switch (kind) {
    case 'seen':
      return `decide the difference seen, ${sizeText(size)}`
    case 'detect':
      return `decide a difference of ${sizeText(size)}`
    case 'width-of-value':
      return `CI of the value ${sizeText(size)} wide`
    case 'width-of-difference':
      return `CI of the difference ${sizeText(size)} wide`
  }
}

/** What the rows still needed for a goal are called. */
export const rowsLabel = (kind: Goal['kind'], text: string): string =>
  kind === 'seen' || kind === 'detect' ? `More rows to ${text}` : `More rows: ${text}`

/** The answer to "how much more of this log do I need?", as a title: nothing where the verdict is `refuse`. */
export function planFinding(plan: Plan): string {
  const { target, against, estimator, difference, confidence, power, verdict } = plan
  const between = `between ${target} and ${against}`
  if (verdict.level === 'refuse')
    return noAnswer(`it cannot say how many more rows would decide the difference ${between}`)
  const goal = mainGoal(plan)
  const [today, wanted] = [formatShare(goal.powerToday!), formatConfidence(power)]
  const { value, interval } = formatEstimate(difference.estimate, difference.interval)
  const seen = `${value} ${perUnitOf(estimator)} (${formatConfidence(confidence)} CI ${interval})`
  if (goal.kind === 'detect') {
    const asked = `a difference of ${sizeText(goal.size)} ${between}`
    if (goal.isReached) return `A log of this size already finds ${asked} with ${today} probability`
    return goal.needed
      ? `${moreText(goal.needed.more)} are needed to find ${asked} with ${wanted} probability; a log of this size finds it with ${today}`
      : `No log finds ${asked} with ${wanted} probability`
  }
  if (difference.isDecided)
    return (
      `The difference ${between} is decided: ${seen}` +
      (goal.isReached || !goal.needed
        ? ''
        : `. Another log of this size would decide it with ${today} probability; ${wanted} takes ${moreText(goal.needed.more)}`)
    )
  return goal.needed
    ? `The difference ${between} is not decided: ${seen}. If the true one is as large, ${moreText(goal.needed.more)} would decide it with ${wanted} probability, and another log of this size with ${today}`
    : `The difference ${between} is not decided: ${seen}. It is too small to plan for`
}

/** How large a log finds a difference, as the title of power curves. */
export function powerFinding(plan: Plan): string {
  const { size, needed, isReached, powerToday } = mainGoal(plan)
  const found = `finds a difference of ${sizeText(size)} between ${plan.target} and ${plan.against}`
  if (isReached) return `A log of this size ${found} with ${formatShare(powerToday!)} probability`
  const wanted = formatConfidence(plan.power)
  if (!needed) return `No log ${found} with ${wanted} probability`
  return `A log ${formatCount(Number(needed.factor.toPrecision(2)))} times as large ${found} with ${wanted} probability`
}

/** What else a reader must know: how uncertain the plan is, and whether users or days are lacking. */
export function planNotes(plan: Plan): string[] {
  const { difference, log, goals, cluster, power } = plan
  const goal = mainGoal(plan)
  return [
    `A log of this size finds a difference of ${sizeText(difference.detectable)} ${perUnitOf(plan.estimator)} with ${formatConfidence(power)} probability.`,
    ...(goal.kind === 'seen' && !goal.isReached && goal.needed
      ? [
          'The difference seen is itself uncertain: if the true one is half as large, four times as many rows are needed in all.',
        ]
      : []),
    ...daysNote(plan, goal),
    ...(log.days === null
      ? ['The log has no timestamps, so changes from day to day are not in this plan.']
      : cluster.includes('day')
        ? []
        : [`Changes from day to day are not in this plan: the log covers ${counted(log.days, 'day')}.`]),
    ...(goals.some(({ needed }) => needed && needed.factor > 1)
      ? [
          'These must be different users: more rows from the same users count for less. The plan assumes that users, items and policies stay as they are.',
        ]
      : []),
  ]
}

function daysNote({ difference, log }: Plan, { needed, isReached }: Goal): string[] {
  if (!needed || isReached || log.days === null || difference.dayShare < 0.01) return []
  const share = `${formatShare(difference.dayShare)} of the variance comes from differences between days`
  return [
    needed.sameDays
      ? `${share}: ${aboutCount(needed.sameDays.users)} more users on the same ${counted(log.days, 'day')} would do as well.`
      : `${share}: more users on the same ${counted(log.days, 'day')} are not enough; at least ${counted(needed.fewestDays!, 'day')} are needed.`,
  ]
}

/** What a share of random items buys, as a title; undefined where it was not computed. */
export function explorationFinding(plan: Plan): string | undefined {
  const { exploration, target } = plan
  if (!exploration) return undefined
  const [today, ...others] = exploration.points
  const point = others.find(({ epsilon }) => epsilon >= 0.1) ?? others.at(-1)
  if (!point) return undefined
  const times = point.essRatio / today!.essRatio
  const shares = `${formatShare(today!.essRatio)} to ${formatShare(point.essRatio)} of the rows`
  const change =
    times >= 1.05 || times <= 0.95
      ? `would ${times > 1 ? 'raise' : 'lower'} the effective sample size for ${target} from ${shares}`
      : `would hardly change the effective sample size for ${target} (${formatShare(today!.essRatio)} of the rows today)`
  return `Showing ${formatShare(point.epsilon)} random items ${change}, ${costText(point)}`
}

/** What a share of random items costs meanwhile: "at a cost of 0.0012 per impression". */
export function costText({ cost, costSe }: Pick<ExplorationPoint, 'cost' | 'costSe'>): string {
  const half = 2 * (costSe ?? 0)
  if (Math.abs(cost) <= half)
    return `at no detectable cost (at most ${sizeText(Math.abs(cost) + half)} per impression)`
  return cost > 0
    ? `at a cost of ${sizeText(cost)} per impression`
    : `and would earn ${sizeText(-cost)} more per impression meanwhile`
}

/** What must be known to read what exploration buys. */
export function explorationNotes({ exploration, goals }: Plan): string[] {
  if (!exploration) return []
  const { items, unsupportedMass, points } = exploration
  const unknown = goals.filter((_, k) => points[0]!.moreRows[k] === null && goals[k]!.needed)
  return [
    `A random item is one of ${counted(items, 'item')}, each equally likely. All of this is estimated from this log alone; new rows are added to those of today.`,
    ...(unsupportedMass !== null && unsupportedMass > 0
      ? [
          `The target shows items that this log never shows ${formatShare(unsupportedMass)} of the time: random items would reveal them, but that takes more rows than stated here.`,
        ]
      : []),
    ...(unknown.length > 0
      ? [
          `Known for the value alone, not for ${listed(unknown.map((goal) => goalText(goal)))}: that needs the logging policy as the baseline.`,
        ]
      : []),
  ]
}
