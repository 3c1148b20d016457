import { HindcastError } from '$core/error.js'
import { type Adjacency, neighboursOf } from '$core/graph/graph.js'
import { type Distribution, distributionOf, perContext, policyOf } from '$core/policy/distribution.js'
import type { Policy } from '$core/policy/policy.js'
import { adaptRuled } from '$core/policy/ruled-policy.js'
import { slotShares, type Standing, standingWithout } from '$core/policy/sorted-pages.js'

/** Probabilities of the items, and of what is shown beyond them. */
interface Left extends Distribution {
  readonly outside: number
}

/**
 * A policy that chooses among the items a user was not shown: by its order where it has one, else as before,
 * π(a|u)/(1 − Σ π(s|u)), 0 for those shown. What it shows beyond its items stays part of it, and so does where it comes from.
 */
export function unseenPolicy(policy: Policy, shown: Adjacency): Policy {
  const { followsLogging, origin, sorted } = policy
  const standing = perContext((user: number): Standing | undefined => {
    const all = sorted?.standing(user)
    return all && standingWithout(all, neighboursOf(shown, user))
  })
  const of = perContext((user): Left => {
    const own = standing(user)
    return own ? firstSlot(own, sorted!.epsilon) : amongOthers(policy, user, neighboursOf(shown, user))
  })
  return {
    ...policyOf(policy.name, policy.items, of),
    ...(policy.outside && { outside: (user: number) => of(user).outside }),
    ...(followsLogging && { followsLogging: (user: number) => followsLogging(user) }),
    ...(sorted && { sorted: { ...sorted, standing } }),
    ...adaptRuled(policy, (other) => unseenPolicy(other, shown)),
    ...(origin && { origin }),
  }
}

/** What stands first: what is missing from 1 is shown of items that the log does not have. */
function firstSlot(standing: Standing, epsilon: number): Left {
  const probabilities = slotShares(standing, epsilon, [])
  const sum = probabilities.reduce((total, probability) => total + probability, 0)
  return { ...distributionOf(probabilities), outside: Math.max(0, 1 - sum) }
}

/** The probabilities of the items that a user was not shown, in the same proportion. */
function amongOthers(policy: Policy, user: number, shown: ArrayLike<number>): Left {
  const probabilities = policy.probabilities(user).slice()
  for (let k = 0; k < shown.length; k++) probabilities[shown[k]!] = 0
  const outside = policy.outside?.(user) ?? 0
  const left = probabilities.reduce((sum, probability) => sum + probability, outside)
  if (!(left > 0))
    throw new HindcastError(
      'bad-option',
      `${policy.name} would show some user only items seen in training.`,
      { remedy: 'It gives the other items no probability: choose a softer rule.' },
    )
  return {
    ...distributionOf(probabilities.map((probability) => probability / left)),
    outside: outside / left,
  }
}
