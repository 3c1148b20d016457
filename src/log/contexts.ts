import type { Policy } from '../policy/policy.js'
import { adaptRuled } from '../policy/ruled-policy.js'
import type { Log } from './log.js'
import { advice, set } from '../advice.js'
import { HindcastError } from '../error.js'
import { counted } from '../number-text.js'

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

/**
 * The log with contexts that are made of columns of numbers, which it must hold in `numbers`. Rows of one user with
 * the same features share a context.
 */
export function withFeatures(log: Log, names: readonly string[]): Log {
  const columns = names.map((name) => featureColumn(log, name))
  const index = new Uint32Array(log.rows)
  const places = new Map<string, number>()
  const user: number[] = []
  const features: number[] = []
  const own = new Float32Array(names.length)
  for (let row = 0; row < log.rows; row++) {
    columns.forEach((column, k) => (own[k] = column[row]!))
    const key = `${log.user[row]!} ${own.join(' ')}`
    let place = places.get(key)
    if (place === undefined) {
      place = user.length
      places.set(key, place)
      user.push(log.user[row]!)
      for (const value of own) features.push(value)
    }
    index[row] = place
  }
  const contexts: Contexts = {
    index,
    user: Uint32Array.from(user),
    names,
    features: Float32Array.from(features),
  }
  return { ...log, contexts }
}

/** A column of features; each row must have a number that float32 can hold. */
function featureColumn({ numbers, rows }: Log, name: string): Float64Array {
  const column = numbers?.[name]
  if (!column)
    throw new HindcastError('missing-column', `The log has no column of numbers ${JSON.stringify(name)}.`, {
      remedy: advice`Name columns of the log in ${set('features')}.`,
    })
  let broken = 0
  for (let row = 0; row < rows; row++) if (!Number.isFinite(Math.fround(column[row]!))) broken++
  if (broken > 0)
    throw new HindcastError(
      'bad-rows',
      `The feature ${JSON.stringify(name)} has no number in ${counted(broken, 'row')}.`,
      { remedy: advice`Fill in what is missing, or leave the column out of ${set('features')}.` },
    )
  return column
}
