import { type Change, set } from '../advice.js'
import { CANONICAL_NAMES, type NumberColumn } from '../log/columns.js'
import { type ColumnMapping, mappingText } from '../log/layout.js'
import { nameText } from '../log/values/value.js'
import type { Examination, Mend } from './finding.js'

/** Another value for a column: as a setting to advise, and as what mends the log. */
export interface Revalued {
  readonly setting: Change
  readonly mend: Extract<Mend, { kind: 'values' }>
}

/**
 * Computes a column of the log from what it is read from now: `revalued(examination, 'propensity', (p) => `${p} / 100`)`.
 * The setting repeats what else a person asked for, so that it can be used as it is.
 */
export function revalued(
  examination: Pick<Examination, 'mapping' | 'asked' | 'names'>,
  column: NumberColumn,
  change: (now: string) => string,
): Revalued {
  const columns: ColumnMapping = { [column]: change(currentText(examination, column)) }
  return {
    setting: set('columns', mappingText({ ...examination.asked, ...columns })),
    mend: { kind: 'values', columns },
  }
}

/** What a column is read from, as it stands in a value: a name, in quotes if need be, or a value in parentheses. */
function currentText(
  { mapping, names }: Pick<Examination, 'mapping' | 'names'>,
  column: NumberColumn,
): string {
  const text = mapping[column] ?? CANONICAL_NAMES[column]
  const isName = names ? names.includes(text) : nameText(text) === text
  if (isName) return nameText(text)
  return /^\w+\([^()]*\)$/.test(text) ? text : `(${text})`
}
