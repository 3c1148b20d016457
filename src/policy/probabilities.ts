import { badOption } from '../error.js'
import { CompensatedSum } from '../sum.js'

/** How far from one the sum of given probabilities may be: room for rounded digits, not for mistakes. */
const TOLERANCE = 1e-9
/** How far from one the sum of correctly rounded probabilities can be. */
const ROUNDING = 4 * Number.EPSILON

/** weights / Σ weights. `whose` starts the error message if that is undefined. */
export function normalise(whose: string, weights: ArrayLike<number>): Float64Array {
  const sum = sumOf(whose, weights, 'weight', 'item')
  if (!(sum > 0 && sum < Infinity))
    throw badOption(
      `${whose}: the weights of ${weights.length} items sum to ${sum}.`,
      'At least one item needs a weight above 0, and the sum must be finite.',
    )
  return Float64Array.from(weights, (weight) => weight / sum)
}

/**
 * A copy of probabilities that sum to one within 1e-9, else an error that names `whose` they are. The
 * values stay as they are if the sum is one up to rounding, and are divided by it otherwise.
 * `kind` and `of` are what the values are called, as in "the weight of part 2".
 */
export function checkedProbabilities(
  whose: string,
  values: ArrayLike<number>,
  kind: 'probability' | 'weight' = 'probability',
  of: 'item' | 'part' = 'item',
): Float64Array {
  const sum = sumOf(whose, values, kind, of)
  if (!(Math.abs(sum - 1) <= TOLERANCE))
    throw badOption(
      `${whose}: the ${kind === 'weight' ? 'weights' : 'probabilities'} of ${values.length} ${of}s sum to ${sum}, not 1.`,
      'Divide them by their sum.',
    )
  const divisor = Math.abs(sum - 1) <= ROUNDING ? 1 : sum
  return Float64Array.from(values, (value) => value / divisor)
}

function sumOf(whose: string, values: ArrayLike<number>, kind: string, of: string): number {
  const sum = new CompensatedSum()
  for (let k = 0; k < values.length; k++) {
    const value = values[k]!
    if (!(value >= 0 && value < Infinity))
      throw badOption(
        `${whose}: the ${kind} of ${of} ${k} is ${value}.`,
        `Give every ${of} a finite ${kind}, 0 or more.`,
      )
    sum.add(value)
  }
  return sum.value
}
