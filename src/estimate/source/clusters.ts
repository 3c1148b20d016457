import { advice, set } from '../../advice.js'
import { HindcastError } from '../../error.js'
import type { Log } from '../../log/log.js'
import { md5Bucket } from '../../md5.js'
import { hashFurther, hashText } from '../../random/stream.js'
import type { ClusterBy } from './moments.js'

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
}

/** The cluster of each row, and the key of each cluster. */
export function clustersOf(log: Log, clusterBy: ClusterBy): Clusters {
  if (clusterBy === 'row') {
    const index = new Uint32Array(log.rows)
    for (let row = 0; row < log.rows; row++) index[row] = row
    return {
      index,
      keys: rowKeys(log.rows),
      buckets: kept(() => Uint16Array.from(index, (row) => md5Bucket(String(row)))),
    }
  }
  if (clusterBy === 'user') return occurring(log.user, log.userIds)
  if (!log.cluster || !log.clusterIds) throw noClusterColumn()
  return occurring(log.cluster, log.clusterIds)
}

/** The error for a log that is to be clustered by a column which it does not have. */
export const noClusterColumn = (): HindcastError =>
  new HindcastError('missing-column', 'The log has no cluster column.', {
    remedy: advice`Name it with ${set('columns', 'cluster=NAME')}, or cluster by user or row.`,
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
    buckets: kept(() => Uint16Array.from(found, (id) => md5Bucket(ids[id]!))),
  }
}

function kept<Value>(make: () => Value): () => Value {
  let value: Value | undefined
  return () => (value ??= make())
}
