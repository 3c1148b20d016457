import type { Dialect } from './dialect.js'

/** How cells of rows are made by the target's probabilities: so many levels are a factor of e, and cells of fewer than so many rows are left out. */
export interface CellChoice {
  readonly levels: number
  /** How far below the edge of a step the logarithm of a probability may be and still count as above it. */
  readonly slack: number
  readonly fewest: number
}

/** The step on which a probability p lies, from 0 for 1 upwards; of those above 0. */
export const stepOf = (dialect: Dialect, { levels, slack }: CellChoice): string =>
  `ceil(${dialect.number(-levels)} * ln(p) - ${dialect.number(levels * slack)})`

/** The rows of a cell, and the mean and variance of their rewards r, as columns n, m and v. */
export function rewardColumns(dialect: Dialect): string {
  const count = dialect.double('count(*)')
  // No division by zero: some engines compute it before they leave out the cells of one row.
  const variance = `(avg(r * r) - avg(r) * avg(r)) * ${count} / nullif(${count} - ${dialect.number(1)}, ${dialect.number(0)})`
  return `${count} AS n, avg(r) AS m, ${variance} AS v`
}
