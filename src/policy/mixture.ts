import { badOption } from '../error.js'
import { distributionOf, policyOf } from './distribution.js'
import { perContext } from './per-context.js'
import { originOfAll } from './origin.js'
import type { Policy } from './policy.js'
import { checkedProbabilities } from './probabilities.js'

/** One policy of a mixture. */
export interface MixturePart {
  readonly policy: Policy
  /** Probability that this policy chooses what is shown. */
  readonly weight: number
}

/**
 * A randomly chosen policy chooses what is shown: π(a|u) = Σ weight·π_part(a|u). The weights sum to one
 * within 1e-9. The propensity of a draw is that of the mixture, whichever part made it.
 */
export function mixturePolicy(name: string, parts: readonly MixturePart[]): Policy {
  const weights = checkedProbabilities(
    `Policy ${name}`,
    parts.map(({ weight }) => weight),
    'weight',
    'part',
  )
  const items = parts[0]!.policy.items
  for (const { policy } of parts)
    if (policy.items !== items)
      throw badOption(
        `Policy ${name}: ${parts[0]!.policy.name} is for ${items} items, but ${policy.name} for ${policy.items}.`,
        'Mix policies for the same items.',
      )
  const mix = (user: number): Float64Array => {
    const mixed = new Float64Array(items)
    parts.forEach(({ policy }, part) => {
      const probabilities = policy.probabilities(user)
      for (let item = 0; item < items; item++) mixed[item]! += weights[part]! * probabilities[item]!
    })
    return mixed
  }
  const mixture = policyOf(
    name,
    items,
    perContext((user) => distributionOf(mix(user))),
  )
  const origin = originOfAll(parts.map(({ policy }) => policy.origin))
  const outside = (user: number): number =>
    parts.reduce((sum, { policy }, part) => sum + weights[part]! * (policy.outside?.(user) ?? 0), 0)
  return {
    ...mixture,
    ...(origin && { origin }),
    ...(parts.some(({ policy }) => policy.outside) && { outside }),
  }
}
