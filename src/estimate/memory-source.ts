import { Moments, type MomentSource } from './moments.js'
import { PreparedLog } from './prepared-log.js'
import type { WeighedRows } from './rows.js'
import { sumKnownTerms } from './sum-known-terms.js'
import { sumTerms } from './sum-terms.js'

/** Sums over rows in typed arrays. What no target changes comes from `prepared`, which is of the same log. */
export function memorySource(rows: WeighedRows, prepared = new PreparedLog(rows.log)): MomentSource {
  return {
    moments: async (terms, clusterBy) => {
      const clusters = prepared.clusters(clusterBy)
      const known = new Map([...prepared.sums(clusterBy), ...sumKnownTerms(rows, terms, clusters)])
      const others = terms.filter(({ name }) => !known.has(name))
      const slow = others.length > 0 ? sumTerms(rows, others, clusters) : new Map<string, Float64Array>()
      const sumsOf = (name: string): Float64Array => (known.get(name) ?? slow.get(name))!
      return new Moments(clusters.keys, new Map(terms.map(({ name }) => [name, sumsOf(name)])))
    },
  }
}
