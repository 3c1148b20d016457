import { type Advice, advice, doctor, set } from '../advice.js'
import { isMissing } from './cell.js'
import { CANONICAL_NAMES, type Column, isIdColumn, type NumberColumn } from './columns.js'

/** A cell that breaks a rule of the log: `row` is the 0-based position of the row in the file. */
export interface BrokenCell {
  row: number
  column: Column | undefined
  /** Why the row as a whole cannot be read (too few fields, not JSON), if that is the problem. */
  structure?: string
}

interface Rule {
  /** The smallest and largest values a log may hold. NaN, which fails both, means missing or unreadable. */
  least: number
  most: number
  /** Whether only whole numbers are allowed. */
  whole?: boolean
  /** What the rule requires. */
  wants: string
  remedy: string | Advice
}

/** What the numbers of a log must be; ids must only not be empty. */
export const RULES: Readonly<Record<NumberColumn, Rule>> = {
  reward: {
    least: -Number.MAX_VALUE,
    most: Number.MAX_VALUE,
    wants: 'a finite number',
    remedy: advice`Write 0 for an impression without a click, or read empty cells as 0 with ${set('columns', 'reward=filled(NAME, 0)')}. Leave out impressions whose outcome is unknown.`,
  },
  propensity: {
    least: Number.MIN_VALUE,
    most: 1,
    wants: 'a probability above 0 and at most 1',
    remedy: advice`Log the probability with which the item was shown; ${doctor} recognises log-probabilities, percentages and inverse propensities.`,
  },
  target: {
    least: 0,
    most: 1,
    wants: 'a probability from 0 to 1',
    remedy: 'Write the probability with which the target policy shows the item of this row.',
  },
  position: {
    least: 0,
    most: Number.MAX_SAFE_INTEGER,
    whole: true,
    wants: 'a whole number, 0 or more',
    remedy: 'Write the position of the item in its slate.',
  },
  time: {
    least: -Number.MAX_VALUE,
    most: Number.MAX_VALUE,
    wants: 'a time: a date such as 2024-05-01T12:30:00Z, or a number such as seconds since 1970',
    remedy: advice`Write times as ISO 8601 (2024-05-01 12:30:00 UTC), or as seconds, milli-, micro- or nanoseconds since 1970. To read no times, use ${set('columns', 'time=')}.`,
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
    remedy: 'Write the reward that a model predicts for the item of this row.',
  },
  v: {
    least: -Number.MAX_VALUE,
    most: Number.MAX_VALUE,
    wants: 'a finite number',
    remedy: 'Write the reward that a model predicts under the target policy.',
  },
}

/** Why the raw text of a cell breaks the rule of its column, briefly. */
export function reasonFor(column: Column, raw: string | undefined): string {
  if (raw === undefined || raw.trim() === '') return 'missing'
  if (isIdColumn(column)) return 'not an id: expected text or a whole number'
  if (isMissing(raw)) return 'missing'
  const { wants } = RULES[column]
  return `must be ${wants}`
}

/** What to do about broken cells of a column. */
export function remedyFor(column: Column | undefined): string | Advice {
  if (column === undefined)
    return 'The file may be truncated or mixed with another: export it again, or leave the row out.'
  if (isIdColumn(column)) return `Fill in ${CANONICAL_NAMES[column]} in every row.`
  return RULES[column].remedy
}
