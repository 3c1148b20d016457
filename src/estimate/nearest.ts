import type { AskedRule, ScoreRule } from '../policy/score-rule.js'
import { answerOf } from './answer.js'
import { type Evaluated, evaluateSource, type EvaluateSourceOptions } from './evaluate-source.js'
import type { Evaluation, Nearest } from './evaluation.js'
import type { SumSource } from './source/source.js'

/** A target that follows scores, and the log as it is seen by another rule for the same scores. */
export interface SofterSources {
  readonly rule: AskedRule
  /** That of a softmax, as given or as chosen. */
  readonly temperature?: number
  by(rule: ScoreRule): SumSource | Promise<SumSource>
}

/**
 * An evaluation with the nearest question that the log can answer, where it does not cover the rule that was asked for: the
 * sharpest softer rule of the same scores whose verdict is not refuse. A softer rule is taken to be no harder to answer, so that
 * halving finds it.
 */
export async function withNearest(
  evaluated: Evaluated,
  softer: SofterSources | undefined,
  options: EvaluateSourceOptions,
): Promise<Evaluated> {
  const { evaluation } = evaluated
  if (!softer || evaluation.verdict.means !== 'cannot-tell') return evaluated
  const rules = softerRules(softer, evaluation.log.items)
  if (rules.length === 0) return evaluated
  const { estimators = [] } = options
  const answering = evaluation.answer
  const request = estimators.find((one) => one.split(':', 1)[0] === answering) ?? answering
  const settings = { ...options, withCurve: false, ...(request !== null && { estimators: [request] }) }
  const ask = async (rule: ScoreRule): Promise<Nearest | undefined> =>
    answeredBy((await evaluateSource(await softer.by(rule), settings)).evaluation)
  return { ...evaluated, evaluation: { ...evaluation, nearest: await sharpestAnswered(rules, ask) } }
}

/** The answer of an evaluation; undefined where it is refused. */
function answeredBy({ target, estimates, verdict }: Evaluation): Nearest | undefined {
  const answer = answerOf(estimates)
  if (!answer || !answer.interval || verdict.level === 'refuse') return undefined
  const { estimator, unit, value, interval } = answer
  return { target, estimator, ...(unit && { unit }), value, interval, level: verdict.level }
}

/** The answer by the first of the rules, from sharp to soft, that has one; null where none has. */
async function sharpestAnswered(
  rules: readonly ScoreRule[],
  ask: (rule: ScoreRule) => Promise<Nearest | undefined>,
): Promise<Nearest | null> {
  let found = await ask(rules.at(-1)!)
  if (!found) return null
  let [refused, answered] = [-1, rules.length - 1]
  while (answered - refused > 1) {
    const middle = (refused + answered) >> 1
    const nearer = await ask(rules[middle]!)
    if (nearer) [found, answered] = [nearer, middle]
    else refused = middle
  }
  return found
}

/** Shares of any item that are asked about. */
const EPSILONS: readonly number[] = [
  0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99,
]
/** Numbers of best items, and multiples of a target's own temperature. */
const STEPS: readonly number[] = [1, 10, 100, 1000, 1e4, 1e5].flatMap((unit) =>
  [1, 1.25, 1.5, 2, 3, 4, 5, 7].map((step) => step * unit),
)

/** Softer rules of the same kind, from sharp to soft: more often any item, a higher temperature, more of the best items. */
export function softerRules(
  { rule, temperature }: Pick<SofterSources, 'rule' | 'temperature'>,
  items: number,
): ScoreRule[] {
  switch (rule.kind) {
    case 'best':
    case 'epsilon': {
      const own = rule.kind === 'epsilon' ? rule.epsilon : 0
      return EPSILONS.filter((epsilon) => epsilon > own).map((epsilon) => ({ kind: 'epsilon', epsilon }))
    }
    case 'top':
      return STEPS.filter((k) => Number.isInteger(k) && k > rule.k && k < items).map((k) => ({
        kind: 'top',
        k,
      }))
    case 'rank':
      return []
    default:
      return temperature === undefined || temperature === Infinity
        ? []
        : STEPS.slice(1).map((multiple) => ({
            kind: 'softmax',
            temperature: Number((multiple * temperature).toPrecision(3)),
          }))
  }
}
