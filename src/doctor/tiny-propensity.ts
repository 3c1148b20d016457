import { countDistinct } from '../log/row-groups.js'
import { counted } from '../number-text.js'
import type { Check } from './finding.js'
import { matchingRows } from './matching-rows.js'
import { soundPropensity } from './sound-propensity.js'
import { figure, verb } from './wording.js'

/** Catalogues are taken to have at least this many items, so that unseen ones do not matter. */
const ITEMS = 10_000
/** How many such rows in a log are too few to believe in. */
const EXPECTED = 1e-6

/**
 * Finds propensities so small that no row should have one: of n rows and K items, rows with a propensity of at
 * most x are expected at most n·K·x times. A propensity of 1e-200 is an underflow or a placeholder.
 */
export const checkTinyPropensity: Check = ({ log }) => {
  const propensity = soundPropensity(log)
  if (!propensity) return []
  const items = Math.max(ITEMS, countDistinct(log.item, log.itemIds.length), log.itemIds.length)
  const limit = EXPECTED / (log.rows * items)
  const tiny = matchingRows(log.rows, (k) => propensity[k]! < limit)
  if (tiny.count === 0) return []
  let smallest = 1
  for (let k = 0; k < log.rows; k++) if (propensity[k]! < smallest) smallest = propensity[k]!
  return [
    {
      code: 'propensity-tiny',
      level: 'problem',
      column: 'propensity',
      seen: `${counted(tiny.count, 'row')} ${verb(tiny.count, 'has', 'have')} a propensity too small to be seen: the smallest is ${figure(smallest)}.`,
      why: 'An item with such a probability would not be shown once in a million logs of this size. Its importance weight would outweigh all other rows, or be infinite.',
      remedy:
        'Look these rows up in the logger: the value may have underflowed or be a placeholder. Correct them or leave them out, and say so.',
      numbers: { tiny: tiny.count, smallest, limit },
      rows: tiny.rows,
      lowersTo: 'refuse',
    },
  ]
}
