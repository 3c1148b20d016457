import type { Finding, Mend } from './finding.js'

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
