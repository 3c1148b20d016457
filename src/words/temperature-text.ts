import type { TemperatureCurve, TemperatureCurvePoint, VerdictLevel } from '../estimate/evaluation.js'
import type { Plan, TemperaturePoint, Temperatures } from '../estimate/plan/plan-record.js'
import { listed } from '../listed.js'
import { formatShare } from '../number-text.js'
import { withoutRule } from '../policy/score-rule.js'
import { noAnswer } from './verdict-text.js'
import { goalText, mainGoal } from './plan-text.js'

/** The heading above the temperatures of a target. */
export const TEMPERATURES_HEADING = 'At which temperatures of the target this log can answer'

/** A temperature: "0.5", "∞". */
export const temperatureText = (temperature: number | null): string =>
  temperature === null ? '∞' : String(Number(temperature.toPrecision(4)))

/** Whether the log may say something at a temperature: where it is refused, nothing. */
export const isAnswered = ({ verdict }: TemperaturePoint): boolean => verdict.level !== 'refuse'

/** The place of the goal whose rows are shown by temperature: the main one, or the first that needs more at some temperature that is answered; undefined where none does. */
export function temperedPlace({
  goals,
  temperatures,
}: Pick<Plan, 'goals' | 'temperatures'>): number | undefined {
  const answered = temperatures?.points.filter(isAnswered) ?? []
  const goal = [mainGoal({ goals }), ...goals].find((one) =>
    answered.some(({ moreRows }) => (moreRows[goals.indexOf(one)] ?? 0) > 0),
  )
  return goal && goals.indexOf(goal)
}

/** A goal as it is for each temperature: the difference seen is another at each. */
export const temperedGoalText = (plan: Plan, place: number): string => {
  const goal = plan.goals[place]!
  return goal.kind === 'seen' ? 'decide the difference seen at that temperature' : goalText(goal)
}

/** What another temperature changes, as a title; undefined where the target has none. */
export function temperatureFinding({ temperatures, target }: Plan): string | undefined {
  if (!temperatures) return undefined
  const [own, other] = [ownOf(temperatures), nextOf(temperatures)]
  if (!other || own.essRatio === null)
    return `No row of this log has weight for ${withoutRule(target)} at another temperature`
  const [was, is] = [own.essRatio, other.essRatio!].map((share) => formatShare(Math.min(1, share)))
  return `At temperature ${temperatureText(other.temperature)}, the effective sample size for ${withoutRule(target)} would be ${is} of the rows instead of ${was}`
}

/** The target at its own temperature. */
export const ownOf = ({ points, own }: Temperatures): TemperaturePoint =>
  points.find(({ temperature }) => temperature === own)!

/** The next softer temperature at which some row has weight, or the next sharper where none is softer. */
function nextOf({ points, own }: Temperatures): TemperaturePoint | undefined {
  const place = points.findIndex(({ temperature }) => temperature === own)
  return [...points.slice(place + 1), ...points.slice(0, place).toReversed()].find(
    ({ essRatio }) => essRatio !== null,
  )
}

/** What must be known to read the temperatures: the verdict at each, and that each is another policy. */
export function temperatureNotes({ temperatures }: Plan): string[] {
  if (!temperatures) return []
  const said = (['trust', 'caution', 'refuse'] as const).flatMap((level) => levelText(level, temperatures))
  return [
    said.length === 1
      ? `The verdict is ${temperatures.points[0]!.verdict.level} at each of them.`
      : `The verdict is ${said.join(', ')}.`,
    'A higher temperature shows items more equally. Each temperature is a policy of its own: choose among them with a comparison, which accounts for having looked at several.',
  ]
}

/** "trust at temperatures 2 and 4". */
function levelText(level: VerdictLevel, { points }: Temperatures): string[] {
  const at = points.filter(({ verdict }) => verdict.level === level)
  const named = listed(at.map(({ temperature }) => temperatureText(temperature)))
  return at.length === 0 ? [] : [`${level} at ${at.length === 1 ? 'temperature' : 'temperatures'} ${named}`]
}

/** The heading above curves of value by temperature. */
export const CURVES_HEADING = 'At other temperatures'

/** Whether a point says something: where it is refused, nothing. */
export const isKnownPoint = ({ value, essRatio, verdict }: TemperatureCurvePoint): boolean =>
  verdict.level !== 'refuse' && value !== null && (essRatio ?? 0) > 0

/** What the curves show, as a title; nothing is claimed of points that are refused. */
export function curvesFinding(curves: readonly TemperatureCurve[]): string {
  const known = curves.filter(({ points }) => points.some(isKnownPoint))
  if (known.length === 0) return noAnswer('what other temperatures might earn')
  return `What ${listed(known.map(({ target }) => target))} would have earned, by exploration`
}

/** What must be known to read the curves. */
export const CURVES_NOTES: readonly string[] = [
  'Compare models at equal effective sample size, not at equal temperature: a temperature is in the unit of the scores.',
  'Each interval holds for its own temperature alone. The best point of a curve was chosen by the same rewards, so its value is too high on average: confirm it on other rows.',
]
