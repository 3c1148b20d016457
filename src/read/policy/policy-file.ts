import type { Made } from '../../log/stamp.js'
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
  /** What it, or a file beside it, says of the rows it was made from. */
  readonly made?: Made
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

/** An item of a row as an engine holds it. */
export interface PolicyPair {
  readonly item: number
  readonly probability: number
  /** Its first place, how many tie with it, and how many items there are, where pages go by that. */
  readonly standing?: readonly [firstPlace: number, tied: number, items: number]
}

/** The items of a row with a probability above 0; with their standing all that could be shown further down on a page. */
export function* pairsOfRow(
  file: PolicyFile,
  row: number,
  sum: number,
  withStanding: boolean,
): Generator<PolicyPair> {
  const items = file.items(row)
  const standing = withStanding ? file.ruled?.standing?.(row) : undefined
  for (const [k, probability] of dividedBy(file.values(row), sum).entries()) {
    const item = items ? items[k]! : k
    if (!standing) {
      if (probability > 0) yield { item, probability }
      continue
    }
    const { better, tied, candidates } = standing
    if (tied[k]! > 0) yield { item, probability, standing: [better[k]! + 1, tied[k]!, candidates] }
  }
}

/** Whether an engine has to hold where the items of a file stand: for a rule that sorts, on a log of pages. */
export const needsStanding = (
  { ruled }: PolicyFile,
  { ids }: { readonly ids: { readonly slate?: unknown } },
): boolean => ids.slate !== undefined && ruled?.standing !== undefined

/** Whether a number can be a probability, or a percentage where `most` is 100, or a score. */
export const isPolicyValue = (value: number, kind: PolicyFile['kind'], most = 1): boolean =>
  kind === 'probability' ? value >= 0 && value <= most : value < Infinity

/** What a value of each kind must be. */
export const POLICY_VALUE: Readonly<Record<PolicyFile['kind'], string>> = {
  probability: 'a probability from 0 to 1',
  score: 'a number, or -inf for an item that is never shown',
}
