import type { Term } from '../term.js'
import type { Clusters } from './clusters.js'
import { type ClusterBy, type Grouping, Moments } from './moments.js'
import { PreparedLog } from './prepared-log.js'
import type { WeighedRows } from './rows.js'
import { sumTerms } from './sum-terms.js'

/** The sums of terms over rows in typed arrays. What no target changes comes from `prepared`, which is of the same log. */
export function momentsOf(
  rows: WeighedRows,
  terms: readonly Term[],
  clusterBy: ClusterBy,
  prepared = new PreparedLog(rows.log),
): Moments {
  const clusters = prepared.clusters(clusterBy)
  const known = prepared.sums(clusterBy)
  const others = terms.filter(({ name }) => !known.has(name))
  const summed = others.length > 0 ? sumTerms(rows, others, clusters) : new Map<string, Float64Array>()
  const sums = terms.map(({ name }): [string, Float64Array] => [name, (known.get(name) ?? summed.get(name))!])
  return new Moments({ length: clusters.count, made: clusters.keys }, new Map(sums), groupingOf(clusters))
}

/** So few clusters have their ids kept, to be shown: days, not users. */
export const FEW_CLUSTERS = 4096

/** What is said of clusters beside their sums. */
export const groupingOf = ({
  count,
  buckets,
  idOf,
}: Pick<Clusters, 'count' | 'buckets' | 'idOf'>): Grouping => ({
  buckets,
  ...(count <= FEW_CLUSTERS && { ids: Array.from({ length: count }, (_, cluster) => idOf(cluster)) }),
})
