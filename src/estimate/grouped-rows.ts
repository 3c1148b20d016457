import type { RowGroups } from '../log/row-groups.js'

/** Rows with those of one item or user after the other, and their rewards in that order, which no target changes. */
export interface GroupedRows extends RowGroups {
  readonly reward: Float64Array
  /** Whether rewards are all 0 or 1. */
  readonly isClick: boolean
}

/** Rewards of the rows of a log in the order of some groups. */
export function groupedRows(groups: RowGroups, reward: Float64Array): GroupedRows {
  const { rows } = groups
  const taken = new Float64Array(rows.length)
  for (let k = 0; k < rows.length; k++) taken[k] = reward[rows[k]!]!
  return { ...groups, reward: taken, isClick: reward.every((value) => value === 0 || value === 1) }
}
