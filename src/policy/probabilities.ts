import { HindcastError } from '../error.js'
import { CompensatedSum } from '../sum.js'

/** How far from one the sum of given probabilities may be: room for printed digits, not for a mistake. */
const TOLERANCE = 1e-9
/** How far correctly rounded probabilities can be from one. */
const ROUNDING = 4 * Number.EPSILON

/** weights / Σ weights. `whose` opens the message where they cannot be normalised. */
export function normalise(whose: string, weights: ArrayLike<number>): Float64Array {
  const sum = sumOf(whose, 'weight', weights)
  if (!(sum > 0) || sum === Infinity)
    throw new HindcastError('bad-option', `${whose}: the weights of ${weights.length} items sum to ${sum}.`, {
      remedy: 'At least one item needs a weight above 0, and the sum must be finite.',
    })
  return Float64Array.from(weights, (weight) => weight / sum)
}

/**
 * A copy of probabilities that sum to one within 1e-9, else an error that names `whose` they are. The
 * values stay as they are where the sum is one up to rounding, and are divided by it where it is not.
 */
export function checkedProbabilities(
  whose: string,
  probabilities: ArrayLike<number>,
  of = 'item',
): Float64Array {
  const sum = sumOf(whose, 'probability', probabilities, of)
  if (!(Math.abs(sum - 1) <= TOLERANCE))
    throw new HindcastError(
      'bad-option',
      `${whose}: the probabilities of ${probabilities.length} ${probabilities.length === 1 ? of : pluralOf(of)} sum to ${sum}, not to 1.`,
      { remedy: 'Give probabilities that sum to one within 1e-9, or weights to fixedPolicy.' },
    )
  const exact = Math.abs(sum - 1) <= ROUNDING
  return Float64Array.from(probabilities, (probability) => (exact ? probability : probability / sum))
}

const pluralOf = (of: string): string => (of.endsWith('y') ? `${of.slice(0, -1)}ies` : `${of}s`)

function sumOf(whose: string, kind: string, values: ArrayLike<number>, of = 'item'): number {
  const sum = new CompensatedSum()
  for (let k = 0; k < values.length; k++) {
    const value = values[k]!
    if (!(value >= 0) || value === Infinity)
      throw new HindcastError('bad-option', `${whose}: the ${kind} of ${of} ${k} is ${value}.`, {
        remedy: `Give every ${of} a finite ${kind} of at least 0.`,
      })
    sum.add(value)
  }
  return sum.value
}
