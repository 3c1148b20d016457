import { advice, set } from '../../advice.js'
import { HindcastError } from '../../error.js'
import { daysOf } from '../../log/days.js'
import type { Log } from '../../log/log.js'
import { groupRows } from '../../log/row-groups.js'
import { md5Bucket } from '../../md5.js'
import { hashFurther, hashText } from '../../random/stream.js'
import { type ClusterBy, type ClusterColumn, columnsOfCluster, JOINT } from './moments.js'

/** The key of a cluster, from its id: whoever holds the cluster gets the same. A row that is a cluster of its own is called by its 0-based place. */
export const clusterKey = (id: string): number => hashText(id)

/** Which rows of a log belong together. */
export interface Clusters {
  /** The cluster of each row. */
  readonly index: Uint32Array
  /** The key of each cluster, in the order in which they first occur. */
  readonly keys: Uint32Array
  /** The bucket of each cluster, made when first asked for and kept. */
  readonly buckets: () => Uint16Array
  /** The id of a cluster. */
  readonly idOf: (cluster: number) => string
}

/** The cluster of each row, and the key of each cluster; `byColumn` gives those of a single column, if they are known already. */
export function clustersOf(
  log: Log,
  clusterBy: ClusterBy,
  byColumn = (column: ClusterColumn): Clusters => clustersByColumn(log, column),
): Clusters {
  const [first, ...others] = columnsOfCluster(clusterBy)
  return others.reduce((joint, column) => jointly(joint, byColumn(column)), byColumn(first!))
}

function clustersByColumn(log: Log, column: ClusterColumn): Clusters {
  if (column === 'row') {
    const index = new Uint32Array(log.rows)
    for (let row = 0; row < log.rows; row++) index[row] = row
    return {
      index,
      keys: rowKeys(log.rows),
      idOf: String,
      buckets: kept(() => Uint16Array.from(index, (row) => md5Bucket(String(row)))),
    }
  }
  if (column === 'user') return occurring(log.user, log.userIds)
  if (column === 'day') {
    const days = daysOf(log)
    if (!days) throw noDays()
    return occurring(days.index, days.ids)
  }
  const name = column.startsWith('column:') ? column.slice('column:'.length) : undefined
  const labels = name === undefined ? undefined : log.labels?.[name]
  if (labels) return occurring(labels.index, labels.ids)
  if (!log.cluster || !log.clusterIds) throw noClusterColumn(name)
  return occurring(log.cluster, log.clusterIds)
}

/** Clusters of the rows that agree in both; their ids are those of both with `JOINT` between. */
function jointly(first: Clusters, second: Clusters): Clusters {
  const rows = first.index.length
  const groups = groupRows(first.index, first.keys.length)
  const cellOf = new Uint32Array(rows)
  // The cell that each of the second clusters has within the present one of the first.
  const cellAt = new Uint32Array(second.keys.length)
  const seenIn = new Int32Array(second.keys.length).fill(-1)
  const [outer, inner]: number[][] = [[], []]
  for (let g = 0; g < first.keys.length; g++)
    for (let k = groups.start[g]!; k < groups.start[g + 1]!; k++) {
      const row = groups.rows[k]!
      const other = second.index[row]!
      if (seenIn[other] !== g) {
        seenIn[other] = g
        cellAt[other] = outer!.push(g) - 1
        inner!.push(other)
      }
      cellOf[row] = cellAt[other]!
    }
  const idOf = (cell: number): string => first.idOf(outer![cell]!) + JOINT + second.idOf(inner![cell]!)
  const ends = Array.from(second.keys, (_, other) => JOINT + second.idOf(other))
  const keyOf = (cell: number): number => {
    let key = first.keys[outer![cell]!]!
    const end = ends[inner![cell]!]!
    for (let k = 0; k < end.length; k++) key = hashFurther(key, end.charCodeAt(k))
    return key
  }
  return {
    index: cellOf,
    keys: Uint32Array.from(outer!, (_, cell) => keyOf(cell)),
    idOf,
    buckets: kept(() => Uint16Array.from(outer!, (_, cell) => md5Bucket(idOf(cell)))),
  }
}

/** The error for a log that is to be clustered by day and has no times of a clock. */
export const noDays = (): HindcastError =>
  new HindcastError('missing-column', 'The log has no times from which its days could be told.', {
    remedy: advice`Name the column with ${set('columns', 'time=NAME')}: dates, or seconds or milliseconds since 1970. Or cluster by user.`,
  })

/** The error for a log that is to be clustered by a column which it does not have. */
export const noClusterColumn = (name?: string): HindcastError =>
  new HindcastError('missing-column', `The log has no ${name ?? 'cluster'} column.`, {
    remedy: advice`Name it with ${set('columns', `cluster=${name ?? 'NAME'}`)}, or cluster by user or row.`,
  })

/** The keys of rows, each called by its place: the hash of 123 is that of 12, taken one digit further. */
function rowKeys(rows: number): Uint32Array {
  const keys = new Uint32Array(rows)
  for (let row = 0; row < Math.min(10, rows); row++) keys[row] = clusterKey(String(row))
  for (let row = 10; row < rows; row++) keys[row] = hashFurther(keys[Math.floor(row / 10)]!, 48 + (row % 10))
  return keys
}

/** Only clusters with rows count: an id without a row is not an observation. */
function occurring(index: Uint32Array, ids: readonly string[]): Clusters {
  const placeOf = new Int32Array(ids.length).fill(-1)
  const found: number[] = []
  const places = new Uint32Array(index.length)
  for (let row = 0; row < index.length; row++) {
    const id = index[row]!
    if (placeOf[id] === -1) placeOf[id] = found.push(id) - 1
    places[row] = placeOf[id]!
  }
  return {
    index: places,
    keys: Uint32Array.from(found, (id) => clusterKey(ids[id]!)),
    idOf: (cluster) => ids[found[cluster]!]!,
    buckets: kept(() => Uint16Array.from(found, (id) => md5Bucket(ids[id]!))),
  }
}

function kept<Value>(make: () => Value): () => Value {
  let value: Value | undefined
  return () => (value ??= make())
}
