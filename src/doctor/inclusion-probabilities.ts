import { countDistinct } from '../log/row-groups.js'
import { counted, formatCount } from '../number-text.js'
import { log as naturalLog } from '../portable-math.js'
import type { Check } from './finding.js'
import { soundPropensity } from './sound-propensity.js'
import { effectiveRows, windowSums } from './window-sums.js'
import { figure } from './wording.js'

/**
 * Notes that the propensities of pages are probabilities of being on the page, not of a single draw: over the rows
 * that show an item, 1/b then sums to the number of pages rather than of rows.
 */
export const checkInclusion: Check = ({ log }) => {
  const propensity = soundPropensity(log)
  if (!propensity || !log.slate || log.weight || log.rows < 100) return []
  const pages = countDistinct(
    log.slate,
    log.slateIds?.length ?? 1 + log.slate.reduce((a, b) => Math.max(a, b), 0),
  )
  const perPage = log.rows / pages
  if (perPage < 1.5) return []
  const sums = windowSums(log, propensity)
  const ratios: number[] = []
  for (let item = 0; item < sums.rows.length; item++)
    if (effectiveRows(sums, item) >= 20) ratios.push(sums.sum[item]! / sums.rows[item]!)
  if (ratios.length < 5) return []
  const median = ratios.toSorted((a, b) => a - b)[Math.floor(ratios.length / 2)]!
  // Nearer to one page than to one row, and close to it.
  if (Math.abs(naturalLog(median * perPage)) > 0.15) return []
  return [
    {
      code: 'inclusion-probabilities',
      level: 'note',
      column: 'propensity',
      seen: `For the median item, 1/propensity sums to ${figure(median)} of the ${counted(log.rows, 'row')} between its first and last: about one per page (${formatCount(pages)} pages of ${figure(perPage)} rows), not one per row.`,
      why: 'These look like probabilities of being on the page. Products of weights along a page need the probability of each item at its position instead.',
      remedy:
        'Give the target as probabilities of being on the page too, or log the probability of each item at its position, given those above.',
      numbers: { pages, perPage, median, items: ratios.length },
      rows: [],
    },
  ]
}
