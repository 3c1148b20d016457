import { HindcastError } from '../../error.js'
import { hashText } from '../../random/stream.js'
import { compensatedTotal } from '../../sum.js'
import type { Term } from '../term.js'

/**
 * What rows are grouped by. Rows of one cluster may depend on each other; clusters are independent. Days are those of
 * UTC; `column` is the cluster column of the log, `column:NAME` one of its labels.
 */
export type ClusterColumn = 'user' | 'row' | 'day' | 'column' | `column:${string}`

/** Between columns that together make a cluster: rows of `user×day` agree in both. */
export const JOINT = '×'

/** A cluster column, or several, where only rows that agree in all of them belong together. */
export type ClusterBy = ClusterColumn | `${ClusterColumn}${typeof JOINT}${string}`

/** The columns that a cluster is made of. */
export const columnsOfCluster = (clusterBy: ClusterBy): ClusterColumn[] =>
  clusterBy.split(JOINT) as ClusterColumn[]

/** Which of the two columns of a cell is the day, 0 or 1, where the other is none; undefined for all other clusters. */
export function dayOfCell(clusterBy: ClusterBy): 0 | 1 | undefined {
  const columns = columnsOfCluster(clusterBy)
  if (columns.length !== 2 || columns.filter((column) => column === 'day').length !== 1) return undefined
  return columns[0] === 'day' ? 0 : 1
}

/** How many buckets clusters are dealt into where there are too many of them: as `idBucket` has it, and cells with a day as `cellBucket` does. */
export const BUCKETS = 65_536

/** The key of a bucket: the same in every source. */
export const bucketKey = (bucket: number): number => hashText(`bucket ${bucket}`)

/** A key for each of some clusters, made when first asked for: cells of users and days are many, and rarely asked. */
export interface KeysLater {
  readonly length: number
  readonly made: () => Uint32Array
}

/** How the groups of some moments came about. */
export interface Grouping {
  /** A sum for each cluster, or one for all clusters of a bucket (default: cluster). */
  readonly by?: 'cluster' | 'bucket'
  /** The bucket of each cluster, made when first asked for. */
  readonly buckets?: () => Uint16Array
  /** The ids of the clusters, where there are few enough to be shown: days. */
  readonly ids?: readonly string[]
  /** The same rows grouped otherwise, where they depend on each other in more than one way. */
  readonly crossed?: readonly CrossedMoments[]
}

/** So few clusters have their ids kept, to be shown: days, not users. */
export const FEW_CLUSTERS = 4096

/** What is said of clusters beside their sums. */
export const groupingOf = ({
  count,
  buckets,
  idOf,
}: {
  readonly count: number
  readonly buckets: () => Uint16Array
  readonly idOf: (cluster: number) => string
}): Grouping => ({
  buckets,
  ...(count <= FEW_CLUSTERS && { ids: Array.from({ length: count }, (_, cluster) => idOf(cluster)) }),
})

/** Sums of the same rows by other clusters: their spread is added, or, where it was counted twice, subtracted. */
export interface CrossedMoments {
  readonly sign: 1 | -1
  readonly moments: Moments
}

/**
 * Sums of terms, one for each cluster. They merge by addition, and all that an estimator needs, its
 * value, its standard error, its bootstrap, follows from them, wherever the rows live.
 */
export class Moments {
  readonly clusters: number
  /** Whether a group is a cluster, or a bucket of many. */
  readonly by: 'cluster' | 'bucket'
  readonly ids: readonly string[] | undefined
  /** Empty where rows depend on each other in one way alone. */
  readonly crossed: readonly CrossedMoments[]
  readonly #keys: Uint32Array | KeysLater
  readonly #sums: ReadonlyMap<string, Float64Array>
  readonly #buckets: (() => Uint16Array) | undefined
  readonly #totals = new Map<string, number>()
  readonly #products = new Map<string, number>()
  #inBuckets: Moments | undefined

