import type { Contexts } from './contexts.js'
import type { JoinFacts } from './join/join-facts.js'
import type { Labels } from './labels.js'

/** Where the propensities of a log come from. `none`: it has none, and no stand-in was chosen. */
export type PropensitySource = 'logged' | 'estimated' | 'assumed' | 'none'

/**
 * An impression log in typed columns: row k says that item `item[k]` was shown to user `user[k]`
 * with probability `propensity[k]` and earned `reward[k]`. Users and items are dense indices; the ids
 * of the file are in `userIds` and `itemIds`, in the order of `orderOfIds`.
 */
export interface Log {
  readonly rows: number
  readonly user: Uint32Array
  readonly item: Uint32Array
  readonly userIds: readonly string[]
  readonly itemIds: readonly string[]
  /** True when `itemIds` is the whole catalogue, including items never shown; false when it lists only what occurs. */
  readonly catalogueKnown: boolean
  readonly reward: Float64Array
  /** What was known when each item was chosen, if more than the user; absent if only the user. */
  readonly contexts?: Contexts
  /** b(a|u), or given the context where there is one, in (0, 1]; absent when `propensitySource` is `none`. */
  readonly propensity?: Float64Array
  readonly propensitySource: PropensitySource
  /** π(a|u) in [0, 1] of a target policy, if the log has one. */
  readonly target?: Float64Array
  /** Index of the slate (one page shown at once) of each row, with its ids. */
  readonly slate?: Uint32Array
  readonly slateIds?: readonly string[]
  readonly position?: Float64Array
  /** Milliseconds since 1970 UTC for dates; numbers stay as they are in the file. */
  readonly time?: Float64Array
  /** Index of the cluster of each row, if it is not the user. */
  readonly cluster?: Uint32Array
  readonly clusterIds?: readonly string[]
  /** How many impressions each row stands for, if the log was thinned; 1 if absent. */
  readonly weight?: Float64Array
  /** Predicted reward q̂(u, a) of the item shown, if the log has one. */
  readonly q?: Float64Array
  /** Predicted value Σ_a π(a|u) q̂(u, a) of the target policy, if the log has one. */
  readonly v?: Float64Array
  /** What became of the outcomes, where rewards were joined from another table. */
  readonly join?: JoinFacts
  /** Further columns that the user named, kept as text, by their names in the file. */
  readonly labels?: Readonly<Record<string, Labels>>
  /** Further columns that the user named, kept as numbers, by their names in the file; NaN where a number is missing. */
  readonly numbers?: Readonly<Record<string, Float64Array>>
}

/** The given rows of a log, in that order; ids, catalogue and contexts are shared with the whole log. */
export function takeRows(log: Log, rows: Uint32Array): Log {
  const pick = <Column extends Uint32Array | Float64Array>(column: Column): Column => {
    const picked = new (column.constructor as new (length: number) => Column)(rows.length)
    for (let k = 0; k < rows.length; k++) picked[k] = column[rows[k]!]!
    return picked
  }
  return {
    ...log,
    rows: rows.length,
    user: pick(log.user),
    item: pick(log.item),
    reward: pick(log.reward),
    ...(log.contexts && { contexts: { ...log.contexts, index: pick(log.contexts.index) } }),
    ...(log.propensity && { propensity: pick(log.propensity) }),
    ...(log.target && { target: pick(log.target) }),
    ...(log.slate && { slate: pick(log.slate) }),
    ...(log.position && { position: pick(log.position) }),
    ...(log.time && { time: pick(log.time) }),
    ...(log.cluster && { cluster: pick(log.cluster) }),
    ...(log.weight && { weight: pick(log.weight) }),
    ...(log.q && { q: pick(log.q) }),
    ...(log.v && { v: pick(log.v) }),
    ...(log.labels && {
      labels: Object.fromEntries(
        Object.entries(log.labels).map(([name, { index, ids }]) => [name, { index: pick(index), ids }]),
      ),
    }),
    ...(log.numbers && {
      numbers: Object.fromEntries(Object.entries(log.numbers).map(([name, values]) => [name, pick(values)])),
    }),
  }
}
