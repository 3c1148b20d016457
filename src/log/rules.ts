import { type Advice, advice, doctor } from '../advice.js'
import { CANONICAL_NAMES, type Column, isIdColumn, type NumberColumn } from './columns.js'

/** A cell that breaks a rule of the log: `row` is the 0-based place of the row in the file. */
export interface BrokenCell {
  row: number
  column: Column | undefined
  /** Why the row as a whole cannot be read (too few fields, not JSON), where that is the trouble. */
  structure?: string
}

interface Rule {
  /** The smallest and the largest value that may stand in the log. NaN, which is neither, stands for missing or unreadable. */
  least: number
  most: number
  /** Only whole numbers may. */
  whole?: boolean
  /** What the rule asks for. */
  wants: string
  remedy: string | Advice
}

/** What a number must be to stand in a log; ids need only not be empty. */
export const RULES: Readonly<Record<NumberColumn, Rule>> = {
  reward: {
    least: -Number.MAX_VALUE,
    most: Number.MAX_VALUE,
    wants: 'a finite number',
    remedy: 'Write 0 for an impression without a click; leave out impressions whose outcome is unknown.',
  },
  propensity: {
    least: Number.MIN_VALUE,
    most: 1,
    wants: 'a probability above 0 and at most 1',
    remedy: advice`Log the probability with which the item was shown; ${doctor} tells log-probabilities, percentages and inverse propensities apart.`,
  },
  target: {
    least: 0,
    most: 1,
    wants: 'a probability from 0 to 1',
    remedy: 'Write the probability with which the target policy shows the item of the row.',
  },
  position: {
    least: 0,
    most: Number.MAX_SAFE_INTEGER,
    whole: true,
    wants: 'a whole number of at least 0',
    remedy: 'Write the place of the item in its slate.',
  },
  time: {
    least: -Number.MAX_VALUE,
    most: Number.MAX_VALUE,
    wants: 'a number, or a date such as 2024-05-01T12:30:00Z',
    remedy: 'Write dates as ISO 8601 or as numbers.',
  },
  weight: {
    least: Number.MIN_VALUE,
    most: Number.MAX_VALUE,
    wants: 'a finite number above 0',
    remedy: 'Write how many impressions the row stands for.',
  },
  q: {
    least: -Number.MAX_VALUE,
    most: Number.MAX_VALUE,
    wants: 'a finite number',
    remedy: 'Write the reward a model predicts for the item of the row.',
  },
  v: {
    least: -Number.MAX_VALUE,
    most: Number.MAX_VALUE,
    wants: 'a finite number',
    remedy: 'Write the reward a model predicts for the target policy.',
  },
}

/** Why the raw text of a cell breaks the rule of its column, in a few words. */
export function reasonFor(column: Column, raw: string | undefined): string {
  if (raw === undefined || raw.trim() === '') return 'missing'
  if (isIdColumn(column)) return 'not an id: text or a whole number is needed'
  const { wants } = RULES[column]
  return `must be ${wants}`
}

/** What to do about broken cells of a column. */
export function remedyFor(column: Column | undefined): string | Advice {
  if (column === undefined) return 'The file may be cut off or mixed: write it again, or leave the row out.'
  if (isIdColumn(column)) return `Every row needs a ${CANONICAL_NAMES[column]}.`
  return RULES[column].remedy
}
