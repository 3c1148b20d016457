import type { Log } from '../../log/log.js'
import { BLOCK, vectorise, type Vectorised } from '../../sql/vectorise.js'
import { CompensatedSums } from '../../sum.js'
import type { Term } from '../term.js'
import type { Clusters } from './clusters.js'
import type { WeighedRows } from './rows.js'

/** Compensated sums of terms by cluster; a row that stands for several impressions counts as many. */
export function sumTerms(
  { log, weight, prediction, value, ...category }: WeighedRows,
  terms: readonly Term[],
  { index, keys }: Pick<Clusters, 'index' | 'keys'>,
): Map<string, Float64Array> {
  const compute = vectorise(
    terms.map(({ expression }) => expression),
    {
      r: log.reward,
      w: weight,
      ...(prediction && { q: prediction }),
      ...(value && { v: value }),
      ...(category.categoryWeight && { m: category.categoryWeight }),
      ...(category.categoryReward && { g: category.categoryReward }),
      ...(category.categoryPrediction && { h: category.categoryPrediction }),
    },
  )
  if (keys.length === log.rows) return valuesByRow(compute, terms, log)
  // The sums of a cluster stand side by side: a row touches one place in memory.
  const width = terms.length
  const sums = new CompensatedSums(width * keys.length)
  for (let from = 0; from < log.rows; from += BLOCK) {
    const count = Math.min(BLOCK, log.rows - from)
    const values = compute(from, count)
    for (let t = 0; t < width; t++) {
      const column = values[t]!
      for (let k = 0; k < count; k++) {
        const row = from + k
        sums.add(width * index[row]! + t, log.weight ? log.weight[row]! * column[k]! : column[k]!)
      }
    }
  }
  const finished = sums.finish()
  return new Map(
    terms.map(({ name }, t) => {
      const own = new Float64Array(keys.length)
      for (let g = 0; g < own.length; g++) own[g] = finished[width * g + t]!
      return [name, own]
    }),
  )
}

/** The values themselves, where every row is a cluster of its own: clusters are in the order of their rows. */
function valuesByRow(
  compute: Vectorised,
  terms: readonly Term[],
  { rows, weight }: Log,
): Map<string, Float64Array> {
  const sums = new Map(terms.map(({ name }) => [name, new Float64Array(rows)]))
  const columns = [...sums.values()]
  for (let from = 0; from < rows; from += BLOCK) {
    const count = Math.min(BLOCK, rows - from)
    const values = compute(from, count)
    columns.forEach((column, t) => {
      const block = values[t]!
      // + 0, as a sum that begins at 0 has no −0.
      for (let k = 0; k < count; k++)
        column[from + k] = (weight ? weight[from + k]! * block[k]! : block[k]!) + 0
    })
  }
  return sums
}
