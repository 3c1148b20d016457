import { distributionOf, policyOf } from './distribution.js'
import type { Policy } from './policy.js'
import { normalise } from './probabilities.js'

/** A policy that treats all users alike: π(a|u) = weights[a] / Σ weights. */
export function fixedPolicy(name: string, weights: ArrayLike<number>): Policy {
  const distribution = distributionOf(normalise(`Policy ${name}`, weights))
  return policyOf(name, weights.length, () => distribution)
}
