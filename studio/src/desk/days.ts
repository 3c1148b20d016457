import { type DayValues, valuesByDay } from '$core/estimate/by-day.js'
import { evaluatorOf } from '$core/estimate/evaluate.js'
import { daysOf } from '$core/log/days.js'
import { askedOn } from './asked-target.js'
import type { EvaluationQuestion } from './target-choice.js'

/** What each day of the open log says about a policy, in the order of time; none where it does not tell days. */
export async function daysOfTarget(question: EvaluationQuestion): Promise<readonly DayValues[]> {
  const { target, log } = await askedOn(question)
  if (!daysOf(log)) return []
  const evaluator = evaluatorOf(log, { cluster: 'day', estimators: ['ips'] })
  const { evidence } = await evaluator.evaluate(target)
  return valuesByDay(evidence.moments, 'day') ?? []
}
