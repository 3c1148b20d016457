import type { Log } from '../../log/log.js'
import type { EvaluateSourceOptions } from '../evaluate-source.js'
import type { LoggersChoice } from '../loggers/loggers-choice.js'
import type { Target } from '../target.js'
import type { Asking, Query } from './source.js'

/** A log, and what a source is asked about it, whose answers must be those of memory. */
export interface SourceCase {
  readonly name: string
  make(): Log
  /** The kinds of targets for which it is asked. */
  readonly targets: readonly Exclude<Target['kind'], 'policy'>[]
  readonly queries: readonly Query[]
  /** The ways in which the rows are weighed, asked one after the other (default: as they are). */
  readonly weighed?: readonly Asking[]
  /** Evaluations, which must say the same where the source lacks nothing that was asked. */
  readonly evaluations?: readonly EvaluateSourceOptions[]
  /** The loggers that drew the rows. A source need not know of them. */
  readonly loggers?: LoggersChoice
  /** The source gets the rows in another order than memory. */
  readonly isShuffled?: boolean
}
