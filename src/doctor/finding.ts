import { type Advice, type Change, set } from '../advice.js'
import { CANONICAL_NAMES, type NumberColumn } from '../log/columns.js'
import { type ColumnMapping, mappingText } from '../log/layout.js'
import type { Log } from '../log/log.js'
import { nameText } from '../log/values/value.js'
import { formatCount } from '../number-text.js'

/** One mistake, or one thing worth knowing, that the doctor found in a log. */
export interface Finding {
  /** A short stable word: `log-probabilities`, `copied-rows`. */
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
  /** What moves an answer most: `item 17`, `hours 20–23`; absent where nothing stands out. */
  readonly driver?: string
  /** Up to five example rows, 0-based. */
  readonly rows: readonly number[]
  /** Up to five example events, 0-based places in the file of the outcomes; absent if the finding is not about them. */
  readonly outcomes?: readonly number[]
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
  /** Rows that break a rule. */
  readonly broken?: ReadonlySet<number>
}

/** Checks a log for one kind of mistake. */
export type Check = (examination: Examination) => Finding[]

/** How many rows of a log satisfy a condition, and the first five of them. */
export interface MatchingRows {
  readonly count: number
  readonly rows: readonly number[]
}

/** Counts the rows 0 … `length − 1` for which `matches` holds. */
export function matchingRows(length: number, matches: (row: number) => boolean): MatchingRows {
  const rows: number[] = []
  let count = 0
  for (let k = 0; k < length; k++) {
    if (!matches(k)) continue
    count++
    if (rows.length < 5) rows.push(k)
  }
  return { count, rows }
}

/** A number rounded to four significant digits, or to as many as it takes to distinguish it from 1. */
export function figure(value: number): string {
  const plain = plainFigure(value)
  return Math.abs(value) >= 1000 ? formatCount(Number(plain)) : plain
}

/** The same without separated thousands, for formulas to copy. */
export function plainFigure(value: number): string {
  const rounded = Number(value.toPrecision(4))
  return String(rounded === 1 ? value : rounded)
}

/** Another value for a column: as a setting to advise, and as what mends the log. */
export interface Revalued {
  readonly setting: Change
  readonly mend: Extract<Mend, { kind: 'values' }>
}

/**
 * Computes a column of the log from what it is read from now: `revalued(examination, 'propensity', (p) => `${p} / 100`)`.
 * The setting repeats what else a person asked for, so that it can be used as it is.
 */
export function revalued(
  examination: Pick<Examination, 'mapping' | 'asked' | 'names'>,
  column: NumberColumn,
  change: (now: string) => string,
): Revalued {
  const columns: ColumnMapping = { [column]: change(currentText(examination, column)) }
  return {
    setting: set('columns', mappingText({ ...examination.asked, ...columns })),
    mend: { kind: 'values', columns },
  }
}

/** What a column is read from, as it stands in a value: a name, in quotes if need be, or a value in parentheses. */
function currentText(
  { mapping, names }: Pick<Examination, 'mapping' | 'names'>,
  column: NumberColumn,
): string {
  const text = mapping[column] ?? CANONICAL_NAMES[column]
  const isName = names ? names.includes(text) : nameText(text) === text
  if (isName) return nameText(text)
  return /^\w+\([^()]*\)$/.test(text) ? text : `(${text})`
}

export const DIAGNOSIS_SCHEMA = 'hindcast.diagnosis/1'

/**
 * What mends a finding: other values for columns, copies left out, rows in the order of time. The kinds `judged` and `clicks`
 * are for a person to agree to: `mendLog` leaves them.
 */
export type OfferedMend =
  | Extract<Mend, { kind: 'values' | 'judged' | 'clicks' }>
  | { readonly kind: 'copies' | 'order' }

/** A finding whose example rows have been looked up in the file. */
export interface LocatedFinding extends Omit<Finding, 'rows' | 'outcomes' | 'column' | 'remedy' | 'mend'> {
  /** The column of the file, if the finding is about one. */
  readonly column: string | null
  /** What to do, in the words of the place that shows it. */
  readonly remedy: string
  /** Absent if nothing can be pressed or typed. */
  readonly mend?: OfferedMend
  /** 1-based line numbers of the examples (row numbers for Parquet). */
  readonly lines: readonly number[]
  /** What identifies the examples where lines mean nothing, in a table of a warehouse: `key 17`. */
  readonly examples?: readonly string[]
  /** The file of those lines, if it is that of the outcomes. */
  readonly file?: string
}

/** Everything the doctor found in a file. */
export interface Diagnosis {
  readonly schema: typeof DIAGNOSIS_SCHEMA
  readonly file: string
  /** The rows that were examined. */
  readonly rows: number
  /** The rows of the whole log, where only some were examined. */
  readonly of?: number
  /** True when no finding is a problem. */
  readonly clean: boolean
  readonly findings: readonly LocatedFinding[]
}
