import type { Evaluation } from '../estimate/evaluation.js'
import { LOGGER_COLUMNS, loggerCells, loggersText } from '../words/log-text.js'
import { cut, GAP, textTable, WIDTH, wrap } from './format.js'
import type { Terminal } from './terminal.js'

/** Longer names of loggers are cut. */
const LONGEST_NAME = 24

/** What each logger says by itself, and how they count together; no lines where the log does not mark its loggers. */
export function loggersTable(evaluation: Evaluation, terminal: Terminal): string[] {
  const { loggers } = evaluation
  const text = loggersText(evaluation)
  if (!loggers || text === null) return []
  const rows = loggers.map(loggerCells).map(([name, ...cells]) => [cut(name!, LONGEST_NAME), ...cells])
  return [
    terminal.style('bold', 'What the rows of each logger say on their own'),
    ...textTable(LOGGER_COLUMNS, rows, terminal),
    wrap(text, WIDTH, GAP),
  ]
}
