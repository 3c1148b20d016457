import { exp } from '../portable-math.js'
import { bitDigitsOf, startsByDigit, UPPER_DIGIT } from './bit-digits.js'

/** Steps of a factor of e from 1 down to the least number above 0. */
const STEPS_OF_ONE = 745

/** For so many levels, the step of what is never shown: one more than that of 1. */
export const neverOf = (levels: number): number => STEPS_OF_ONE * levels + 1

/** For so many levels, the steps of probabilities: k, from the least up, holds those below `limits[k]`. */
const known = new Map<number, { readonly limits: Float64Array; readonly starts: Uint16Array }>()

function limitsOf(levels: number): { readonly limits: Float64Array; readonly starts: Uint16Array } {
  const steps = STEPS_OF_ONE * levels
  const limits = Float64Array.from({ length: steps + 1 }, (_, k) =>
    k === steps ? Infinity : exp(-(steps - 1 - k + 1e-6) / levels),
  )
  return { limits, starts: startsByDigit(limits) }
}

/**
 * The step of each probability, from the least up, where a step is a factor of e^(1/levels); `neverOf(levels)` for 0. A little below
 * the edge counts as above it, lest rounding decide about those that lie on one, such as 1.
 */
export function stepsOf(probability: Float64Array, levels: number): Uint16Array {
  const { limits, starts } = known.get(levels) ?? limitsOf(levels)
  known.set(levels, { limits, starts })
  const never = neverOf(levels)
  const digits = bitDigitsOf(probability)
  const step = new Uint16Array(probability.length)
  for (let row = 0; row < probability.length; row++) {
    const p = probability[row]!
    let k = starts[digits[4 * row + UPPER_DIGIT]!]!
    while (p >= limits[k]!) k++
    step[row] = p > 0 ? k : never
  }
  return step
}
