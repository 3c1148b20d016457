import { ruledName, type ScoreRule } from '../../policy/score-rule.js'
import type { Standing } from '../../policy/sorted-pages.js'
import { CompensatedSum } from '../../sum.js'

/** Probabilities or scores. */
export type PolicyValues = Float64Array | Float32Array

/**
 * A policy as a file gives it, before it meets a log: a probability or a score of items for each user, both by the ids of
 * the file. The values have been checked: probabilities lie in [0, 1], scores are below Infinity, no item comes twice.
 */
export interface PolicyFile {
  /** As messages call it. */
  readonly name: string
  readonly kind: 'probability' | 'score'
  /** Undefined if all users have the same row. */
  readonly userIds: readonly string[] | undefined
  readonly itemIds: readonly string[]
  /**
   * The items that have a value in a row, by their places in `itemIds`; undefined if all of them have one, in that order. A
   * row is the place of a user in `userIds`, and 0 where all have the same.
   */
  items(row: number): Uint32Array | undefined
  /** The values of those items. */
  values(row: number): PolicyValues
  /** What is worth knowing about it, one sentence each. */
  readonly notes?: readonly string[]
  /** The rule by which its probabilities follow from scores, and the same by another; absent where they do not. */
  readonly ruled?: RuledFile
}

/** How scores of a file became probabilities. */
interface RuledFile {
  readonly rule: ScoreRule
  by(rule: ScoreRule): PolicyFile
  /** Where the items of a row stand, in the order of its values, for a rule that sorts. */
  standing?(row: number): Standing
}

/** What results call the policy of a file, given what they call the file: a rule for scores is part of it. */
export const policyName = (name: string, { ruled }: PolicyFile): string =>
  ruled ? ruledName(name, ruled.rule) : name

/** How many rows it has. */
export const rowsOf = ({ userIds }: PolicyFile): number => userIds?.length ?? 1

/** Whose row it is, to start a message with. */
export const whoseRow = ({ name, userIds }: PolicyFile, row: number): string =>
  userIds ? `${name}, user ${JSON.stringify(userIds[row])}` : name

/** Σ_a π(a|u) of each row of a file. */
export function sumsOf(file: PolicyFile): Float64Array {
  return Float64Array.from({ length: rowsOf(file) }, (_, row) => sumOf(file.values(row)))
}

/** The sum of a row. */
export function sumOf(values: PolicyValues): number {
  const sum = new CompensatedSum()
  for (const value of values) sum.add(value)
  return sum.value
}

/** Divided by their sum, unless that is 1 up to rounding in float64: then they keep their bits. */
export function dividedBy(values: PolicyValues, sum: number): PolicyValues {
  return Math.abs(sum - 1) <= 4 * Number.EPSILON ? values : Float64Array.from(values, (value) => value / sum)
}
