import type { DayValues } from '$core/estimate/by-day.js'
import type { Segments } from '$core/estimate/evaluation.js'
import { type Problem, problemOf } from '../../../desk/call.js'
import type { EvaluationQuestion } from '../../../desk/target-choice.js'
import { linked } from '../../../linked.svelte.js'
import { NewestOnly, type Step } from '../../../parts/newest-only.js'
import { desk } from '../../../desks.js'
import type { Answered } from '../answers.svelte.js'

/** What rows are divided by, as links keep it and `hindcast evaluate --by` takes it; empty for nothing. */
export const division = linked('segments', { by: '' })

/** What is asked about the answer for all rows. */
interface Asked {
  readonly answered: Answered
  readonly by: string
  readonly withDays: boolean
}

/** The newest answer by segment and by day, each with the question that it answers. */
export class Divided {
  segments:
    | { readonly question: EvaluationQuestion; readonly by: string; readonly found: Segments }
    | undefined = $state.raw()
  days: { readonly question: EvaluationQuestion; readonly found: readonly DayValues[] } | undefined =
    $state.raw()
  problem: Problem | undefined = $state.raw()
  isAsking = $state(false)
  readonly #newest = new NewestOnly<Asked>(
    (asked) => this.#stepsOf(asked),
    () => (this.isAsking = false),
  )

  ask(asked: Asked): void {
    if (asked.by === '') this.segments = this.problem = undefined
    this.isAsking = true
    this.#newest.ask(asked)
  }

  stop(): void {
    this.#newest.stop()
  }

  /** The segments of an answer, where they are known. */
  of({ question }: Answered): { readonly by: string; readonly segments: Segments } | undefined {
    const { segments } = this
    return segments?.question === question && segments.by === division.by
      ? { by: segments.by, segments: segments.found }
      : undefined
  }

  #stepsOf({ answered, by, withDays }: Asked): Step[] {
    return [
      ...(by === '' ? [] : [{ waits: true, run: () => this.#divide(answered, by) }]),
      ...(withDays ? [{ waits: true, run: () => this.#byDay(answered) }] : []),
    ]
  }

  async #divide({ question, evaluation }: Answered, by: string): Promise<void> {
    const { estimates, verdict, target } = evaluation
    try {
      const found = await desk.segments({ ...question, by, whole: { estimates, verdict, target } })
      this.segments = { question, by, found }
      this.problem = undefined
    } catch (error) {
      ;[this.segments, this.problem] = [undefined, problemOf(error)]
    }
  }

  async #byDay({ question }: Answered): Promise<void> {
    try {
      this.days = { question, found: await desk.days(question) }
    } catch {
      // What is wrong with the question is said where it is answered.
      this.days = undefined
    }
  }
}
