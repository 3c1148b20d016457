import { type Evaluator, evaluatorOf } from '$core/estimate/evaluate.js'
import type { Evaluated } from '$core/estimate/evaluate-source.js'
import type { Evaluation, TemperatureCurve } from '$core/estimate/evaluation.js'
import { isLacking } from '$core/estimate/source/source.js'
import type { WeightSummary } from '$core/estimate/weight-summary.js'
import type { Log } from '$core/log/log.js'
import { type ShownEvidence, shownEvidence } from '$core/report/evaluation-page.js'
import { temperatureCurves } from '$core/estimate/temperature-curve.js'
import { choicesFor, rowsFor, targetOn, trueValueOn } from './asked-target.js'
import { held } from './held.js'
import { type EvaluationChoices, type EvaluationQuestion, followsScores } from './target-choice.js'

/** What the page shows of an evaluation. */
export interface EvaluationAnswer {
  readonly evaluation: Evaluation
  /** The true mean reward of the policy per impression, where that is known. */
  readonly truth: number | null
  /** How long it took. */
  readonly milliseconds: number
}

/** An evaluation with everything that a report shows. */
export interface EvaluationEvidence {
  readonly evaluation: Evaluation
  readonly evidence: ShownEvidence
}

/**
 * Evaluates a policy on the open log; a model that was trained on it, on rows held out from training. A softer rule is not
 * looked for, since sliders ask for many: `nearestTo` does.
 */
export async function evaluateTarget(question: EvaluationQuestion): Promise<EvaluationAnswer> {
  const began = performance.now()
  const answer = evaluateOn(question, { nearest: false })
  latest = { target: weighedBy(question), log: held().log, answer }
  const { evaluated, truth } = await answer
  return { evaluation: evaluated.evaluation, truth, milliseconds: performance.now() - began }
}

/** What weights depend on. */
const weighedBy = ({ target, part }: EvaluationQuestion): string => JSON.stringify([target, part])

/** The latest evaluation, which may still be on its way: whoever is shown it asks for its weights next. */
let latest:
  | { readonly target: string; readonly log: Log; readonly answer: ReturnType<typeof evaluateOn> }
  | undefined

/** The distribution of the importance weights of a policy, asked for separately so that no evaluation waits for it. */
export async function weightsOfTarget(question: EvaluationQuestion): Promise<WeightSummary> {
  const isLatest = latest?.target === weighedBy(question) && latest.log === held().log
  const { evaluated } = await (isLatest ? latest!.answer : evaluateOn(question))
  const weights = await evaluated.evidence.weights()
  // A log in memory has the weight of every row.
  if (isLacking(weights)) throw new Error(`There are no weights: ${weights.lacking}.`)
  return weights
}

/** The nearest question that the log can answer, where it does not cover the rule that was asked about. */
export async function nearestTo(question: EvaluationQuestion): Promise<Pick<Evaluation, 'nearest'>> {
  const { nearest } = (await evaluateOn(question)).evaluated.evaluation
  return nearest === undefined ? {} : { nearest }
}

/** The same with its evidence; `forReport` also follows clipped IPS over λ, any answer over Γ, and policies that follow scores over temperatures. */
export async function evaluationEvidence({
  forReport = false,
  ...question
}: EvaluationQuestion & { readonly forReport?: boolean }): Promise<EvaluationEvidence> {
  const { evaluation, evidence } = (await evaluateOn(question, { forReport })).evaluated
  const temperatures = forReport ? await temperaturesOf(question) : []
  return {
    evaluation: { ...evaluation, ...(temperatures.length > 0 && { temperatures }) },
    evidence: await shownEvidence(evidence, evaluation.cluster),
  }
}

/** The policy at temperatures around the scale of its scores, as `hindcast evaluate --temperatures auto` has them; none where it follows no scores. */
async function temperaturesOf({
  target: choice,
  choices,
  part,
}: EvaluationQuestion): Promise<TemperatureCurve[]> {
  if (!followsScores(choice)) return []
  const open = held()
  const rows = rowsFor(open.log, [choice], part)
  const { log, target } = await targetOn(rows, choice, open)
  const { estimators: [estimator] = [], ...options } = choicesFor(rows, part, choices)
  return temperatureCurves(log, target.kind === 'policy' ? [target.policy] : [], {
    ...options,
    ...(estimator && { estimator }),
  })
}

async function evaluateOn(
  { target: choice, choices, part }: EvaluationQuestion,
  { forReport = false, nearest = true }: { readonly forReport?: boolean; readonly nearest?: boolean } = {},
): Promise<{ evaluated: Evaluated; truth: number | null }> {
  const open = held()
  const rows = rowsFor(open.log, [choice], part)
  const { target, log, policy } = await targetOn(rows, choice, open)
  const evaluated = await evaluatorFor(log, choicesFor(rows, part, choices), forReport).evaluate(target, {
    nearest,
  })
  // The truth is that of all rows.
  const { world } = part ? { world: undefined } : open
  return { evaluated, truth: world && policy ? trueValueOn(rows, policy, world) : null }
}

/** What a report follows beyond the answer. */
const FOR_REPORT = { withCurve: true, sensitivity: true }

/** At most this many evaluators are kept per log: each holds what no target changes. */
const MOST_EVALUATORS = 4
const evaluators = new WeakMap<Log, Map<string, Evaluator>>()

function evaluatorFor(log: Log, choices: EvaluationChoices, forReport: boolean): Evaluator {
  const known = evaluators.get(log) ?? new Map<string, Evaluator>()
  evaluators.set(log, known)
  const key = JSON.stringify({ ...choices, forReport })
  const evaluator = known.get(key) ?? evaluatorOf(log, { ...choices, ...(forReport && FOR_REPORT) })
  // The one used last stands last; the first is dropped.
  known.delete(key)
  known.set(key, evaluator)
  for (const oldest of known.keys()) if (known.size > MOST_EVALUATORS) known.delete(oldest)
  return evaluator
}
