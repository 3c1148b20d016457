import { EVALUATE_DEFAULTS } from '$core/estimate/defaults.js'
import type { Estimate, Evaluation } from '$core/estimate/evaluation.js'
import type { EvaluationQuestion } from '../../desk/target-choice.js'

/** Estimators that are ready before a slider has moved on, whatever the log. */
export const QUICK: readonly string[] = ['ips', 'snips']

/** The question for the quick estimators alone; none where there are none, or no others. */
export function quickOf(question: EvaluationQuestion): EvaluationQuestion[] {
  const { estimators = EVALUATE_DEFAULTS.estimators } = question.choices
  const quick = estimators.filter((name: string) => QUICK.includes(name))
  if (quick.length === 0 || quick.length === estimators.length) return []
  return [{ ...question, choices: { ...question.choices, estimators: quick } }]
}

/** An evaluation with a place for each estimator that was asked for. */
export function withPlaces(
  evaluation: Evaluation,
  estimators: readonly string[] = EVALUATE_DEFAULTS.estimators,
): Evaluation {
  const known = new Map(evaluation.estimates.map((estimate) => [estimate.estimator, estimate]))
  const estimates = estimators.map((asked): Estimate => {
    const estimator = asked.split(':')[0]!
    const { verdict } = evaluation
    const place = { value: null, se: null, interval: null, method: 'none', verdict }
    return known.get(estimator) ?? { estimator, ...place, reason: 'it is computed once the slider stops' }
  })
  return { ...evaluation, estimates }
}
