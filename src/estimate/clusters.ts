import { HindcastError } from '../error.js'
import type { Log } from '../log/log.js'
import { hashText } from '../random/stream.js'
import type { ClusterBy } from './moments.js'

/** Which rows of a log belong together. */
export interface Clusters {
  /** The cluster of each row. */
  readonly index: Uint32Array
  /** The key of each cluster, in the order in which they first occur. */
  readonly keys: Uint32Array
}

/** The cluster of each row, and the key of each cluster. */
export function clustersOf(log: Log, clusterBy: ClusterBy): Clusters {
  if (clusterBy === 'row') {
    const index = Uint32Array.from({ length: log.rows }, (_, row) => row)
    return { index, keys: index.map((row) => hashText(String(row))) }
  }
  if (clusterBy === 'user') return occurring(log.user, log.userIds)
  if (!log.cluster || !log.clusterIds)
    throw new HindcastError('missing-column', 'The log has no cluster column.', {
      remedy: 'Name it with --columns cluster=NAME, or cluster by user or row.',
    })
  return occurring(log.cluster, log.clusterIds)
}

/** Only clusters with rows count: an id without a row is no observation. */
function occurring(index: Uint32Array, ids: readonly string[]): Clusters {
  const placeOf = new Int32Array(ids.length).fill(-1)
  const keys: number[] = []
  const places = new Uint32Array(index.length)
  for (let row = 0; row < index.length; row++) {
    const id = index[row]!
    if (placeOf[id] === -1) {
      placeOf[id] = keys.length
      keys.push(hashText(ids[id]!))
    }
    places[row] = placeOf[id]!
  }
  return { index: places, keys: Uint32Array.from(keys) }
}
