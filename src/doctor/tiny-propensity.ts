import { countDistinct } from '../log/row-groups.js'
import { counted } from '../number-text.js'
import type { Check, Finding } from './finding.js'
import { matchingRows } from './matching-rows.js'
import { soundPropensity } from './sound-propensity.js'
import { figure, verb } from './wording.js'

/** Catalogues are taken to have at least this many items, so that unseen ones do not matter. */
const ITEMS = 10_000
/** How many such rows in a log are too few to believe in. */
const EXPECTED = 1e-6

/** The propensity below which none is expected in a log of so many rows and items. */
export const tinyLimit = (rows: number, items: number): number => EXPECTED / (rows * Math.max(ITEMS, items))

/**
 * Finds propensities so small that no row should have one: of n rows and K items, rows with a propensity of at
 * most x are expected at most n·K·x times. A propensity of 1e-200 is an underflow or a placeholder.
 */
export const checkTinyPropensity: Check = ({ log }) => {
  const propensity = soundPropensity(log)
  if (!propensity) return []
  const limit = tinyLimit(log.rows, Math.max(countDistinct(log.item, log.itemIds.length), log.itemIds.length))
  const tiny = matchingRows(log.rows, (k) => propensity[k]! < limit)
  if (tiny.count === 0) return []
  let smallest = 1
  for (let k = 0; k < log.rows; k++) if (propensity[k]! < smallest) smallest = propensity[k]!
  return [tinyFinding({ tiny: tiny.count, smallest, limit }, tiny.rows)]
}

/** The finding of so many propensities below the limit. */
export const tinyFinding = (
  numbers: Readonly<Record<'tiny' | 'smallest' | 'limit', number>>,
  rows: readonly number[],
): Finding => ({
  code: 'propensity-tiny',
  level: 'problem',
  column: 'propensity',
  seen: `${counted(numbers.tiny, 'row')} ${verb(numbers.tiny, 'has', 'have')} an implausibly small propensity: the smallest is ${figure(numbers.smallest)}.`,
  why: 'An item with such a probability would not be shown once in a million logs of this size. Its importance weight would outweigh all other rows, or be infinite.',
  remedy:
    'Look these rows up in the logger: the value may have underflowed or be a placeholder. Correct them or leave them out, and say so.',
  numbers,
  rows,
  lowersTo: 'refuse',
})
