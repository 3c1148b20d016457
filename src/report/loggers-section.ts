import type { Evaluation } from '../estimate/evaluation.js'
import type { Column } from '../figures/chart.js'
import { loggersText } from '../words/logger-text.js'
import type { Section } from './report.js'

const COLUMNS: readonly Column[] = [
  { name: 'logger', label: 'Logger' },
  { name: 'rows', label: 'Rows', kind: 'count' },
  { name: 'share', label: 'Share of the answer', kind: 'share' },
  { name: 'value', label: 'Reward under the target', kind: 'number' },
  { name: 'se', label: 'Standard error', kind: 'number' },
  { name: 'ess', label: 'Effective sample size', kind: 'count' },
]

/** What each logger says by itself, and how they count together; none where the log does not mark its loggers. */
export function loggersSections(evaluation: Evaluation): Section[] {
  const text = loggersText(evaluation)
  if (text === null) return []
  const rows = evaluation.loggers!.map(({ name, rows: own, share, value, se, ess }) => [
    name === '' ? '(none)' : name,
    Math.round(own),
    share,
    value,
    se,
    ess === null ? null : Math.round(ess),
  ])
  return [{ heading: 'Loggers', text: [text], table: { columns: COLUMNS, rows } }]
}
