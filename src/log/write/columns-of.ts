import { CANONICAL_NAMES } from '../columns.js'
import type { Log } from '../log.js'

/** A column of a log, ready to be written under its canonical name, or that which a further column has in its file. */
export type WrittenColumn =
  | { readonly name: string; readonly ids: readonly string[]; readonly index: Uint32Array }
  | { readonly name: string; readonly values: Float64Array }

/** The columns a log has, in the order in which they are written. */
export function columnsOf(log: Log): WrittenColumn[] {
  const columns: WrittenColumn[] = [
    { name: CANONICAL_NAMES.user, ids: log.userIds, index: log.user },
    { name: CANONICAL_NAMES.item, ids: log.itemIds, index: log.item },
    { name: CANONICAL_NAMES.reward, values: log.reward },
  ]
  const addNumbers = (column: 'propensity' | 'target' | 'position' | 'time' | 'weight' | 'q' | 'v'): void => {
    const values = log[column]
    if (values) columns.push({ name: CANONICAL_NAMES[column], values })
  }
  addNumbers('propensity')
  addNumbers('target')
  if (log.slate && log.slateIds)
    columns.push({ name: CANONICAL_NAMES.slate, ids: log.slateIds, index: log.slate })
  addNumbers('position')
  addNumbers('time')
  if (log.cluster && log.clusterIds)
    columns.push({ name: CANONICAL_NAMES.cluster, ids: log.clusterIds, index: log.cluster })
  addNumbers('weight')
  addNumbers('q')
  addNumbers('v')
  // A column that is in the log already may be kept as labels too: it is written once.
  const written = new Set(columns.map(({ name }) => name))
  for (const [name, { index, ids }] of Object.entries(log.labels ?? {}))
    if (!written.has(name)) columns.push({ name, ids, index })
  for (const [name, values] of Object.entries(log.numbers ?? {}))
    if (!written.has(name)) columns.push({ name, values })
  return columns
}
