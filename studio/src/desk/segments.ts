import { answeringEstimator } from '$core/estimate/answer.js'
import type { Evaluation, Segments } from '$core/estimate/evaluation.js'
import { evaluateBy } from '$core/estimate/segments/memory-segments.js'
import { askedOn } from './asked-target.js'
import type { EvaluationQuestion } from './target-choice.js'

/** A policy in each segment of the open log: by what, and the evaluation of all rows. */
export interface SegmentsQuestion extends EvaluationQuestion {
  /** As `hindcast evaluate --by` takes it. */
  readonly by: string
  readonly whole: Pick<Evaluation, 'estimates' | 'verdict' | 'target'>
}

/** What a policy would have earned in each segment, by the estimator that answers for all rows. */
export async function segmentsOfTarget(question: SegmentsQuestion): Promise<Segments> {
  const { by, whole, choices } = question
  const { target, log } = await askedOn(question)
  const { estimators: _, ...options } = choices
  const estimator = answeringEstimator(whole.estimates)
  return evaluateBy(log, {
    ...options,
    target,
    by,
    whole,
    ...(estimator !== undefined && { estimator }),
  })
}
