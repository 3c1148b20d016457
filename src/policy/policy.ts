import type { RandomStream } from '../random/stream.js'

/** Items drawn by a policy, each with the probability it was drawn with, ready to be logged. */
export interface Draws {
  readonly items: Uint32Array
  /** Probability of each single draw. */
  readonly propensities: Float64Array
}

/**
 * A recommendation policy π: how likely each item is to be shown in each context. A context is what the policy knows
 * when it chooses, by its index. Users are the simplest: in a log without `contexts`, the context of a row is its user.
 * In a log that has them it is `contexts.index[row]`; a policy that goes by the user there, too, is made one over
 * contexts by `policyOverContexts`.
 */
export interface Policy {
  readonly name: string
  readonly items: number
  /** π(·|context): one probability for each item, summing to one. The array is the policy's own: read it, do not write. */
  probabilities(context: number): Float64Array
  /** `count` independent draws, with replacement, from π(·|context). */
  sample(context: number, random: RandomStream, count: number): Draws
  /**
   * Where contexts share probabilities, the group of a context, a whole number from 0: contexts of one group have the
   * same, so that they need be asked for once per group. Absent where each may have its own.
   */
  groupOf?(context: number): number
}
