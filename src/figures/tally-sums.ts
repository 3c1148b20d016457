import type { Tally } from '../describe/describe.js'
import { nothingToDraw } from './nothing-to-draw.js'

/** The sum of all values. */
export function sum(values: Iterable<number>): number {
  let total = 0
  for (const value of values) total += value
  return total
}

/** All impressions of a tally; an error where there are none, because then no figure has anything to say. */
export function requireImpressions(tally: Tally): number {
  const total = sum(tally.impressions)
  if (total > 0) return total
  throw nothingToDraw('the log has no impressions')
}
