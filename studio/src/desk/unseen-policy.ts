import { HindcastError } from '$core/error.js'
import { type Adjacency, neighboursOf } from '$core/graph/graph.js'
import { distributionOf, policyOf } from '$core/policy/distribution.js'
import { perContext } from '$core/policy/per-context.js'
import type { Policy } from '$core/policy/policy.js'

/**
 * A policy that chooses as before among the items a user was not shown: π(a|u)/(1 − Σ π(s|u)), 0 for those shown. What it
 * shows beyond its items stays part of it, and so does where it comes from.
 */
export function unseenPolicy(policy: Policy, shown: Adjacency): Policy {
  const of = perContext((user) => {
    const probabilities = policy.probabilities(user).slice()
    for (const item of neighboursOf(shown, user)) probabilities[item] = 0
    const outside = policy.outside?.(user) ?? 0
    const left = probabilities.reduce((sum, probability) => sum + probability, outside)
    if (!(left > 0))
      throw new HindcastError(
        'bad-option',
        `${policy.name} would show some user only items seen in training.`,
        {
          remedy: 'It gives the other items no probability: choose a higher temperature.',
        },
      )
    return {
      ...distributionOf(probabilities.map((probability) => probability / left)),
      outside: outside / left,
    }
  })
  const { followsLogging, tempered, softmaxAt, origin } = policy
  const at = (make: (temperature: number) => Policy) => (temperature: number) =>
    unseenPolicy(make(temperature), shown)
  return {
    ...policyOf(policy.name, policy.items, of),
    ...(policy.outside && { outside: (user: number) => of(user).outside }),
    ...(followsLogging && { followsLogging: (user: number) => followsLogging(user) }),
    ...(tempered && { tempered: { ...tempered, at: at(tempered.at) } }),
    ...(softmaxAt && { softmaxAt: at(softmaxAt) }),
    ...(origin && { origin }),
  }
}
