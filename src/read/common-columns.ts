import { listed } from '../listed.js'
import type { ColumnOrigins } from '../log/bad-rows.js'
import { CANONICAL_NAMES, type Column, REQUIRED_COLUMNS } from '../log/columns.js'
import type { FindName } from '../log/layout.js'
import type { ReadOptions } from './plan.js'
import { commonlyNamed } from './synonyms.js'

/**
 * The columns that are found by other names too: those a log needs, and times where outcomes are joined. Of the others, a
 * wrong one would do more harm than none.
 */
const commonColumns = ({ join }: ReadOptions): readonly Column[] => [
  ...REQUIRED_COLUMNS,
  'propensity',
  ...(join ? (['time'] as const) : []),
]

/** Finds a column by another common name. */
export const byCommonName =
  (options: ReadOptions): FindName =>
  (column, names) =>
    commonColumns(options).includes(column) ? commonlyNamed(column, names) : undefined

/** Says which columns were read by another name than the log's own, if nobody asked for them. */
export function noteCommonNames(origins: ColumnOrigins, options: ReadOptions): void {
  const found = commonColumns(options).flatMap((column) => {
    const [name] = origins[column] ?? []
    const isOwn = name === CANONICAL_NAMES[column] || options.columns?.[column] !== undefined
    return name === undefined || isOwn ? [] : [{ name, column }]
  })
  const told = found.map(({ name, column }, k) => `${name} ${k === 0 ? 'is read ' : ''}as the ${column}`)
  if (told.length > 0) options.onNote?.(`Judging by names, ${listed(told, 'and')}.`)
}
