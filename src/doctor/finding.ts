import type { Advice } from '../advice.js'
import type { ColumnMapping } from '../log/layout.js'
import type { Log } from '../log/log.js'

/** One mistake, or one thing worth knowing, that the doctor found in a log. */
export interface Finding {
  /** A short stable word: `log-probabilities`, `duplicated-impressions`. */
  readonly code: string
  /** A `problem` makes conclusions wrong; a `note` is worth knowing. */
  readonly level: 'problem' | 'note'
  /** The column of the log it is about, by its Hindcast name: `user`, `reward`, `propensity`, … */
  readonly column?: string
  /** What was observed, in a sentence with numbers. */
  readonly seen: string
  /** Why it matters, in a sentence or two. */
  readonly why: string
  /** What to do, in a sentence or two, with the setting or expression to use, if there is one. */
  readonly remedy: string | Advice
  /** The numbers behind `seen`. */
  readonly numbers: Readonly<Record<string, number>>
  /** Up to five example rows, 0-based. */
  readonly rows: readonly number[]
  /** Up to five example events, 0-based places in the file of the outcomes; absent if the finding is not about them. */
  readonly outcomes?: readonly number[]
  /** What becomes of the verdict of an evaluation of such a log, at best; absent if it may stay *trust*. */
  readonly lowersTo?: 'caution' | 'refuse'
  /** What mends it; absent if nothing does. */
  readonly mend?: Mend
}

/**
 * What mends a finding: other values for columns, rows to leave out, or another order of the rows; where only a person knows
 * what is meant, values to agree to, or ratings to count as clicks from one on.
 */
export type Mend =
  | { readonly kind: 'values'; readonly columns: ColumnMapping }
  | { readonly kind: 'judged'; readonly columns: ColumnMapping }
  | { readonly kind: 'clicks'; readonly from: number }
  /** The rows that are copies of others, ascending. */
  | { readonly kind: 'copies'; readonly rows: () => Uint32Array }
  | { readonly kind: 'order' }

/** A log as read, before any rule was applied, and how its columns were mapped. */
export interface Examination {
  /**
   * Columns as they stand in the file: NaN where a number is missing, propensities possibly outside (0, 1].
   */
  readonly log: Log
  /** The column of the file behind each column of the log: `{ user: 'user_id', … }`. */
  readonly mapping: Readonly<Record<string, string>>
  /** The mapping that a person asked for. */
  readonly asked?: ColumnMapping
  /** The columns of the file, where known. */
  readonly names?: readonly string[]
}

/** Checks a log for one kind of mistake. */
export type Check = (examination: Examination) => Finding[]
