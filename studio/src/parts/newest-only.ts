/** Something to do about a question. */
export interface Step {
  /** Whether it is only done once no newer question has come for a while. */
  readonly waits: boolean
  run(): Promise<void>
}

/** A pause this long without a question, in milliseconds, is a rest. */
const REST = 200

/**
 * Answers questions of which only the newest matters, as while a slider moves: one step at a time, and after each the
 * newest question is turned to, the ones before it forgotten.
 */
export class NewestOnly<Question> {
  readonly #stepsOf: (question: Question) => readonly Step[]
  readonly #onIdle: () => void
  /** Asked and not yet turned to. */
  #next: { readonly question: Question } | undefined
  #isRunning = false
  #isStopped = false
  #wake: (() => void) | undefined

  /** `stepsOf` says what to do about a question, in order; `onIdle` is called when there is nothing left to do. */
  constructor(stepsOf: (question: Question) => readonly Step[], onIdle: () => void = () => {}) {
    this.#stepsOf = stepsOf
    this.#onIdle = onIdle
  }

  /** Turns to a question as soon as the current step is done. */
  ask(question: Question): void {
    this.#next = { question }
    this.#isStopped = false
    this.#wake?.()
    if (!this.#isRunning) void this.#run()
  }

  /** Forgets all questions; the current step ends by itself. */
  stop(): void {
    this.#next = undefined
    this.#isStopped = true
    this.#wake?.()
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    while (this.#next) {
      const { question } = this.#next
      this.#next = undefined
      await this.#answer(this.#stepsOf(question))
    }
    this.#isRunning = false
    this.#onIdle()
  }

  async #answer(steps: readonly Step[]): Promise<void> {
    let hasRested = false
    for (const step of steps) {
      if (step.waits && !hasRested) {
        if (!(await this.#rest())) return
        hasRested = true
      }
      await step.run()
      if (this.#next || this.#isStopped) return
    }
  }

  /** Waits; false where a newer question, or the end, came before the time was over. */
  #rest(): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#end(resolve, true), REST)
      this.#wake = () => {
        clearTimeout(timer)
        this.#end(resolve, false)
      }
    })
  }

  #end(resolve: (isOver: boolean) => void, isOver: boolean): void {
    this.#wake = undefined
    resolve(isOver)
  }
}
