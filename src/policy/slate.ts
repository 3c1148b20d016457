import type { RandomStream } from '../random/stream.js'

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
