import { HindcastError } from '../../error.js'
import type { Log } from '../../log/log.js'

/** w(c) = E_b[w | c]: the mean weight of the rows of each category. */
export function categoryWeights(
  log: Log,
  weights: Float64Array,
  categories: readonly string[],
): Float64Array {
  if (categories.length !== log.itemIds.length)
    throw new HindcastError(
      'bad-option',
      `${categories.length} categories were given for ${log.itemIds.length} items.`,
      { remedy: 'Give the category of every item, in the order of itemIds.' },
    )
  const sums = new Map<string, { count: number; sum: number }>()
  for (let row = 0; row < log.rows; row++) {
    const category = categories[log.item[row]!]!
    const entry = sums.get(category) ?? { count: 0, sum: 0 }
    const count = log.weight ? log.weight[row]! : 1
    entry.count += count
    entry.sum += count * weights[row]!
    sums.set(category, entry)
  }
  return weights.map((_, row) => {
    const { count, sum } = sums.get(categories[log.item[row]!]!)!
    return sum / count
  })
}
