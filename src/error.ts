import { type Advice, asFields, type Change, changesIn, type SettingWords, worded } from './advice.js'

/** What went wrong, as a short stable word that programs can test for. */
export type ErrorCode =
  | 'bad-rows' // rows break a rule of the log
  | 'bad-file' // the file is empty, truncated or not of the expected kind
  | 'bad-option' // an option has a value that cannot be used
  | 'data-unavailable' // a data set is neither on disk nor available from the network
  | 'device-full' // the work needs more memory than the GPU has
  | 'device-lost' // the GPU was lost during the work
  | 'diverged' // training produced numbers that are not finite
  | 'interrupted' // the user or an AbortSignal ended the work
  | 'missing-column' // the log lacks a column that is needed
  | 'missing-propensity' // no propensity column and no stand-in chosen
  | 'no-device' // no GPU is available
  | 'not-found' // no such file or folder
  | 'unknown-name' // no such command, format, data set or option
  | 'write-failed' // the result could not be written

export interface ErrorOptions {
  /** What the user can do next, as full sentences; settings to change appear in it as data. */
  remedy?: string | Advice
  cause?: unknown
}

/**
 * The one error class of Hindcast: a stable code, what happened, and what to do next. `message` and `remedy` name
 * settings as the library does; `worded` names them as the command line or a page does.
 */
export class HindcastError extends Error {
  override readonly name = 'HindcastError'
  readonly code: ErrorCode
  readonly remedy: string | undefined
  readonly #said: string | Advice
  readonly #advised: string | Advice | undefined

  constructor(code: ErrorCode, message: string | Advice, options: ErrorOptions = {}) {
    super(worded(message, asFields), options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.#said = message
    this.#advised = options.remedy
    this.remedy = options.remedy === undefined ? undefined : worded(options.remedy, asFields)
  }

  /** What to do next, with settings as data. */
  get advice(): Advice {
    return this.#advised === undefined ? [] : [this.#advised].flat()
  }

  /** The settings that message and remedy mention, in order. */
  get changes(): Change[] {
    return [...changesIn(this.#said), ...changesIn(this.#advised ?? '')]
  }

  /** Message and remedy with settings named by `words`. */
  worded(words: SettingWords): { message: string; remedy?: string } {
    const message = worded(this.#said, words)
    return this.#advised === undefined ? { message } : { message, remedy: worded(this.#advised, words) }
  }
}

/** The error for an option that has a value that cannot be used, and what can be done instead. */
export const badOption = (message: string | Advice, remedy: string | Advice): HindcastError =>
  new HindcastError('bad-option', message, { remedy })

/** Throws an `interrupted` error once the signal has been aborted; for use between steps of long work. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new HindcastError('interrupted', 'Interrupted.', { cause: signal.reason })
}

/** Whether work ended because it was interrupted. */
export const isInterruption = (error: unknown): boolean =>
  error instanceof HindcastError && error.code === 'interrupted'
