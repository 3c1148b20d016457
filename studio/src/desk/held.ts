import type { Log } from '$core/log/log.js'
import type { NamesInLog } from '$core/read/policy/policy-columns.js'
import type { World } from '$core/world/world.js'

/** What the worker keeps between questions. */
export interface Held {
  readonly log: Log
  /** The world that the log was drawn from, where the truth is known. */
  readonly world?: World
  /** The name of the file that it was read from, or that the command line writes it to. */
  readonly file?: string
  /** What the file calls its columns, where it is one. */
  readonly names?: NamesInLog
}

let current: Held | undefined

/** Keeps a log in place of the one before. */
export function hold(held: Held): void {
  current = held
}

/** What the log that is open calls its columns; undefined where none is open, or it says nothing. */
export const namesHeld = (): NamesInLog | undefined => current?.names

/** The log that is open. */
export function held(): Held {
  if (!current) throw new Error('No log is open.')
  return current
}
