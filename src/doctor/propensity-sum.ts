import { countDistinct } from '../log/row-groups.js'
import { counted, formatCount } from '../number-text.js'
import { expm1, log1p } from '../portable-math.js'
import type { Check } from './finding.js'
import { pageLength } from './page-length.js'
import { soundPropensity } from './sound-propensity.js'
import { figure } from './wording.js'

/**
 * Compares the number of items a log shows with the number its propensities predict. With independent draws,
 * Σ_rows (1 − (1 − b)ⁿ)/(n·b) has the expected number of distinct items as its mean (mean(1/b) once every
 * item has been drawn often), and at most that if the logger depends on the user. Filtered logs, pages and
 * per-user candidates differ for good reasons, so the finding is a note.
 */
export const checkPropensitySum: Check = ({ log }) => {
  const propensity = soundPropensity(log)
  if (!propensity || log.rows < 100 || log.weight) return []
  const n = log.rows
  let [sum, squares, inverses, min, max] = [0, 0, 0, Infinity, 0]
  for (let k = 0; k < n; k++) {
    const b = propensity[k]!
    const term = -expm1(n * log1p(-b)) / b
    sum += term
    squares += term * term
    inverses += 1 / b
    min = Math.min(min, b)
    max = Math.max(max, b)
  }
  if (max - min <= 1e-9 * max) return []
  const predicted = sum / n
  const standardError = Math.sqrt(Math.max(0, squares / n - predicted ** 2) / n)
  const items = countDistinct(log.item, log.itemIds.length)
  const page = pageLength(log)
  const few = predicted < items / (2 * page) && items / page - predicted > 6 * standardError
  const many = predicted > 2 * items && predicted - items > 6 * standardError
  if (!few && !many) return []
  return [
    {
      code: 'propensities-do-not-add-up',
      level: 'note',
      column: 'propensity',
      seen: `The propensities imply about ${figure(predicted)} different items in ${counted(n, 'row')} (standard error ${figure(standardError)}); the log shows ${formatCount(items)}.`,
      why: few
        ? 'The probabilities of all items in one draw sum to 1. Here they seem to sum to more, unless each user has their own candidates or several items are shown at once.'
        : 'The probabilities of all items in one draw sum to 1. Here they seem to sum to less, unless rows were left out of the log or the logger repeats earlier draws.',
      remedy:
        few && inverses * 100 > 0.8 * n * items && inverses * 100 < 1.25 * n * items
          ? 'Divided by 100 they would fit: check whether they are percentages.'
          : 'Check that the column is the probability of the item shown, given the user, in a single draw. In the logger, check that it sums to 1 over all items.',
      numbers: { items, predicted, standardError, meanInverse: inverses / n, pageLength: page },
      rows: [],
    },
  ]
}
