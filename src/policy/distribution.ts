import { firstAbove } from '../bisect.js'
import type { RandomStream } from '../random/stream.js'
import { runningSums } from '../sum.js'
import type { Draws, Policy } from './policy.js'

/** The probabilities of the items in one context, and independent draws from them. */
export interface Distribution {
  readonly probabilities: Float64Array
  sample(random: RandomStream, count: number): Draws
}

/**
 * Draws by inverting the cumulative probabilities: one random number per draw, found by bisection. Items with
 * probability 0 are never drawn. The cumulative sums are computed at the first draw and kept.
 */
export function distributionOf(probabilities: Float64Array): Distribution {
  let cumulative: Float64Array | undefined
  return {
    probabilities,
    sample(random, count) {
      cumulative ??= runningSums(probabilities)
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

/** The policy that gives each context, such as a user, a distribution. */
export const policyOf = (name: string, items: number, of: (context: number) => Distribution): Policy => ({
  name,
  items,
  probabilities: (context) => of(context).probabilities,
  sample: (context, random, count) => of(context).sample(random, count),
})

/**
 * What belongs to a context, such as a user, computed on demand and kept until another one is requested: logs are
 * drawn and evaluated context by context, and all rows together would not fit in memory.
 */
export function perContext<Value>(of: (context: number) => Value): (context: number) => Value {
  let last: { context: number; value: Value } | undefined
  return (context) => {
    if (last?.context !== context) last = { context, value: of(context) }
    return last.value
  }
}
