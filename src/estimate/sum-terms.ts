import { CompensatedSums } from '../sum.js'
import type { Clusters } from './clusters.js'
import type { WeighedRows } from './rows.js'
import type { RowValues, Term } from './term.js'

/**
 * Compensated sums of terms by cluster; a row that stands for several impressions counts as many. Whatever the
 * terms are: the reference for those that have a loop of their own.
 */
export function sumTerms(
  rows: WeighedRows,
  terms: readonly Term[],
  { index, keys }: Clusters,
): Map<string, Float64Array> {
  const { log, weight, prediction, value, categoryWeight } = rows
  const sums = terms.map(() => new CompensatedSums(keys.length))
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
