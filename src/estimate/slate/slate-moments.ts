import { CompensatedSums } from '../../sum.js'
import { HindcastError } from '../../error.js'
import type { Log } from '../../log/log.js'
import { idBucket } from '../../sql/id-bucket.js'
import { type Clusters, clusterKey, clustersOf } from '../source/clusters.js'
import { type ClusterBy, Moments, groupingOf } from '../source/moments.js'
import type { WeighedRows } from '../source/sum-terms.js'
import type { Term } from '../term.js'
import { ofSlate, type SlateTerm, type SlateValues } from './slate-term.js'
import { type Slates, slatesOf } from './slates.js'

/**
 * Sums over the slates of a log, for slate estimators. The cluster is that of the slate's rows or, for `row`, the slate
 * itself. An error names an invalid slate.
 */
export function slateMoments(rows: WeighedRows, terms: readonly Term[], clusterBy: ClusterBy): Moments {
  const slates = slatesOf(rows.log)
  const clusters = clustersOfSlates(rows.log, slates, clusterBy)
  return new Moments(
    clusters.keys(),
    sumTerms(rows, slates, terms.map(asSlateTerm), clusters.index, clusters.count),
    groupingOf(clusters),
  )
}

/** A term that is one of slates; an error for any other. */
export function asSlateTerm(term: Term): SlateTerm {
  if ('page' in term) return term as SlateTerm
  throw new HindcastError('bad-option', `${term.name} is a sum over rows, not over slates.`, {
    remedy: 'Get it from a source of rows.',
  })
}

/** The clusters of slates, each that of its first row: the same as a source of rows has them. */
function clustersOfSlates(log: Log, { count, order, start }: Slates, clusterBy: ClusterBy): Clusters {
  const firstOf = (s: number): number => order[start[s]!]!
  if (clusterBy === 'row') {
    const idOf = (s: number): string => log.slateIds![log.slate![firstOf(s)]!]!
    const index = Uint32Array.from({ length: count }, (_, s) => s)
    return {
      index,
      count,
      keys: () => Uint32Array.from(index, (s) => clusterKey(idOf(s))),
      buckets: () => Uint16Array.from(index, (s) => idBucket(idOf(s))),
      idOf,
    }
  }
  const ofRows = clustersOf(log, clusterBy)
  const index = Uint32Array.from({ length: count }, (_, s) => ofRows.index[firstOf(s)]!)
  return withPages(ofRows, index)
}

/** Only clusters in which a page begins: a day that has but the end of one is no observation of pages. */
function withPages(ofRows: Clusters, ofPages: Uint32Array): Clusters {
  const found = [...new Set(ofPages)]
  if (found.length === ofRows.count) return { ...ofRows, index: ofPages }
  const placeOf = new Map(found.map((cluster, place) => [cluster, place]))
  const [keys, buckets] = [ofRows.keys(), ofRows.buckets()]
  return {
    index: ofPages.map((cluster) => placeOf.get(cluster)!),
    count: found.length,
    keys: () => Uint32Array.from(found, (cluster) => keys[cluster]!),
    buckets: () => Uint16Array.from(found, (cluster) => buckets[cluster]!),
    idOf: (place) => ofRows.idOf(found[place]!),
  }
}

/** Compensated sums by cluster; a slate that stands for several counts as many. */
function sumTerms(
  rows: WeighedRows,
  slates: Slates,
  terms: readonly SlateTerm[],
  index: Uint32Array,
  clusters: number,
): Map<string, Float64Array> {
  const sums = terms.map(() => new CompensatedSums(clusters))
  const values = terms.map(ofSlate)
  const { weight } = rows.log
  forEachSlate(rows, slates, (slate, s) => {
    const times = weight ? weight[slates.order[slates.start[s]!]!]! : 1
    const g = index[s]!
    for (let t = 0; t < terms.length; t++) sums[t]!.add(g, times * values[t]!(slate))
  })
  return new Map(terms.map(({ name }, t) => [name, sums[t]!.finish()]))
}

/** Visits each slate with its slots; what it is given is overwritten by the next. */
function forEachSlate(
  { log, weight, prediction, value }: WeighedRows,
  { count, order, start, mostSlots }: Slates,
  visit: (slate: SlateValues, s: number) => void,
): void {
  const column = (): Float64Array => new Float64Array(mostSlots).fill(NaN)
  const slate: SlateValues = { slots: 0, r: column(), w: column(), q: column(), v: column() }
  for (let s = 0; s < count; s++) {
    const from = start[s]!
    slate.slots = start[s + 1]! - from
    for (let k = 0; k < slate.slots; k++) {
      const row = order[from + k]!
      slate.r[k] = log.reward[row]!
      slate.w[k] = weight[row]!
      if (prediction) slate.q[k] = prediction[row]!
      if (value) slate.v[k] = value[row]!
    }
    visit(slate, s)
  }
}
