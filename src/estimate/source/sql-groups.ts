import { HindcastError } from '../../error.js'
import { exp } from '../../portable-math.js'
import type { SummedGroups } from '../../sql/engine.js'
import { CROSSED, type CrossedGrouping } from '../../sql/sums-query.js'
import type { Term } from '../term.js'
import { requireSound } from './broken-rows.js'
import { bucketOfCluster, clusterKey } from './clusters.js'
import {
  BUCKETS,
  type ClusterBy,
  type ClusterColumn,
  FEW_CLUSTERS,
  Moments,
  bucketKey,
  columnsOfCluster,
} from './moments.js'
import type { SeenTable } from './seen-table.js'

/** Sums by cluster or, where there are too many of those, by bucket. */
export interface Grouped extends SummedGroups {
  readonly inBuckets: boolean
}

/** Sums of the same rows by user, by day, and by the cells of both. */
export interface Crossed {
  readonly user: Grouped
  readonly day: Grouped
  readonly cell: Grouped
}

/** The groups of an answer whose ids begin with a letter, without it. */
function partOf({ ids, sums, ...counts }: SummedGroups, letter: string, inBuckets: boolean): Grouped {
  const places = Uint32Array.from(ids.keys()).filter((place) => ids[place]!.startsWith(letter))
  return {
    ...counts,
    ids: Array.from(places, (place) => ids[place]!.slice(letter.length)),
    sums: sums.map((column) => new Float64Array(places.length).map((_, k) => column[places[k]!]!)),
    inBuckets,
  }
}

/** With fewer rows in a cell, rows are dealt into buckets one by one. */
const ROWS_PER_CELL = 4

/** Asks an engine for sums by cluster, and where there are too many clusters, for sums by bucket. */
export class SqlGroups {
  readonly #seen: SeenTable
  /** What there were too many of. */
  readonly #tooMany = new Set<ClusterBy | 'page'>()

  constructor(seen: SeenTable) {
    this.#seen = seen
  }

  /** The answer to a query with so many sums; `by` is what it groups by. */
  async ask(
    by: ClusterBy | 'page',
    sums: number,
    query: (inBuckets: boolean) => Promise<string>,
  ): Promise<Grouped> {
    const { engine } = this.#seen
    const most = this.#most
    // Where there are surely, or almost surely, too many, no query is asked in vain.
    if (by !== 'page' && (await this.#expected(columnsOfCluster(by))) > most) this.#tooMany.add(by)
    const exact = this.#tooMany.has(by) ? undefined : await engine.groups(await query(false), sums, most)
    // Known from now on: another target has as many clusters.
    if (!exact) this.#tooMany.add(by)
    const found = exact ?? (await engine.groups(await query(true), sums, Infinity))!
    await this.#requireRows(found)
    return { ...found, inBuckets: !exact }
  }

  /**
   * The answer to one query with so many sums by user, by day and by the cells of both; undefined where those are few enough
   * to be asked for one by one, each by itself.
   */
  async askTogether(
    sums: number,
    query: (dealt: Pick<CrossedGrouping, 'inBuckets' | 'dealsRows'>) => string,
  ): Promise<Crossed | undefined> {
    const cells = await this.#expected(['user', 'day'])
    if (cells <= this.#most) return undefined
    const { rows, users } = await this.#seen.count()
    const inBuckets = users > this.#most
    // Cells with a few rows each are hardly fewer than rows, and cost more to find than their buckets.
    const dealsRows = inBuckets && cells > rows / ROWS_PER_CELL
    const found = (await this.#seen.engine.groups(query({ inBuckets, dealsRows }), sums, Infinity))!
    await this.#requireRows(found)
    return {
      user: partOf(found, CROSSED.cluster, inBuckets),
      day: partOf(found, CROSSED.day, false),
      cell: partOf(found, CROSSED.cell, true),
    }
  }

  get #most(): number {
    return this.#seen.table.mostClusters ?? BUCKETS
  }

  async #requireRows({ ids, broken }: SummedGroups): Promise<void> {
    if (ids.length === 0) throw this.#seen.noRows()
    if (broken > 0) requireSound((await this.#seen.count()).broken, this.#seen.table.name)
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
  moments(
    by: ClusterBy,
    terms: readonly Term[],
    { ids, sums, inBuckets }: Grouped,
    unknown: readonly Term[] = [],
  ): Moments {
    const keys = Uint32Array.from(ids, (id) => (inBuckets ? bucketKey(Number(id)) : clusterKey(id)))
    const columns = new Map(terms.map((term, t) => [term.name, this.#finite(term, sums[t]!)]))
    for (const { name } of unknown) columns.set(name, new Float64Array(ids.length).fill(NaN))
    if (inBuckets) return new Moments(keys, columns, { by: 'bucket' })
    return new Moments(keys, columns, {
      buckets: () => Uint16Array.from(ids, (id) => bucketOfCluster(by, id)),
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
