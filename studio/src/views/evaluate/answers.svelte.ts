import { COMPARE_DEFAULTS, EVALUATE_DEFAULTS } from '$core/estimate/defaults.js'
import type { Diagnostics, Verdict } from '$core/estimate/evaluation.js'
import type { WeightSummary } from '$core/estimate/weight-summary.js'
import { setBusyIfLong } from '../../busy.svelte.js'
import { type Problem, problemOf } from '../../desk/call.js'
import type { ComparisonAnswer } from '../../desk/compare.js'
import type { EvaluationAnswer, EvaluationEvidence } from '../../desk/evaluate.js'
import { type ComparisonQuestion, type EvaluationQuestion, followsScores } from '../../desk/target-choice.js'
import { desk } from '../../desks.js'
import { NewestOnly, type Step } from '../../parts/newest-only.js'
import { QUICK, quickOf, withPlaces } from './quick-estimates.js'

/** Everything that is asked at once. */
export interface Questions {
  readonly evaluation: EvaluationQuestion
  readonly comparison?: ComparisonQuestion
  /** Whether the evidence behind the evaluation is shown. */
  readonly withEvidence: boolean
}

/** An answer with its question. */
export interface Answered extends EvaluationAnswer {
  readonly question: EvaluationQuestion
}

/** The weights of a policy, with what is known of their concentration. */
interface Weighed {
  readonly weights: WeightSummary
  readonly diagnostics: Diagnostics
  readonly verdict: Verdict
  readonly question: EvaluationQuestion
}

/** What can be asked about any policy. */
const SIMPLEST = { estimators: QUICK, cluster: 'user', interval: 'auto' } as const
/** What takes no longer than this, in milliseconds, is done while a slider moves. */
const LIVE = 40
/** In logs of up to this many rows, everything counts as quick until it has been measured. */
export const FEW_ROWS = 50_000

