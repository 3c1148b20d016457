import type { Tally } from '../describe/describe.js'
import { badOption } from '../error.js'
import { nothingToDraw } from './chart.js'

/** A part of a tally: the first and the last rank of it, counted from 1 at the most impressions. */
export interface Ranks {
  readonly from: number
  readonly to: number
}

/** The places in a tally of what has impressions, from the most of them to the least; of equal ones the first. */
export const rankTally = ({ impressions }: Tally): Uint32Array =>
  Uint32Array.from(impressions, (_, place) => place)
    .filter((place) => impressions[place]! > 0)
    .sort((a, b) => impressions[b]! - impressions[a]! || a - b)

/** The ranks to show of `count`: those asked for, else all; an error where there are none such. */
export function ranksOf(asked: Ranks | undefined, count: number): Ranks & { readonly isPart: boolean } {
  const { from, to } = asked ?? { from: 1, to: count }
  if (!(Number.isInteger(from) && Number.isInteger(to) && from >= 1 && from <= to && to <= count))
    throw badOption(
      `Ranks ${from} to ${to} do not exist; there are ${count}.`,
      `Give whole ranks from 1 to ${count}.`,
    )
  return { from, to, isPart: to - from + 1 < count }
}

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
