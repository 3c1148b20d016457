import { type Evaluated, type Evaluator, evaluatorOf, type Evidence } from '$core/estimate/evaluate.js'
import type { Evaluation } from '$core/estimate/evaluation.js'
import { summariseWeights, type WeightSummary } from '$core/estimate/weight-summary.js'
import type { Log } from '$core/log/log.js'
import { rowsFor, targetOn, trueValueOn } from './asked-target.js'
import { held } from './held.js'
import type { EvaluationChoices, EvaluationQuestion } from './target-choice.js'

/** What the page shows of an evaluation. */
export interface EvaluationAnswer {
  readonly evaluation: Evaluation
  /** What the policy truly earns an impression, where that is known. */
  readonly truth: number | null
  /** How long it took. */
  readonly milliseconds: number
}

/** An evaluation with all that a report shows. */
export interface EvaluationEvidence {
  readonly evaluation: Evaluation
  readonly evidence: Omit<Evidence, 'influences' | 'replicates'>
}

/** Evaluates a policy on the open log; a model that was trained on it, on rows held out from training. */
export async function evaluateTarget(question: EvaluationQuestion): Promise<EvaluationAnswer> {
  const began = performance.now()
  const { evaluated, truth } = await evaluateOn(question)
  const { evaluation, evidence } = evaluated
  latest = { target: JSON.stringify(question.target), log: held().log, weights: evidence.weights }
  return { evaluation, truth, milliseconds: performance.now() - began }
}

/** The weights that were made last: whoever is told an evaluation asks for them next. */
let latest: { readonly target: string; readonly log: Log; readonly weights: Float64Array } | undefined

/** How the importance weights of a policy are spread. It is asked apart, so that an evaluation need not wait for it. */
export async function weightsOfTarget(question: EvaluationQuestion): Promise<WeightSummary> {
  const isLatest = latest?.target === JSON.stringify(question.target) && latest.log === held().log
  const weights = isLatest ? latest!.weights : (await evaluateOn(question)).evaluated.evidence.weights
  return summariseWeights(weights)
}

/** The same with its evidence; `withCurve` also follows clipped IPS over λ, as reports do. */
export async function evaluationEvidence({
  withCurve,
  ...question
}: EvaluationQuestion & { readonly withCurve?: boolean }): Promise<EvaluationEvidence> {
  const { evaluation, evidence } = (await evaluateOn(question, withCurve)).evaluated
  const { weights, distributions, curves } = evidence
  return { evaluation, evidence: { weights, distributions, curves } }
}

async function evaluateOn(
  { target: choice, choices }: EvaluationQuestion,
  withCurve = false,
): Promise<{ evaluated: Evaluated; truth: number | null }> {
  const open = held()
  const rows = rowsFor(open.log, [choice])
  const { target, log, policy } = targetOn(rows, choice, open)
  const evaluated = await evaluatorFor(log, choices, withCurve).evaluate(target)
  return { evaluated, truth: open.world && policy ? trueValueOn(rows, policy, open.world) : null }
}

/** As many evaluators of a log are kept: each holds what no target changes. */
const MOST_EVALUATORS = 4
const evaluators = new WeakMap<Log, Map<string, Evaluator>>()

function evaluatorFor(log: Log, choices: EvaluationChoices, withCurve: boolean): Evaluator {
  const known = evaluators.get(log) ?? new Map<string, Evaluator>()
  evaluators.set(log, known)
  const key = JSON.stringify({ ...choices, withCurve })
  const evaluator = known.get(key) ?? evaluatorOf(log, { ...choices, withCurve })
  // The one asked last stands last, and the first is the one to go.
  known.delete(key)
  known.set(key, evaluator)
  for (const oldest of known.keys()) if (known.size > MOST_EVALUATORS) known.delete(oldest)
  return evaluator
}
