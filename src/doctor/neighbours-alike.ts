import { advice, set } from '../advice.js'
import { countDistinct } from '../log/row-groups.js'
import { counted, formatCount } from '../number-text.js'
import type { Check } from './finding.js'
import { orderedByOutcome } from './ordered-by-outcome.js'
import { surprises } from './surprises.js'
import { timeOrder } from './time-order.js'

/** Users are as many as rows, or nearly. */
const NEARLY_ALL = 0.9
const FEWEST_ROWS = 500
/** Rows so far apart are compared, and those so much farther, which share the hour but no session. */
const NEAR = 4
const FAR = [20, 40] as const
/** Standard errors beyond chance, and a correlation below which intervals hardly change. */
const BEYOND = 5
const LEAST = 0.02

/**
 * Finds sessions in a log where nearly every row has a user of its own: rewards of neighbouring rows resemble each other
 * more than those of rows twenty to forty apart. Such rows are no independent evidence, and no column says which belong
 * together.
 */
export const checkNeighboursAlike: Check = ({ log }) => {
  if (log.rows < FEWEST_ROWS || (!log.time && orderedByOutcome(log))) return []
  const users = countDistinct(log.user, log.userIds.length)
  if (users < NEARLY_ALL * log.rows) return []
  const { near, far } = neighbourCorrelations(surprises(log), timeOrder(log))
  const error = Math.sqrt((1 / NEAR + 1 / (FAR[1] - FAR[0])) / log.rows)
  const excess = near - far
  if (!(excess > BEYOND * error) || excess < LEAST) return []
  return [
    {
      code: 'neighbours-alike',
      level: 'problem',
      column: 'user',
      lowersTo: 'caution',
      seen: `Nearly every row has its own user (${formatCount(users)} in ${counted(log.rows, 'row')}), yet the rewards of rows next to each other resemble each other: their correlation is ${rounded(excess)}, ${rounded(excess / error)} standard errors above that of rows farther apart.`,
      why: 'Rows of one visitor or session seem to follow each other under different ids. Intervals that treat them as independent are too narrow.',
      remedy: advice`Name the column that keeps a visitor’s rows together with ${set('columns', 'user=NAME')}, or give that of the session with ${set('cluster', 'column:NAME')}.`,
      numbers: { users, rows: log.rows, correlation: excess, standardErrors: excess / error },
      rows: [],
    },
  ]
}

const rounded = (value: number): string => String(Number(value.toPrecision(2)))

/** Mean correlations of values 1 to 4 places apart, and 21 to 40, in the given order or their own; O(values). */
export function neighbourCorrelations(
  values: Float64Array,
  order?: Uint32Array,
): { near: number; far: number } {
  const rows = values.length
  // Sums of the first values, so that a window is a difference.
  const before = new Float64Array(rows + 1)
  for (let k = 0; k < rows; k++) before[k + 1] = before[k]! + values[order?.[k] ?? k]!
  let [near, far, squares] = [0, 0, 0]
  const upTo = (place: number): number => before[Math.min(rows, place + 1)]!
  for (let k = 0; k < rows; k++) {
    const value = before[k + 1]! - before[k]!
    squares += value * value
    near += value * (upTo(k + NEAR) - upTo(k))
    far += value * (upTo(k + FAR[1]) - upTo(k + FAR[0]))
  }
  return { near: near / NEAR / squares, far: far / (FAR[1] - FAR[0]) / squares }
}
