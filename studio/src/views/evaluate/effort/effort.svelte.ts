import type { Plan } from '$core/estimate/plan/plan-record.js'
import type { Sensitivity } from '$core/estimate/evaluation.js'
import { type Problem, problemOf } from '../../../desk/call.js'
import type { PlanQuestion } from '../../../desk/effort.js'
import { linked } from '../../../linked.svelte.js'
import { NewestOnly, type Step } from '../../../parts/newest-only.js'
import { desk } from '../../../desks.js'
import type { Answered } from '../answers.svelte.js'

/** What a plan is for, as links keep it: the smallest difference of interest as typed, empty for the one seen. */
export const wanted = linked('plan', { detect: '' })

interface Asked {
  readonly answered: Answered
  readonly question: PlanQuestion
  /** Whether what takes further passes over the rows is asked for, too. */
  readonly isOpen: boolean
}

/** What it would take to decide, for the newest answer. */
export class Effort {
  plan: { readonly answered: Answered; readonly question: PlanQuestion; readonly found: Plan } | undefined =
    $state.raw()
  problem: Problem | undefined = $state.raw()
  /** Where the answer itself does not hold it. */
  sensitivity: { readonly answered: Answered; readonly found: Sensitivity | null } | undefined = $state.raw()
  readonly #newest = new NewestOnly<Asked>((asked) => this.#stepsOf(asked))

  ask(asked: Asked): void {
    this.#newest.ask(asked)
  }

  stop(): void {
    this.#newest.stop()
  }

  /** How wrong propensities may be for an answer; undefined while that is not known, null where it cannot be. */
  sensitivityOf(answered: Answered): Sensitivity | null | undefined {
    if (answered.evaluation.sensitivity) return answered.evaluation.sensitivity
    return this.sensitivity?.answered === answered ? this.sensitivity.found : undefined
  }

  #stepsOf({ answered, question, isOpen }: Asked): Step[] {
    const asksFurther = isOpen && this.sensitivityOf(answered) === undefined
    return [
      { waits: true, run: () => this.#planFor(answered, question) },
      ...(asksFurther ? [{ waits: true, run: () => this.#askFurther(answered) }] : []),
    ]
  }

  async #planFor(answered: Answered, question: PlanQuestion): Promise<void> {
    try {
      this.plan = { answered, question, found: await desk.plan(question) }
      this.problem = undefined
    } catch (error) {
      ;[this.plan, this.problem] = [undefined, problemOf(error)]
    }
  }

  async #askFurther(answered: Answered): Promise<void> {
    const { question, evaluation } = answered
    try {
      const found = await desk.sensitivity({ ...question, whole: { estimates: evaluation.estimates } })
      this.sensitivity = { answered, found }
    } catch {
      this.sensitivity = { answered, found: null }
    }
  }
}
