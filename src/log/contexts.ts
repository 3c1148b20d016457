import type { Policy } from '../policy/policy.js'
import { adaptRuled } from '../policy/ruled-policy.js'
import type { Log } from './log.js'

/**
 * What was known when an item was chosen, beyond the user: the hour, the page, what they looked at before. A context
 * is an index, as a user is; several rows may share one.
 */
export interface Contexts {
  /** The context of each row. */
  readonly index: Uint32Array
  /** The user of each context. */
  readonly user: Uint32Array
  /** Names of the features. */
  readonly names: readonly string[]
  /** The features of each context, one after the other: feature f of context c is `features[c · names.length + f]`. */
  readonly features: Float32Array
}

/** The context of each row and the number of contexts: those of the log, or else its users. */
export const contextColumn = ({
  contexts,
  user,
  userIds,
}: Log): { readonly index: Uint32Array; readonly count: number } =>
  contexts ? { index: contexts.index, count: contexts.user.length } : { index: user, count: userIds.length }

/** The user of a context. */
export const userOfContext = ({ contexts }: Log, context: number): number =>
  contexts ? contexts.user[context]! : context

/** The features of a context, in the order of their names; a view, not a copy. */
export const featuresOf = ({ features, names }: Contexts, context: number): Float32Array =>
  features.subarray(context * names.length, (context + 1) * names.length)

/** Extends a policy over users to a log with contexts: in each context it chooses as for the context's user. */
export function policyOverContexts(policy: Policy, log: Log): Policy {
  const { contexts } = log
  const { sorted } = policy
  if (!contexts) return policy
  const userOf = (context: number): number => contexts.user[context]!
  return {
    name: policy.name,
    items: policy.items,
    probabilities: (context) => policy.probabilities(userOf(context)),
    sample: (context, random, count) => policy.sample(userOf(context), random, count),
    ...(policy.ofPairs && {
      ofPairs: (index, items) =>
        policy.ofPairs!(index === contexts.index ? log.user : index.map(userOf), items),
    }),
    ...(policy.ofItems && { ofItems: (context, items) => policy.ofItems!(userOf(context), items) }),
    ...(policy.groupOf && { groupOf: (context) => policy.groupOf!(userOf(context)) }),
    ...(sorted && {
      sorted: { ...sorted, standing: (context) => sorted.standing(userOf(context)) },
    }),
    ...adaptRuled(policy, (other) => policyOverContexts(other, log)),
    ...(policy.outside && { outside: (context) => policy.outside!(userOf(context)) }),
    ...(policy.origin && { origin: policy.origin }),
    ...(policy.followsLogging && { followsLogging: (context) => policy.followsLogging!(userOf(context)) }),
  }
}

/** Re-indexes contexts by new user indices, −1 for users that are dropped: their contexts are left out and must have no rows. */
export function contextsByUsers(
  { index, user, names, features }: Contexts,
  userPlaces: ArrayLike<number>,
): Contexts {
  const kept = Uint32Array.from(user.keys()).filter((context) => userPlaces[user[context]!]! >= 0)
  const places = new Uint32Array(user.length)
  kept.forEach((context, place) => (places[context] = place))
  const keptFeatures = new Float32Array(kept.length * names.length)
  kept.forEach((context, place) =>
    keptFeatures.set(
      features.subarray(context * names.length, (context + 1) * names.length),
      place * names.length,
    ),
  )
  return {
    index: index.map((context) => places[context]!),
    user: kept.map((context) => userPlaces[user[context]!]!),
    names,
    features: keptFeatures,
  }
}
