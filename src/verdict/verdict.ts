/** How far an answer can be trusted. */
export type Level = 'trust' | 'caution' | 'refuse'

/**
 * What a verdict is good for: `decide` by the interval; be `careful`, for a fault may matter; the log `cannot-tell`, since it does
 * not cover the policy; `do-not-believe` it, since a fault moves it by more than its margin, or the policy was made from these rows.
 */
export type Means = 'decide' | 'careful' | 'cannot-tell' | 'do-not-believe'

/** The five questions of every verdict, in their order. */
export const QUESTIONS = ['declared', 'overlap', 'propensities', 'rewards', 'time'] as const

export type Question = (typeof QUESTIONS)[number]

/** How one question was answered. `note`: a fault that lowers nothing; `lacking`: the source could not answer; `not-applicable`: the log has no such column. */
export type QuestionLevel = Level | 'note' | 'not-said' | 'not-applicable' | 'lacking'

/** What a verdict says of one of its questions. */
export interface QuestionAnswer {
  readonly question: Question
  readonly level: QuestionLevel
  /** One line for people. */
  readonly text: string
}

/** One thing that was found. */
export interface Reason {
  readonly code: string
  /** A `note` lowers nothing. */
  readonly level: 'note' | 'caution' | 'refuse'
  readonly question: Question
  /** By how much the answer would move without the fault, in its own unit; null where that is not known. */
  readonly shift: number | null
  /** What moves it most: `item 17`, `hours 19–22`; null where nothing stands out. */
  readonly driver: string | null
  readonly message: string
  /** The number that the check went by. */
  readonly value: number | null
}

/** How far an answer can be trusted, what that means, and why. */
export interface Verdict {
  readonly level: Level
  readonly means: Means
  readonly questions: readonly QuestionAnswer[]
  /** The worst first. */
  readonly reasons: readonly Reason[]
  /** The interval as logged together with those without each fault beyond chance; absent where none is. */
  readonly hull?: readonly [number, number]
}

/** What decides a verdict, in a sentence: the worst reason, else how well the log covers the policy. */
export const groundsOf = ({ questions, reasons, level }: Verdict): string =>
  (level === 'trust'
    ? questions.find(({ question }) => question === 'overlap')?.text
    : reasons[0]?.message) ?? ''
