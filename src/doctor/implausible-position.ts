import { advice, set } from '../advice.js'
import { counted } from '../number-text.js'
import type { Check, Finding } from './finding.js'
import { matchingRows } from './matching-rows.js'
import { figure, verb } from './wording.js'

/** No page has this many items. */
const LARGEST = 100_000

/** Finds positions that cannot be places on a page, such as ids, times or placeholders. */
export const checkPositions: Check = ({ log }) => {
  const { position } = log
  if (!position) return []
  const beyond = matchingRows(log.rows, (k) => position[k]! > LARGEST)
  if (beyond.count === 0) return []
  let largest = 0
  for (let k = 0; k < log.rows; k++) if (position[k]! > largest) largest = position[k]!
  return [positionFinding({ beyond: beyond.count, largest }, beyond.rows)]
}

/** The finding of so many positions that are none. */
export const positionFinding = (
  numbers: Readonly<Record<'beyond' | 'largest', number>>,
  rows: readonly number[],
): Finding => ({
  code: 'position-outside-range',
  level: 'problem',
  column: 'position',
  seen: `${counted(numbers.beyond, 'position')} ${verb(numbers.beyond, 'is', 'are')} above 100,000; the largest is ${figure(numbers.largest)}.`,
  why: 'A position is the place of an item on its page, counted from the top. Effects of positions and page weights cannot be estimated from such values.',
  remedy: advice`Correct these rows, or choose the column of positions with ${set('columns', 'position=…')}.`,
  numbers,
  rows,
  lowersTo: 'caution',
})
