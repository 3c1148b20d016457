import type { RandomStream } from '../random/stream.js'
import type { AskedRule, ScoreRule } from './score-rule.js'
import type { SortedPages } from './sorted-pages.js'

/** Items drawn by a policy, each with the probability it was drawn with, ready to be logged. */
export interface Draws {
  readonly items: Uint32Array
  /** Probability of each single draw. */
  readonly propensities: Float64Array
}

/** Where a policy, with every model in it, comes from. `held-out`: from rows that were held out of this log. */
export type PolicyMade = 'elsewhere' | 'held-out' | 'this-log'

/** What is known, without asking anybody, of where a policy comes from: by what it is, or by the stamp of the rows it was made from. */
export interface Origin {
  /** Absent where its stamp does not settle it. */
  readonly made?: PolicyMade
  /** The share of this log's rows that it was made from, as far as rows can be recognised; absent where it has no stamp. */
  readonly share?: number
  /** It prefers no item, whoever is shown it. */
  readonly isBlind?: true
}

/** Where a target that a rule defines comes from: only popularity looks at the log, at other users than those it is shown to. Undefined for others. */
export const originOfRule = (kind: string): Origin | undefined =>
  kind === 'uniform' || kind === 'logging'
    ? { made: 'elsewhere', isBlind: true }
    : kind === 'popularity'
      ? { made: 'held-out' }
      : undefined

/**
 * A recommendation policy π: how likely each item is to be shown in each context. A context is what the policy knows
 * when it chooses, by its index. Users are the simplest: in a log without `contexts`, the context of a row is its user.
 * In a log that has them it is `contexts.index[row]`; `policyOverContexts` turns a policy over
 * users into one over contexts.
 */
export interface Policy {
  readonly name: string
  readonly items: number
  /**
   * π(·|context): one probability per item, summing to one less what `outside` says. The array belongs to the policy: do
   * not modify it.
   */
  probabilities(context: number): Float64Array
  /**
   * π(item|context) of many pairs, to the bits of `probabilities`. The columns of a log, which must not change: what no
   * temperature changes may be kept with them. Absent if that saves nothing.
   */
  ofPairs?(contexts: Uint32Array, items: Uint32Array): Float64Array
  /**
   * π(item|context) of some items in one context, in an array that the next request, for any context or policy, may
   * overwrite. Absent if that saves nothing.
   */
  ofItems?(context: number, items: Uint32Array): Float64Array
  /** `count` independent draws, with replacement, from π(·|context). */
  sample(context: number, random: RandomStream, count: number): Draws
  /**
   * If contexts share probabilities, the group of a context, a whole number from 0: contexts of one group have the
   * same, so one request per group is enough. Absent if each may have its own.
   */
  groupOf?(context: number): number
  /** How it follows scores, for a policy that does. Absent for others, and where that is not known. */
  readonly ruled?: Ruled
  /**
   * How it fills pages, where it goes by the order of its items. Absent for others: what they show in a slot is in proportion
   * to `probabilities` among the items not shown above.
   */
  readonly sorted?: SortedPages
  /**
   * The probability that it shows something that is not one of its items, as a policy made elsewhere may do; contexts of one
   * group have the same. Absent if it shows only its items.
   */
  outside?(context: number): number
  /**
   * True where it shows whatever the logging policy shows, and so has no probabilities of its own to ask for. Absent if
   * there is no such context. A policy that has this has no groups.
   */
  followsLogging?(context: number): boolean
  /** Where it comes from, as seen from the log it is for. Absent if nobody knows. */
  readonly origin?: Origin
}

/** The policies that follow the same scores, one for each rule. */
export interface PolicyFamily {
  by(rule: ScoreRule): Policy
}

/** How a policy follows scores, and the policy that follows the same scores by another rule. */
export interface Ruled extends PolicyFamily {
  readonly rule: AskedRule
  /** That of a softmax, as given or as chosen for an amount of exploration: small ones show only the best items, `Infinity` all alike. */
  readonly temperature?: number
}

/** A ranked list drawn by a policy, with the probabilities it was drawn with, ready to be logged. */
export interface Slate {
  /** The items from the first position to the last, none twice. */
  readonly items: Uint32Array
  /** Probability of each item at its position, given the items before it. */
  readonly stepPropensities: Float64Array
  /** Probability of the whole slate in this order: the product of the steps. Below 1e-308 it loses digits, the steps do not. */
  readonly propensity: number
}

/** A policy that shows several items at once, in order and none twice; separately for each context, such as a user. */
export interface SlatePolicy {
  readonly name: string
  readonly items: number
  /** Number of items in a slate. */
  readonly positions: number
  /** One slate. */
  sample(context: number, random: RandomStream): Slate
  /**
   * For a slate, or the start of one: the probability of each item at its position, given the items
   * before it. 0 for an item that cannot be shown or that was shown before.
   */
  stepProbabilities(context: number, slate: ArrayLike<number>): Float64Array
  /** Probability of a slate, or of all slates that start this way: the product of the steps. */
  slateProbability(context: number, slate: ArrayLike<number>): number
  /**
   * For each position the probability of each item there, whatever else is shown; each position sums to
   * one, and the sum over positions is the probability that an item is shown at all. Exact; throws
   * if that would take too long.
   */
  marginals(context: number): Float64Array[]
}