  constructor(
    keys: Uint32Array | KeysLater,
    sums: ReadonlyMap<string, Float64Array>,
    grouping: Grouping = {},
  ) {
    this.#keys = keys
    this.clusters = keys.length
    this.#sums = sums
    this.by = grouping.by ?? 'cluster'
    this.ids = grouping.ids
    this.crossed = grouping.crossed ?? []
    this.#buckets = grouping.buckets
  }

  /** A 32-bit key for each cluster, from its identity alone: whoever holds the cluster gets the same. */
  get keys(): Uint32Array {
    return 'made' in this.#keys ? this.#keys.made() : this.#keys
  }

  /** The sums of a term, a number for each cluster. */
  sums(term: Term): Float64Array {
    const sums = this.#sums.get(term.name)
    if (!sums) throw new HindcastError('bad-option', `The sums of ${term.name} were not requested.`)
    return sums
  }

  /** The sum of a term over all clusters. */
  total(term: Term): number {
    let total = this.#totals.get(term.name)
    if (total === undefined) {
      total = compensatedTotal(this.sums(term))
      this.#totals.set(term.name, total)
    }
    return total
  }

  /** The same sums beside those by other clusters. */
  crossedWith(crossed: readonly CrossedMoments[]): Moments {
    return new Moments(this.#keys, this.#sums, {
      by: this.by,
      crossed,
      ...(this.ids && { ids: this.ids }),
      ...(this.#buckets && { buckets: this.#buckets }),
    })
  }

  /** Σ_g S_g[x] S_g[y], from which the spread of any combination of terms follows. */
  products(first: Term, second: Term): number {
    const name = `${first.name} × ${second.name}`
    let total = this.#products.get(name)
    if (total === undefined) {
      total = 0
      const [x, y] = [this.sums(first), this.sums(second)]
      for (let g = 0; g < x.length; g++) total += x[g]! * y[g]!
      this.#products.set(name, total)
    }
    return total
  }

  /** Whether the sums of all these terms are here. */
  has(terms: readonly Term[]): boolean {
    return terms.every(({ name }) => this.#sums.has(name))
  }

  /** The same sums by bucket; themselves where the buckets of the clusters are not known. */
  get inBuckets(): Moments {
    return (this.#inBuckets ??= this.#buckets ? this.#intoBuckets(this.#buckets()) : this)
  }

  #intoBuckets(bucketOf: Uint16Array): Moments {
    const placeOf = new Int32Array(BUCKETS).fill(-1)
    const buckets: number[] = []
    for (const bucket of bucketOf) if (placeOf[bucket] === -1) placeOf[bucket] = buckets.push(bucket) - 1
    const sums = [...this.#sums].map(([name, values]): [string, Float64Array] => {
      const merged = new Float64Array(buckets.length)
      for (let g = 0; g < values.length; g++) merged[placeOf[bucketOf[g]!]!]! += values[g]!
      return [name, merged]
    })
    return new Moments(Uint32Array.from(buckets, bucketKey), new Map(sums), { by: 'bucket' })
  }

  /** The moments of two sets of rows that share no cluster, or share only whole rows of clusters with equal keys. */
  static merge(first: Moments, second: Moments): Moments {
    const placeOf = new Map<number, number>()
    for (const key of [...first.keys, ...second.keys]) if (!placeOf.has(key)) placeOf.set(key, placeOf.size)
    const sums = new Map<string, Float64Array>()
    for (const [name, values] of first.#sums) {
      const others = second.#sums.get(name)
      if (!others) continue
      const merged = new Float64Array(placeOf.size)
      first.keys.forEach((key, g) => (merged[placeOf.get(key)!]! += values[g]!))
      second.keys.forEach((key, g) => (merged[placeOf.get(key)!]! += others[g]!))
      sums.set(name, merged)
    }
    return new Moments(Uint32Array.from(placeOf.keys()), sums, { by: first.by })
  }
}
