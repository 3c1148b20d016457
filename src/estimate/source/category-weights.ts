import { HindcastError } from '../../error.js'
import { contextColumn } from '../../log/contexts.js'
import type { Log } from '../../log/log.js'
import { forEachGroup, groupRows } from '../../log/row-groups.js'
import type { WeighedRows } from './sum-terms.js'

/** What rows of one context and one category have in common. */
export type CategoryMeans = Required<Pick<WeighedRows, 'categoryWeight' | 'categoryReward'>> &
  Pick<WeighedRows, 'categoryPrediction'>

/** What is averaged, a number for each row. */
interface Averaged {
  readonly weight: Float64Array
  /** q̂ of the item shown, where there is a model. */
  readonly prediction?: Float64Array
}

/**
 * Means over the rows of the same context x (the user, where there are no contexts) and the same category c of item. That
 * of the weights estimates w(x, c) = π(c|x)/b(c|x) = E_b[w | x, c], whatever is known about the policies: it asks for no
 * propensity of an item that was not shown, its sum over the rows is that of w, and if rewards depend on x and c alone,
 * no bias enters. Contexts are never pooled: a target that is personalised has other weights in each.
 */
export function categoryMeans(
  log: Log,
  { weight, prediction }: Averaged,
  categories: readonly string[],
): CategoryMeans {
  const { code, count } = categoryCodes(log, categories)
  const { index, count: contexts } = contextColumn(log)
  const groups = groupRows(index, contexts)
  const counts = new Float64Array(count)
  const sums = new Float64Array(count)
  const mean = (values: Float64Array): Float64Array => {
    const means = new Float64Array(log.rows)
    forEachGroup(groups, (_context, rows) => {
      for (const row of rows) counts[code[row]!] = sums[code[row]!] = 0
      for (const row of rows) {
        const times = log.weight ? log.weight[row]! : 1
        counts[code[row]!]! += times
        sums[code[row]!]! += times * values[row]!
      }
      for (const row of rows) means[row] = sums[code[row]!]! / counts[code[row]!]!
    })
    return means
  }
  return {
    categoryWeight: mean(weight),
    categoryReward: mean(log.reward),
    ...(prediction && { categoryPrediction: mean(prediction) }),
  }
}

/** The category of the item of each row, as a number below `count`. */
function categoryCodes(
  { item, itemIds }: Log,
  categories: readonly string[],
): { readonly code: Uint32Array; readonly count: number } {
  if (categories.length !== itemIds.length)
    throw new HindcastError(
      'bad-option',
      `${categories.length} categories were given for ${itemIds.length} items.`,
      { remedy: 'Give the category of every item, in the order of itemIds.' },
    )
  const places = new Map<string, number>()
  for (const category of categories) if (!places.has(category)) places.set(category, places.size)
  const codeOfItem = Uint32Array.from(categories, (category) => places.get(category)!)
  return { code: item.map((shown) => codeOfItem[shown]!), count: places.size }
}
