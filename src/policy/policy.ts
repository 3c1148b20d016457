import type { RandomStream } from '../random/stream.js'
import type { Origin } from './origin.js'
import type { AskedRule, ScoreRule } from './score-rule.js'
import type { SortedPages } from './sorted-pages.js'

/** Items drawn by a policy, each with the probability it was drawn with, ready to be logged. */
export interface Draws {
  readonly items: Uint32Array
  /** Probability of each single draw. */
  readonly propensities: Float64Array
}

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
