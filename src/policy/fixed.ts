import { HindcastError } from '../error.js'
import type { RandomStream } from '../random/stream.js'
import type { Draws, Policy } from './policy.js'

/**
 * A policy that treats all users alike: π(a|u) = weights[a] / Σ weights.
 * Draws invert the cumulative distribution by bisection.
 */
export function fixedPolicy(name: string, weights: ArrayLike<number>): Policy {
  const probabilities = normalise(name, weights)
  const cumulative = new Float64Array(probabilities.length)
  let total = 0
  for (let item = 0; item < probabilities.length; item++) {
    total += probabilities[item]!
    cumulative[item] = total
  }
  const drawOne = (u: number): number => {
    let low = 0
    let high = cumulative.length - 1
    while (low < high) {
      const middle = (low + high) >>> 1
      if (cumulative[middle]! > u) high = middle
      else low = middle + 1
    }
    return low
  }
  return {
    name,
    items: probabilities.length,
    probabilities: () => probabilities,
    sample(_user: number, random: RandomStream, count: number): Draws {
      const items = new Uint32Array(count)
      const propensities = new Float64Array(count)
      for (let k = 0; k < count; k++) {
        // Scaled by the total, so that rounding in the sum cannot favour the last item.
        const item = drawOne(random.uniform() * total)
        items[k] = item
        propensities[k] = probabilities[item]!
      }
      return { items, propensities }
    },
  }
}

function normalise(name: string, weights: ArrayLike<number>): Float64Array {
  let sum = 0
  for (let item = 0; item < weights.length; item++) {
    const weight = weights[item]!
    if (!(weight >= 0) || weight === Infinity)
      throw new HindcastError('bad-option', `Policy ${name}: the weight of item ${item} is ${weight}.`, {
        remedy: 'Give every item a finite weight of at least 0.',
      })
    sum += weight
  }
  if (!(sum > 0) || sum === Infinity)
    throw new HindcastError(
      'bad-option',
      `Policy ${name}: the weights of ${weights.length} items sum to ${sum}.`,
      {
        remedy: 'At least one item needs a weight above 0, and the sum must be finite.',
      },
    )
  return Float64Array.from(weights, (weight) => weight / sum)
}
