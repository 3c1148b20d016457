import type { RandomStream } from '../random/stream.js'
import type { Draws, Policy } from './policy.js'

/** The probabilities of one user's items, and independent draws from them. */
export interface Distribution {
  readonly probabilities: Float64Array
  sample(random: RandomStream, count: number): Draws
}

/**
 * Draws by inverting the cumulative probabilities: one random number a draw, found by bisection. Items of
 * probability 0 are never drawn. The cumulative sums are made at the first draw and kept.
 */
export function distributionOf(probabilities: Float64Array): Distribution {
  let cumulative: Float64Array | undefined
  return {
    probabilities,
    sample(random, count) {
      cumulative ??= cumulativeSums(probabilities)
      // Scaled by the total, so that rounding in the sum cannot favour the last item.
      const total = cumulative[cumulative.length - 1]!
      const items = new Uint32Array(count)
      const propensities = new Float64Array(count)
      for (let k = 0; k < count; k++) {
        const item = firstAbove(cumulative, random.uniform() * total)
        items[k] = item
        propensities[k] = probabilities[item]!
      }
      return { items, propensities }
    },
  }
}

/** The policy that gives each user a distribution. */
export const policyOf = (name: string, items: number, of: (user: number) => Distribution): Policy => ({
  name,
  items,
  probabilities: (user) => of(user).probabilities,
  sample: (user, random, count) => of(user).sample(random, count),
})

function cumulativeSums(probabilities: Float64Array): Float64Array {
  const cumulative = new Float64Array(probabilities.length)
  let total = 0
  for (let item = 0; item < probabilities.length; item++) {
    total += probabilities[item]!
    cumulative[item] = total
  }
  return cumulative
}

/** The first place of a rising array whose value is above the threshold; the last place where none is. */
function firstAbove(rising: Float64Array, threshold: number): number {
  let low = 0
  let high = rising.length - 1
  while (low < high) {
    const middle = (low + high) >>> 1
    if (rising[middle]! > threshold) high = middle
    else low = middle + 1
  }
  return low
}
