import type { RowGroups } from '../log/row-groups.js'
import { writeFineSteps } from './probability-steps.js'

/** Rows with those of one item or user after the other, and what no target changes in that order: cells of a group then lie side by side in memory. */
export interface GroupedRows extends RowGroups {
  readonly reward: Float64Array
  readonly propensity: Float64Array
  /** Whether rewards are all 0 or 1. */
  readonly isClick: boolean
  /** Room for the probabilities of a target and their fine steps, used again by the next: fresh memory takes longer to get than to fill. */
  readonly room: { readonly probability: Float64Array; readonly step: Uint16Array }
}

/** Rewards and propensities of the rows of a log in the order of some groups. */
export const groupedRows = (
  groups: RowGroups,
  reward: Float64Array,
  propensity: Float64Array,
): GroupedRows => ({
  ...groups,
  reward: takenFrom(reward, groups.rows),
  propensity: takenFrom(propensity, groups.rows),
  isClick: reward.every((value) => value === 0 || value === 1),
  room: { probability: new Float64Array(reward.length), step: new Uint16Array(reward.length) },
})

/** Writes the target's probabilities of the items shown, w times b, and their steps into the room of the rows. */
export function writeProbabilities({ rows, propensity, room }: GroupedRows, weights: Float64Array): void {
  for (let k = 0; k < rows.length; k++) room.probability[k] = weights[rows[k]!]! * propensity[k]!
  writeFineSteps(room.probability, room.step)
}

/** Numbers of a column in the order of some rows; many times as fast as `from` with a function. */
function takenFrom(column: Float64Array, rows: Uint32Array): Float64Array {
  const taken = new Float64Array(rows.length)
  for (let k = 0; k < rows.length; k++) taken[k] = column[rows[k]!]!
  return taken
}
