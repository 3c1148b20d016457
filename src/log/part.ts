import type { LogStamp } from './stamp.js'

export const PART_SCHEMA = 'hindcast.part/1'

/** The ending of the file beside a log or a policy that says what it was made from. */
export const SIDECAR = '.hindcast.json'

/** A log by its file and the hash of its rows. */
interface NamedRows {
  readonly file: string
  readonly from: string
  readonly rows: number
}

/** What stands beside a part of a log. Copied beside a policy, it says that this was made from the part. */
export interface LogPart {
  readonly schema: typeof PART_SCHEMA
  readonly file: string
  readonly by: 'user' | 'time'
  /** Of the hash of users. */
  readonly seed: number
  /** From 1. */
  readonly part: number
  readonly parts: number
  /** The stamp of this part. */
  readonly made: LogStamp
  /** The log that was cut. */
  readonly of: NamedRows
  /** The other parts. */
  readonly others: readonly NamedRows[]
}
