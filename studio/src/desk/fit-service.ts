import { type FitColumns, type LogFit, logFitter } from '$core/estimate/log-fit.js'

/** A log, under a number of its own. */
export interface NumberedLog {
  readonly number: number
  readonly log: FitColumns
}

/** What is asked about a target: the number of the log, the weights of its rows, and whether user by user too. */
export interface FitQuestion {
  readonly number: number
  readonly weights: Float64Array
  readonly withUsers: boolean
}

let held: { readonly number: number; readonly fit: ReturnType<typeof logFitter> } | undefined

/** What the desk can ask the worker that knows how targets fit a log. */
export const fitService = {
  hold({ number, log }: NumberedLog): void {
    held = { number, fit: logFitter(log) }
  },
  fit({ number, weights, withUsers }: FitQuestion): LogFit {
    // Its log may not have arrived, or another one since.
    if (held?.number !== number) throw new Error('This log is not held here.')
    return held.fit(weights, withUsers)
  },
}
export type FitService = typeof fitService
