/** A column of an answer. */
export interface TrinoColumn {
  readonly name: string
  readonly type: string
}

/** A cell: doubles that are no JSON numbers come as `NaN`, `Infinity` and `-Infinity`, decimals and times as texts. */
export type TrinoCell = string | number | boolean | null

/** Why a query failed, as Trino says it. */
export interface TrinoError {
  readonly message: string
  /** A stable name such as `TABLE_NOT_FOUND`. */
  readonly errorName: string
  readonly errorType?: string
}

/** One page of an answer; the next is at `nextUri` until there is none. */
export interface TrinoPage {
  readonly id: string
  readonly nextUri?: string
  readonly columns?: readonly TrinoColumn[]
  readonly data?: readonly (readonly TrinoCell[])[]
  readonly error?: TrinoError
  readonly stats?: { readonly state?: string; readonly progressPercentage?: number }
}

/** A query that Trino answered with an error. */
export class TrinoRefusal extends Error {
  override readonly name = 'TrinoRefusal'
  readonly error: TrinoError

  constructor(error: TrinoError) {
    super(error.message)
    this.error = error
  }
}

/** An answer of the server, or of something before it, with a status that is none of the protocol. */
export class UnexpectedStatus extends Error {
  override readonly name = 'UnexpectedStatus'
  readonly status: number

  constructor(status: number) {
    super(`HTTP ${status}`)
    this.status = status
  }
}
