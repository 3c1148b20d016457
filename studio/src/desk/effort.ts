import { evaluatorOf } from '$core/estimate/evaluate.js'
import type { Plan } from '$core/estimate/plan/plan-record.js'
import { plan } from '$core/estimate/plan/plan.js'
import type { Evaluation, Sensitivity } from '$core/estimate/evaluation.js'
import { answeringEstimator } from '$core/estimate/answer.js'
import { askedOn } from './asked-target.js'
import type { EvaluationQuestion, TargetChoice } from './target-choice.js'

/** How much more of the log a decision needs. */
export interface PlanQuestion extends EvaluationQuestion {
  /** The policy to compare with; the logging policy where there is none. */
  readonly against?: TargetChoice
  /** The smallest difference of interest. */
  readonly detect?: number
}

/** The plan of `hindcast plan` for the open log. */
export async function planFor(question: PlanQuestion): Promise<Plan> {
  const { against, detect, ...asked } = question
  const { estimators: _, said: __, totals: ___, ...options } = asked.choices
  const targets = against ? [asked.target, against] : [asked.target]
  const { target, log } = await askedOn(asked, targets)
  return plan(log, {
    ...options,
    target,
    ...(detect !== undefined && { detect }),
    ...(against && { against: await askedOn({ ...asked, target: against }, targets) }),
  })
}

/** How wrong propensities may be, also where that takes further passes over the rows, as `hindcast evaluate --sensitivity` does. */
export async function sensitivityFor(
  question: EvaluationQuestion & { readonly whole: Pick<Evaluation, 'estimates'> },
): Promise<Sensitivity | null> {
  const estimator = answeringEstimator(question.whole.estimates)
  if (estimator === undefined) return null
  const { target, log } = await askedOn(question)
  const asking = { ...question.choices, estimators: [estimator], sensitivity: true }
  return (await evaluatorOf(log, asking).evaluate(target)).evaluation.sensitivity
}
