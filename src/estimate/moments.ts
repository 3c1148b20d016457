import { HindcastError } from '../error.js'
import { CompensatedSum } from '../sum.js'
import type { Term } from './term.js'

/** What rows are grouped by: rows of one cluster may depend on each other, clusters are independent. */
export type ClusterBy = 'user' | 'row' | 'column'

/**
 * Sums of terms, one for each cluster. They merge by addition, and all that an estimator needs, its
 * value, its standard error, its bootstrap, follows from them, wherever the rows live.
 */
export class Moments {
  /** A 32-bit key for each cluster, from its identity alone: whoever holds the cluster gets the same. */
  readonly keys: Uint32Array
  readonly #sums: ReadonlyMap<string, Float64Array>
  readonly #totals = new Map<string, number>()

  constructor(keys: Uint32Array, sums: ReadonlyMap<string, Float64Array>) {
    this.keys = keys
    this.#sums = sums
  }

  get clusters(): number {
    return this.keys.length
  }

  /** The sums of a term, a number for each cluster. */
  sums(term: Term): Float64Array {
    const sums = this.#sums.get(term.name)
    if (!sums) throw new HindcastError('bad-option', `The sums of ${term.name} were not asked for.`)
    return sums
  }

  /** The sum of a term over all clusters. */
  total(term: Term): number {
    let total = this.#totals.get(term.name)
    if (total === undefined) {
      const sum = new CompensatedSum()
      for (const value of this.sums(term)) sum.add(value)
      total = sum.value
      this.#totals.set(term.name, total)
    }
    return total
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
    return new Moments(Uint32Array.from(placeOf.keys()), sums)
  }
}

/** Where sums come from: typed arrays in memory, a database, later a warehouse. The one seam between rows and estimates. */
export interface MomentSource {
  /** The sums of these terms by cluster. */
  moments(terms: readonly Term[], clusterBy: ClusterBy): Promise<Moments>
}
