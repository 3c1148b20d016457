import { advice, set } from '../../advice.js'
import { HindcastError } from '../../error.js'
import { daysOf } from '../../log/days.js'
import { guestOf } from '../../log/guest.js'
import type { Log } from '../../log/log.js'
import { groupRows } from '../../log/row-groups.js'
import { hashFurther, hashText } from '../../random/stream.js'
import { cellBucketOfIds } from '../../sql/cell-bucket.js'
import { idBucket } from '../../sql/id-bucket.js'
import { type ClusterBy, type ClusterColumn, columnsOfCluster, dayOfCell, JOINT } from './moments.js'

/** The key of a cluster, from its id: whoever holds the cluster gets the same. A row that is a cluster of its own is called by its 0-based place. */
export const clusterKey = (id: string): number => hashText(id)

/** Which rows of a log belong together. */
export interface Clusters {
  /** The cluster of each row. */
  readonly index: Uint32Array
  readonly count: number
  /** The key of each cluster, in the order of their indices, made when first asked for and kept. */
  readonly keys: () => Uint32Array
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
  const bucketOf = (id: string): number => bucketOfCluster(clusterBy, id)
  return others.reduce((joint, column) => jointly(joint, byColumn(column), bucketOf), byColumn(first!))
}

/** The bucket of a cluster, from its id. */
export function bucketOfCluster(clusterBy: ClusterBy, id: string): number {
  const day = dayOfCell(clusterBy)
  if (day === undefined) return idBucket(id)
  // The other id may have the sign too; a day has none.
  const at = day === 0 ? id.indexOf(JOINT) : id.lastIndexOf(JOINT)
  const ids = [id.slice(0, at), id.slice(at + JOINT.length)]
  return cellBucketOfIds(ids[1 - day]!, ids[day]!)
}

function clustersByColumn(log: Log, column: ClusterColumn): Clusters {
  if (column === 'row') {
    const index = new Uint32Array(log.rows)
    for (let row = 0; row < log.rows; row++) index[row] = row
    return {
      index,
      count: log.rows,
      keys: kept(() => rowKeys(log.rows)),
      idOf: String,
      buckets: kept(() => Uint16Array.from(index, (row) => idBucket(String(row)))),
    }
  }
  if (column === 'user') return usersOf(log)
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

/** Users, and the rows of an id that is no person by what tells them apart; the ids of those are joined as of cells. */
function usersOf(log: Log): Clusters {
  const guest = guestOf(log)
  if (!guest || guest.by === 'user') return occurring(log.user, log.userIds)
  const parts = guest.by === 'hour' ? daysOf(log, 24)! : clustersByColumn(log, 'row')
  const idOf = (part: number): string =>
    guest.id + JOINT + ('ids' in parts ? parts.ids[part]! : parts.idOf(part))
  const own = log.userIds.indexOf(guest.id)
  const ids = [...log.userIds]
  const placeOf = new Map<number, number>()
  const index = log.user.map((user, row) => {
    if (user !== own) return user
    const part = parts.index[row]!
    let place = placeOf.get(part)
    if (place === undefined) placeOf.set(part, (place = ids.push(idOf(part)) - 1))
    return place
  })
  return occurring(index, ids)
}

/** Clusters of the rows that agree in both; their ids are those of both with `JOINT` between, and their buckets come from those. */
function jointly(first: Clusters, second: Clusters, bucketOf: (id: string) => number): Clusters {
  const { index, ofFirst, ofSecond } = cellsOf(first, second)
  const idOf = (cell: number): string => first.idOf(ofFirst[cell]!) + JOINT + second.idOf(ofSecond[cell]!)
  const keysOf = (): Uint32Array => {
    const begins = first.keys()
    return ofFirst.map((own, cell) => {
      let key = begins[own]!
      const end = JOINT + second.idOf(ofSecond[cell]!)
      for (let k = 0; k < end.length; k++) key = hashFurther(key, end.charCodeAt(k))
      return key
    })
  }
  return {
    index,
    count: ofFirst.length,
    keys: kept(keysOf),
    idOf,
    buckets: kept(() => Uint16Array.from(ofFirst, (_, cell) => bucketOf(idOf(cell)))),
  }
}

/** Pairs of clusters that occur together. */
interface Cells {
  /** The cell of each row. */
  readonly index: Uint32Array
  /** The clusters that each cell is part of. */
  readonly ofFirst: Uint32Array
  readonly ofSecond: Uint32Array
}

/** The cells of two ways. Rows are taken by the clusters of the way with fewer: days in the order of a log, whose cells then follow each other in memory. */
function cellsOf(first: Clusters, second: Clusters): Cells {
  if (first.count < second.count) {
    const { index, ofFirst, ofSecond } = cellsOf(second, first)
    return { index, ofFirst: ofSecond, ofSecond: ofFirst }
  }
  const groups = groupRows(second.index, second.count)
  const index = new Uint32Array(first.index.length)
  const [inner, outer] = [new Uint32Array(index.length), new Uint32Array(index.length)]
  // The cell that each of the first clusters has within the present one of the second.
  const cellAt = new Uint32Array(first.count)
  const seenIn = new Int32Array(first.count).fill(-1)
  let cells = 0
  for (let g = 0; g < second.count; g++)
    for (let k = groups.start[g]!; k < groups.start[g + 1]!; k++) {
      const row = groups.rows[k]!
      const own = first.index[row]!
      if (seenIn[own] !== g) {
        seenIn[own] = g
        cellAt[own] = cells
        inner[cells] = own
        outer[cells++] = g
      }
      index[row] = cellAt[own]!
    }
  return { index, ofFirst: inner.slice(0, cells), ofSecond: outer.slice(0, cells) }
}

/** The error for a log that is to be clustered by day and has no times of a clock. */
export const noDays = (): HindcastError =>
  new HindcastError('missing-column', 'The log has no times, so its days are unknown.', {
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
    count: found.length,
    keys: kept(() => Uint32Array.from(found, (id) => clusterKey(ids[id]!))),
    idOf: (cluster) => ids[found[cluster]!]!,
    buckets: kept(() => Uint16Array.from(found, (id) => idBucket(ids[id]!))),
  }
}

function kept<Value>(make: () => Value): () => Value {
  let value: Value | undefined
  return () => (value ??= make())
}
