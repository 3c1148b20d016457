import { commandWords, typedOptions } from './command-line.js'
import { type LogChoices, logOptions } from './log-choices.js'

/** The choices that `hindcast describe` repeats. */
export interface DescribeChoices {
  readonly log: LogChoices
  /** Where to write the page. */
  readonly report?: string
}

/** The words after `hindcast` that describe a log again. */
export const describeCommandOf = ({ log, report }: DescribeChoices): string[] =>
  commandWords('describe', log.file, { ...logOptions(log), ...typedOptions({ report }) })
