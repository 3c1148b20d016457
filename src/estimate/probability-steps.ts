import { exp } from '../portable-math.js'
import { type BinsByBits, binAt, binsByBits, halvesOf } from './bins-by-bits.js'
import { FINE_LEVELS, LEVELS, SLACK } from './item-fit.js'

/** Steps of a factor of e from 1 down to the least number above 0. */
const STEPS_OF_ONE = 745
const FINE_STEPS = STEPS_OF_ONE * FINE_LEVELS

/** The fine step of what is never shown: one more than that of 1. */
export const NEVER = FINE_STEPS + 1
/** The wide step of the same. */
export const NEVER_WIDE = STEPS_OF_ONE * LEVELS + 1

/** Fine steps, from the least up. */
let known: BinsByBits | undefined

const binsOfSteps = (): BinsByBits =>
  binsByBits(
    Float64Array.from({ length: FINE_STEPS + 1 }, (_, k) =>
      k === FINE_STEPS ? Infinity : exp(-(FINE_STEPS - 1 - k) / FINE_LEVELS - SLACK),
    ),
  )

/**
 * Writes the fine step of each probability, from the least up, where a step is a factor of e^(1/FINE_LEVELS); `NEVER` for 0. A
 * little below the edge counts as above it, lest rounding decide about those that lie on one, such as 1.
 */
export function writeFineSteps(probability: Float64Array, steps: Uint16Array): void {
  const bins = (known ??= binsOfSteps())
  const halves = halvesOf(probability)
  for (let row = 0; row < probability.length; row++)
    steps[row] = probability[row]! > 0 ? binAt(bins, probability, halves, row) : NEVER
}

/** For each fine step the wide one in which it lies, as far below 1. */
export const WIDE_STEP = Uint16Array.from({ length: NEVER + 1 }, (_, step) =>
  step === NEVER ? NEVER_WIDE : NEVER_WIDE - 1 - Math.ceil(((FINE_STEPS - step) * LEVELS) / FINE_LEVELS),
)

/** Each fine step itself. */
export const SAME_STEP = WIDE_STEP.map((_, step) => step)
