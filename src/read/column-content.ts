import { type Cell, cellNumber, cellOutcome, cellText, cellTime } from '../log/cell.js'
import { RULES } from '../log/rules.js'

/** What a column seems to hold, judging by its first cells. */
export type ColumnContent =
  | 'unseen' // reading it would take too long
  | 'nothing'
  | 'zeros-and-ones' // or true and false
  | 'yes-and-no' // in words or letters
  | 'probabilities' // numbers above 0 and up to 1, not all of them 1
  | 'times' // dates, or seconds to nanoseconds since 1970
  | 'row-numbers' // each one more than the row above
  | 'whole-numbers'
  | 'numbers'
  | 'text'

/** Seconds, milli-, micro- and nanoseconds since 1970, from 1990 to 2070. */
const EPOCHS = [1, 1e3, 1e6, 1e9].map((unit) => [631_152_000 * unit, 3_155_760_000 * unit] as const)
/** Fewer rows may count up by chance. */
const FEWEST_COUNTED = 10

/** Recognises what a column holds from some of its cells; missing ones are skipped. */
export function contentOf(cells: readonly Cell[]): ColumnContent {
  const filled = cells.filter((cell) => cellText(cell) !== undefined)
  if (filled.length === 0) return 'nothing'
  const numbers = filled.map(cellNumber)
  const { least, most } = RULES.propensity
  if (numbers.every((value) => value === 0 || value === 1)) return 'zeros-and-ones'
  if (filled.every((cell) => !Number.isNaN(cellOutcome(cell))) && numbers.every(Number.isNaN))
    return 'yes-and-no'
  if (numbers.every((value) => value >= least && value <= most)) return 'probabilities'
  if (filled.every((cell, k) => isTime(cell, numbers[k]!))) return 'times'
  if (!numbers.every(Number.isFinite)) return 'text'
  if (!numbers.every(Number.isInteger)) return 'numbers'
  const counts = numbers.every((value, k) => k === 0 || value === numbers[k - 1]! + 1)
  return counts && numbers.length >= FEWEST_COUNTED ? 'row-numbers' : 'whole-numbers'
}

const isTime = (cell: Cell, number: number): boolean =>
  Number.isNaN(number)
    ? !Number.isNaN(cellTime(cell))
    : EPOCHS.some(([from, to]) => number >= from && number <= to)