/** The newest answers of the desk, and the problems that came instead. */
export class Answers {
  /** The newest evaluation; slow estimators have a place but no value yet. */
  shown: Answered | undefined = $state.raw()
  /** The newest evaluation with all estimators. */
  whole: Answered | undefined = $state.raw()
  /** The newest weights; they arrive a little later. */
  weighed: Weighed | undefined = $state.raw()
  /** Why there is no evaluation of the policy. */
  problem: Problem | undefined = $state.raw()
  /** Why the chosen estimators or intervals are not available for it. */
  choicesProblem: Problem | undefined = $state.raw()
  compared: (ComparisonAnswer & { readonly question: ComparisonQuestion }) | undefined = $state.raw()
  comparisonProblem: Problem | undefined = $state.raw()
  evidence: (EvaluationEvidence & { readonly truth?: number }) | undefined = $state.raw()
  /** What the log is evaluated and compared by where nothing was chosen: pages may need more than single rows. */
  usual: { readonly estimators: readonly string[]; readonly estimator: string } = $state.raw({
    estimators: EVALUATE_DEFAULTS.estimators,
    estimator: COMPARE_DEFAULTS.estimator,
  })
  /** What was asked last. */
  asked: EvaluationQuestion | undefined = $state.raw()
  /** Whether there is more to come for what was asked last. */
  isAsking = $state(false)
  #isStopped = false
  readonly #usual: number
  /** How long answers took last, by everything asked except the temperatures. */
  readonly #took = new Map<string, number>()
  readonly #newest = new NewestOnly<Questions>(
    (questions) => this.#stepsOf(questions),
    () => this.#isStopped || this.#rest(),
  )

  constructor(rows: number) {
    this.#usual = rows > FEW_ROWS ? Infinity : 0
  }

  ask(questions: Questions): void {
    this.isAsking = true
    setBusyIfLong('evaluate', { text: 'Evaluating', isOfLog: true })
    this.asked = questions.evaluation
    if (!questions.comparison) [this.compared, this.comparisonProblem] = [undefined, undefined]
    if (!questions.withEvidence) this.evidence = undefined
    this.#newest.ask(questions)
  }

  stop(): void {
    this.#isStopped = true
    this.#newest.stop()
    this.#rest()
  }

  #rest(): void {
    this.isAsking = false
    setBusyIfLong('evaluate', undefined)
  }

  #stepsOf({ evaluation, comparison, withEvidence }: Questions): Step[] {
    const quick = this.#isLive(evaluation) ? [] : quickOf(evaluation)
    return [
      ...quick.map((question) => ({ waits: false, run: () => this.#evaluate(question, evaluation) })),
      { waits: quick.length > 0, run: () => this.#evaluate(evaluation, evaluation) },
      ...(followsScores(evaluation.target)
        ? [{ waits: true, run: () => this.#findNearest(evaluation) }]
        : []),
      ...(comparison ? [{ waits: !this.#isLive(comparison), run: () => this.#compare(comparison) }] : []),
      ...(withEvidence ? [{ waits: true, run: () => this.#find(evaluation) }] : []),
    ]
  }

  #isLive(question: EvaluationQuestion): boolean {
    return (this.#took.get(paceOf(question)) ?? this.#usual) <= LIVE
  }

  /** Asks for some of the estimators of a question, or for all. */
  async #evaluate(question: EvaluationQuestion, all: EvaluationQuestion): Promise<void> {
    try {
      const asked = desk.evaluate(question)
      // The desk continues with the weights while the page draws the estimates.
      const weights = this.weighed?.question === all ? undefined : desk.weights(question)
      weights?.catch(() => {})
      const answer = await asked
      this.#show(answer, question, all)
      if (weights)
        this.weighed = {
          weights: await weights,
          diagnostics: answer.evaluation.diagnostics,
          verdict: answer.evaluation.verdict,
          question: all,
        }
    } catch (error) {
      await this.#evaluateLess(all, problemOf(error))
    }
  }

  #show(answer: EvaluationAnswer, question: EvaluationQuestion, all: EvaluationQuestion): void {
    this.problem = this.choicesProblem = undefined
    if (question === all) {
      this.#took.set(paceOf(all), answer.milliseconds)
      this.whole = this.shown = { ...answer, question }
      if (!all.choices.estimators)
        this.usual = {
          ...this.usual,
          estimators: answer.evaluation.estimates.map(({ estimator }) => estimator),
        }
    } else {
      const evaluation = withPlaces(answer.evaluation, all.choices.estimators)
      this.shown = { ...answer, evaluation, question: all }
    }
  }

  /** Where the log does not cover a rule, the nearest question that it can answer arrives a little later. */
  async #findNearest(question: EvaluationQuestion): Promise<void> {
    const { whole } = this
    if (whole?.question !== question || whole.evaluation.verdict.level !== 'refuse') return
    try {
      const nearest = await desk.nearest(question)
      if (this.whole === whole)
        this.whole = this.shown = { ...whole, evaluation: { ...whole.evaluation, ...nearest } }
    } catch {
      // The answer stands without it.
    }
  }

  /** Asks in the simplest way after a question failed: that shows whether its policy is at fault. */
  async #evaluateLess(question: EvaluationQuestion, problem: Problem): Promise<void> {
    // A range of rewards that the log does not keep to is a fault of the choices, too.
    const { rewardRange: _, ...choices } = question.choices
    const simplest = { ...question, choices: { ...choices, ...SIMPLEST } }
    this.whole = undefined
    try {
      const answer = await desk.evaluate(simplest)
      this.shown = { ...answer, question }
      const { diagnostics, verdict } = answer.evaluation
      this.weighed = { weights: await desk.weights(simplest), diagnostics, verdict, question }
      ;[this.problem, this.choicesProblem] = [undefined, problem]
    } catch (error) {
      ;[this.problem, this.choicesProblem] = [problemOf(error), undefined]
      this.shown = undefined
    }
  }

  async #compare(question: ComparisonQuestion): Promise<void> {
    try {
      const answer = await desk.compare(question)
      this.#took.set(paceOf(question), answer.milliseconds)
      this.comparisonProblem = undefined
      this.compared = { ...answer, question }
      if (!question.estimator) this.usual = { ...this.usual, estimator: answer.comparison.estimator }
    } catch (error) {
      this.comparisonProblem = problemOf(error)
      this.compared = undefined
    }
  }

  async #find(question: EvaluationQuestion): Promise<void> {
    const { whole } = this
    if (!whole) return
    try {
      const { truth } = whole
      this.evidence = { ...(await desk.evidence(question)), ...(truth !== null && { truth }) }
    } catch (error) {
      this.choicesProblem = problemOf(error)
    }
  }
}

/** What decides how long an answer takes. */
const paceOf = (question: EvaluationQuestion): string =>
  JSON.stringify(question, (name, value: unknown) => (name === 'temperature' ? undefined : value))
