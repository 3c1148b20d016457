import { HindcastError } from '../../error.js'
import { md5Bucket } from '../../md5.js'
import { exp } from '../../portable-math.js'
import type { SummedGroups } from '../../sql/engine.js'
import type { Term } from '../term.js'
import { requireSound } from './broken-rows.js'
import { clusterKey } from './clusters.js'
import { bucketKey, type ClusterBy, type ClusterColumn, columnsOfCluster, Moments } from './moments.js'
import { FEW_CLUSTERS } from './moments-of.js'
import type { SeenTable } from './seen-table.js'

const MOST_CLUSTERS = 2_000_000

/** Sums by cluster or, where there are too many of those, by bucket. */
export interface Grouped extends SummedGroups {
  readonly inBuckets: boolean
}

/** Asks an engine for sums by cluster, and where there are too many clusters, for sums by bucket. */
export class SqlGroups {
  readonly #seen: SeenTable
  /** What there were too many of. */
  readonly #tooMany = new Set<ClusterBy | 'page'>()

  constructor(seen: SeenTable) {
    this.#seen = seen
  }

  /** The answer to a query with so many sums; `by` is what it groups by. */
  async ask(by: ClusterBy | 'page', sums: number, query: (inBuckets: boolean) => string): Promise<Grouped> {
    const { engine, table } = this.#seen
    const most = table.mostClusters ?? MOST_CLUSTERS
    // Where there are surely, or almost surely, too many, no query is asked in vain.
    if (by !== 'page' && (await this.#expected(columnsOfCluster(by))) > most) this.#tooMany.add(by)
    const exact = this.#tooMany.has(by) ? undefined : await engine.groups(query(false), sums, most)
    // Known from now on: another target has as many clusters.
    if (!exact) this.#tooMany.add(by)
    const found = exact ?? (await engine.groups(query(true), sums, Infinity))!
    if (found.ids.length === 0) throw this.#seen.noRows()
    if (found.broken > 0) requireSound((await this.#seen.count()).broken, table.name)
    return { ...found, inBuckets: !exact }
  }

  /** At least about so many clusters: users as counted, and users × days as if their rows were spread evenly. */
  async #expected(columns: readonly ClusterColumn[]): Promise<number> {
    if (!columns.includes('user')) return 0
    const { rows, users } = await this.#seen.count()
    if (!columns.includes('day')) return users
    const cells = users * ((await this.#seen.secondCount()).days ?? 1)
    return cells * (1 - exp(-rows / cells))
  }

  /** The sums of terms as moments; those of `unknown` terms are not numbers. */
  moments(terms: readonly Term[], { ids, sums, inBuckets }: Grouped, unknown: readonly Term[] = []): Moments {
    const keys = Uint32Array.from(ids, (id) => (inBuckets ? bucketKey(Number(id)) : clusterKey(id)))
    const columns = new Map(terms.map((term, t) => [term.name, this.#finite(term, sums[t]!)]))
    for (const { name } of unknown) columns.set(name, new Float64Array(ids.length).fill(NaN))
    if (inBuckets) return new Moments(keys, columns, { by: 'bucket' })
    return new Moments(keys, columns, {
      buckets: () => Uint16Array.from(ids, md5Bucket),
      ...(ids.length <= FEW_CLUSTERS && { ids }),
    })
  }

  /** Even valid rows can have a sum that is too large for a number. */
  #finite(term: Term, sums: Float64Array): Float64Array {
    if (sums.every(Number.isFinite)) return sums
    throw new HindcastError('bad-rows', `${this.#seen.table.name}: the sum of ${term.name} is not finite.`, {
      remedy: 'Look for extremely large rewards and weights.',
    })
  }
}
