import type { RandomStream } from '../random/stream.js'

/** Items drawn by a policy, each with the probability it was drawn with, ready to be logged. */
export interface Draws {
  readonly items: Uint32Array
  /** Probability of each single draw. */
  readonly propensities: Float64Array
}

/** A recommendation policy π: how likely each item is to be shown to each user. */
export interface Policy {
  readonly name: string
  readonly items: number
  /** π(·|user): one probability for each item, summing to one. The array is the policy's own: read it, do not write. */
  probabilities(user: number): Float64Array
  /** `count` independent draws, with replacement, from π(·|user). */
  sample(user: number, random: RandomStream, count: number): Draws
  /**
   * Where users share probabilities, the group of a user, a whole number from 0: users of one group have the same,
   * so that they need be asked for once a group. Absent where each user may have their own.
   */
  groupOf?(user: number): number
}
