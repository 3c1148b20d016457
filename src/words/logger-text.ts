import type { Evaluation, LoggerValue } from '../estimate/evaluation.js'
import { formatCount, formatShare } from '../number-text.js'
import { formatFixed, valueDecimals } from './estimate-text.js'

/** How the rows of several loggers count, in a sentence; null where the log does not mark them. */
export function loggersText({ loggers, loggersCounted }: Evaluation): string | null {
  if (!loggers) return null
  if (loggers.length === 1) return 'All rows were drawn by one logger.'
  const all = `${loggers.length} loggers`
  switch (loggersCounted) {
    case 'balanced':
      return `Weights are balanced: the target’s probability over the mean probability under the ${all}.`
    case 'strata':
      return `The answer is a mean over the ${all}, each counted by how precisely it answers.`
    default:
      return `Every row counts alike, whichever of the ${all} drew it.`
  }
}

/** What the columns of `loggerCells` hold. */
export const LOGGER_COLUMNS = ['logger', 'rows', 'share', 'reward', 'SE', 'ESS'] as const

/** What a logger's rows say by themselves, as cells: its name, rows, share of the answer, reward under the target, standard error, effective sample size. */
export function loggerCells({ name, rows, share, value, se, ess }: LoggerValue): string[] {
  const decimals = value === null ? 0 : valueDecimals(value, se === null ? null : [value - se, value + se])
  return [
    loggerLabel(name),
    formatCount(Math.round(rows)),
    formatShare(share),
    value === null ? '–' : formatFixed(value, decimals),
    se === null ? '–' : formatFixed(se, decimals),
    ess === null ? '–' : formatCount(Math.round(ess)),
  ]
}

/** A logger as people read it. */
const loggerLabel = (name: string): string => (name === '' ? '(none)' : name)
