import type { Dialect } from './dialect.js'
import type { Relation } from './relation.js'

/** The loggers of the rows of a relation, as expressions over it. */
export interface SqlLoggers {
  /** The name of the row's logger; never NULL. */
  readonly name: string
  /** The names in the order in which rows count them, and the factor by which the weights of each are multiplied. */
  readonly weighed?: { readonly names: readonly string[]; readonly factors: readonly number[] }
  /** The columns with probabilities under each logger, by their names in the file. */
  readonly probabilities: readonly { readonly column: string; readonly expression: string }[]
  /** The propensity column that the log has beside them, which must be that of the row's own logger. */
  readonly logged?: string
  /** b of the row's own logger. */
  readonly own?: string
  /** A propensity further than this part from that of the row's own logger contradicts it. */
  readonly contradicts: number
}

/** The name of the logger of each row, from a column of labels; rows without one share the empty name. */
export const loggerName = (label: string): string => `coalesce(${label}, '')`

/** The value that belongs to the logger of each row; NULL for a logger without one. */
export function byLogger(
  dialect: Dialect,
  name: string,
  values: readonly (readonly [logger: string, value: string])[],
): string {
  const cases = values.map(([logger, value]) => `WHEN ${dialect.literal(logger)} THEN ${value}`)
  return `CASE ${name} ${cases.join(' ')} END`
}

/** Σ_j share_j b_j, added up in the order of the loggers, as in memory. */
export const mixtureOf = (
  parts: readonly { readonly share: number; readonly probability: string }[],
  dialect: Dialect,
): string =>
  parts
    .map(({ share, probability }) => `${dialect.number(share)} * ${probability}`)
    .reduce((sum, part) => `(${sum} + ${part})`)

/** The relation with other propensities. */
export const withPropensity = (relation: Relation, propensity: string): Relation => ({
  ...relation,
  numbers: { ...relation.numbers, propensity: `(${propensity})` },
})
