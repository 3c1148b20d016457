import type { Log } from '../../log/log.js'
import { BLOCK, type Vectorised, vectorise } from '../../sql/vectorise.js'
import { CompensatedTable } from '../../sum.js'
import type { Term } from '../term.js'
import type { Clusters } from './clusters.js'

/** A log seen from a target policy: for each row its importance weight and, where there is a model, predictions. */
export interface WeighedRows {
  readonly log: Log
  /** w = π(a|u)/b(a|u). */
  readonly weight: Float64Array
  /** q̂(u, a) of the item shown. */
  readonly prediction?: Float64Array
  /** Σ_a π(a|u) q̂(u, a). */
  readonly value?: Float64Array
  /** w(x, c) of the context and the category of the item shown: the mean weight of the rows that share both. */
  readonly categoryWeight?: Float64Array
  /** The mean reward of the rows that share both. */
  readonly categoryReward?: Float64Array
  /** The mean prediction for the items shown in the rows that share both. */
  readonly categoryPrediction?: Float64Array
  /** The place of the row's logger among their names, where the log marks them. */
  readonly logger?: Float64Array
}

/** Compensated sums of terms by cluster; a row that stands for several impressions counts as many. */
export function sumTerms(
  { log, weight, prediction, value, logger, ...category }: WeighedRows,
  terms: readonly Term[],
  { index, count: clusters }: Pick<Clusters, 'index' | 'count'>,
): Map<string, Float64Array> {
  const compute = vectorise(
    terms.map(({ expression }) => expression),
    {
      r: log.reward,
      w: weight,
      ...(log.propensity && { b: log.propensity }),
      ...(prediction && { q: prediction }),
      ...(value && { v: value }),
      ...(category.categoryWeight && { m: category.categoryWeight }),
      ...(category.categoryReward && { g: category.categoryReward }),
      ...(category.categoryPrediction && { h: category.categoryPrediction }),
      ...(logger && { l: logger }),
    },
  )
  if (clusters === log.rows && areRows(index)) return valuesByRow(compute, terms, log)
  const sums = new CompensatedTable(clusters, terms.length)
  const counted = new Float64Array(log.weight ? BLOCK : 0)
  for (let from = 0; from < log.rows; from += BLOCK) {
    const count = Math.min(BLOCK, log.rows - from)
    const places = index.subarray(from, from + count)
    compute(from, count).forEach((values, t) => {
      if (log.weight) for (let k = 0; k < count; k++) counted[k] = log.weight[from + k]! * values[k]!
      sums.add(t, places, log.weight ? counted : values)
    })
  }
  const columns = sums.columns()
  return new Map(terms.map(({ name }, t) => [name, columns[t]!]))
}

/** Clusters of single rows, in the order of the rows: users on single days may come in another. */
function areRows(index: Uint32Array): boolean {
  for (let row = 0; row < index.length; row++) if (index[row] !== row) return false
  return true
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
