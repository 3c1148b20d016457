import type { WeightBin } from '../estimate/weight-summary.js'
import { counted, formatCount, formatShare, formatTick } from '../number-text.js'

/** Weights, counted by their size. */
export interface CountedWeights {
  /** What has a weight. */
  readonly noun: 'row' | 'event'
  /** Those with a weight above zero, from light to heavy. */
  readonly bins: readonly WeightBin[]
  /** How many have weight zero. */
  readonly zeros: number
  /** How many there are, zeros too. */
  readonly count: number
}

/** What is known about the concentration of the weights; null where it is not. */
interface Concentration {
  readonly ess: number | null
  readonly topPercentShare: number | null
}

/** The finding of a spread of weights: which rows carry them, and what the sample is worth. */
export function weightFinding(
  { noun, bins, count, zeros }: CountedWeights,
  { ess, topPercentShare }: Concentration,
): string {
  if (zeros === count) return 'Every weight is 0: the target policy never shows what was logged'
  const populated = bins.filter((bin) => bin.count > 0)
  if (count === 1) return `A single ${noun} carries all the weight`
  const worth =
    ess === null
      ? ''
      : `${counted(count, noun)} are worth ${formatCount(roundedCount(ess))} equally weighted ones`
  if (populated.length === 1 && zeros === 0)
    return `All ${formatCount(count)} ${noun}s have nearly the same weight`
  if (topPercentShare === null) return worth || `${counted(count, noun)} with different weights`
  return `The heaviest 1 % of ${noun}s carry ${formatShare(topPercentShare)} of the weight${worth && `; ${worth}`}`
}

/** A number of rows that need not be whole: two digits below ten, else none after the point. */
export const roundedCount = (value: number): number =>
  value >= 10 ? Math.round(value) : Number(value.toPrecision(2))

/** A weight with three digits. */
export const weightText = (weight: number): string => {
  const rounded = Number(weight.toPrecision(3))
  return rounded < 1 ? String(rounded) : rounded < 1e6 ? formatCount(rounded) : formatTick(rounded)
}
