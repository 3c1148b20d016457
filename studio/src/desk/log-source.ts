import type { Header } from '$core/log/bytes/detect.js'
import type { JoinOptions, Kinds } from '$core/log/join/join-options.js'
import type { ColumnMapping } from '$core/log/layout.js'

/** How the columns of a file become a log, as chosen by options on the command line. */
export interface Reading {
  readonly format?: string
  readonly columns?: ColumnMapping
  /** Names for the columns of a table without a header line; `first` or `none` where a person has said so. */
  readonly header?: Header
  /** What stands in for propensities, as the command line takes it. */
  readonly propensity?: string
  /** Rewards of at least this much count as clicks. */
  readonly clickFrom?: number
  /** Whether rows that break a rule are left out instead of being an error. */
  readonly skipBadRows?: boolean
  /** Whether what the doctor can mend is mended first: copies left out, rows put in the order of time. */
  readonly mended?: boolean
  /** How outcomes that are events of their own are joined to what was shown. */
  readonly join?: JoinOptions
}

/** Where the outcomes of a file's impressions are, if they are events of their own: in a second file, or among its rows. */
export type Outcomes = { readonly file: File } | { readonly kinds: Kinds }

/** A file that a log is read from, with another for outcomes if they have one. */
export interface LogFiles {
  readonly file: File
  readonly outcomes?: Outcomes
}

/** Where a log comes from. */
export type LogSource =
  | { readonly kind: 'shop'; readonly seed: number }
  | { readonly kind: 'toy'; readonly seed: number }
  | { readonly kind: 'movielens'; readonly seed: number; readonly temperature: number }
  | (LogFiles & { readonly kind: 'file'; readonly reading: Reading })

/** The log that the server was started with. */
export const SERVED_LOG = { about: './log.json', bytes: './log' } as const
