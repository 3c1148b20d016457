import { featuresOf } from '../log/contexts.js'
import type { Log } from '../log/log.js'
import { groupRows } from '../log/row-groups.js'
import { featureRow, type FeatureScale, featureScale } from '../model/feature-scale.js'
import { inversion } from '../model/inverse.js'
import { FOLDS, foldOfUser } from '../propensity/user-folds.js'

/** How many rows the prior of each weight counts as. */
const PRIOR_ROWS = 5

/** No row counts as more than so many mean ones. */
const MOST = 20

/**
 * q̂(x, a), on a log by context with propensities: for each item a ridge regression of rewards on features, weighted by
 * 1/b since items are shown where they seemed to fit. A context is predicted from the rows of other users (five folds
 * of them), within the rewards that were seen. Row after row of contexts, a number for each item.
 */
export function rewardByFeatures(log: Log, seed: number): Float64Array {
  const contexts = log.contexts!
  const scale = featureScale(log)
  const items = log.itemIds.length
  const table = new Float64Array(log.userIds.length * items)
  const clusterFold = Uint8Array.from(log.clusterIds!, (id) => foldOfUser(seed, id))
  const foldOfContext = new Uint8Array(log.userIds.length)
  log.user.forEach((context, row) => (foldOfContext[context] = clusterFold[log.cluster![row]!]!))
  const [least, most] = log.reward.reduce(
    ([low, high], reward) => [Math.min(low, reward), Math.max(high, reward)],
    [Infinity, -Infinity],
  )
  const rowsOfItem = groupRows(log.item, items)
  const shown = [...new Set(log.user)]
  for (let item = 0; item < items; item++) {
    const rows = rowsOfItem.rows.subarray(rowsOfItem.start[item], rowsOfItem.start[item + 1])
    const fits = fitFolds(log, scale, rows, (row) => clusterFold[log.cluster![row]!]!)
    for (const context of shown) {
      const x = featureRow(scale, featuresOf(contexts, context))
      const fit = fits[foldOfContext[context]!]!
      const found = x.reduce((sum, value, k) => sum + value * fit[k]!, 0)
      table[context * items + item] = Math.min(most, Math.max(least, found))
    }
  }
  return table
}

/** The weights of the features, and a constant last, that predict the rows outside each fold. */
function fitFolds(
  log: Log,
  scale: FeatureScale,
  rows: Uint32Array,
  foldOf: (row: number) => number,
): Float64Array[] {
  const width = scale.names.length + 1
  const inverse = Float64Array.from(rows, (row) => (log.weight?.[row] ?? 1) / log.propensity![row]!)
  const mean = inverse.reduce((a, b) => a + b, 0) / rows.length
  const weights = inverse.map((weight) => Math.min(MOST, weight / mean))
  const normals = Array.from({ length: FOLDS }, () => new Float64Array(width * width))
  const rights = Array.from({ length: FOLDS }, () => new Float64Array(width))
  rows.forEach((row, k) => {
    const x = featureRow(scale, featuresOf(log.contexts!, log.contexts!.index[row]!))
    const own = foldOf(row)
    for (let a = 0; a < width; a++) {
      const along = weights[k]! * x[a]!
      rights[own]![a]! += along * log.reward[row]!
      for (let b = 0; b <= a; b++) normals[own]![a * width + b]! += along * x[b]!
    }
  })
  return normals.map((_, fold) => {
    const normal = outside(normals, fold)
    for (let a = 0; a < width; a++) normal[a * width + a]! += PRIOR_ROWS
    for (const __ of inversion(normal, width));
    const right = outside(rights, fold)
    return Float64Array.from({ length: width }, (__, a) => {
      let sum = 0
      for (let b = 0; b < width; b++) sum += normal[a * width + b]! * right[b]!
      return sum
    })
  })
}

/** The sum over all folds but one. */
function outside(tables: readonly Float64Array[], fold: number): Float64Array {
  const sum = new Float64Array(tables[0]!.length)
  tables.forEach((table, k) => {
    if (k !== fold) for (let at = 0; at < sum.length; at++) sum[at]! += table[at]!
  })
  return sum
}
