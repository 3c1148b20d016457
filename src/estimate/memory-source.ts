import { HindcastError } from '../error.js'
import { hashText } from '../random/stream.js'
import { CompensatedSums } from '../sum.js'
import { type ClusterBy, Moments, type MomentSource } from './moments.js'
import type { WeighedRows } from './rows.js'
import type { RowValues, Term } from './term.js'

/** Sums over rows in typed arrays. */
export function memorySource(rows: WeighedRows): MomentSource {
  return {
    moments: async (terms, clusterBy) => {
      const { index, keys } = clustersOf(rows, clusterBy)
      return new Moments(keys, sumTerms(rows, terms, index, keys.length))
    },
  }
}

/** The cluster of each row, and the key of each cluster. */
function clustersOf({ log }: WeighedRows, clusterBy: ClusterBy): { index: Uint32Array; keys: Uint32Array } {
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
function occurring(index: Uint32Array, ids: readonly string[]): { index: Uint32Array; keys: Uint32Array } {
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

/** Compensated sums by cluster; a row that stands for several impressions counts as many. */
function sumTerms(
  rows: WeighedRows,
  terms: readonly Term[],
  index: Uint32Array,
  clusters: number,
): Map<string, Float64Array> {
  const { log, weight, prediction, value, categoryWeight } = rows
  const sums = terms.map(() => new CompensatedSums(clusters))
  const row: RowValues = { r: 0, w: 0, q: NaN, v: NaN, m: NaN }
  for (let k = 0; k < log.rows; k++) {
    row.r = log.reward[k]!
    row.w = weight[k]!
    if (prediction) row.q = prediction[k]!
    if (value) row.v = value[k]!
    if (categoryWeight) row.m = categoryWeight[k]!
    const count = log.weight ? log.weight[k]! : 1
    const g = index[k]!
    for (let t = 0; t < terms.length; t++) sums[t]!.add(g, count * terms[t]!.of(row))
  }
  return new Map(terms.map(({ name }, t) => [name, sums[t]!.finish()]))
}
