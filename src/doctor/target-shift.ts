import { probabilityShift } from './column-shift.js'
import type { Check } from './finding.js'

/** With fewer rows nothing can be said. */
const ROWS = 100

/** Finds target probabilities that belong to the item of the row above or below, as after a join by place. */
export const checkTargetShift: Check = ({ log }) => {
  const { target } = log
  if (!target || log.rows < ROWS || target.some((p) => !(p >= 0 && p <= 1))) return []
  const shift = probabilityShift(log, target)
  if (shift === 0) return []
  const neighbour = shift < 0 ? 'above' : 'below'
  return [
    {
      code: 'target-shifted',
      level: 'problem',
      column: 'target',
      lowersTo: 'refuse',
      seen: `The target probabilities fit the item of the row ${neighbour} better than the item of their own row.`,
      why: 'The column of target probabilities seems to have slipped by one row. Every item is then weighted by the probability of another, and the estimate describes no policy.',
      remedy: `Move the target probabilities ${shift < 0 ? 'up' : 'down'} by one row, or join them to the impressions again by user and item.`,
      numbers: { shift },
      rows: [],
    },
  ]
}
