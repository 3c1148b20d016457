import { badOption } from '../error.js'
import { CompensatedSum } from '../sum.js'
import { distributionOf, perContext, policyOf } from './distribution.js'
import type { Origin, Policy } from './policy.js'

/** A policy that treats all users alike: π(a|u) = weights[a] / Σ weights. */
export function fixedPolicy(name: string, weights: ArrayLike<number>): Policy {
  const distribution = distributionOf(normalise(`Policy ${name}`, weights))
  return policyOf(name, weights.length, () => distribution)
}

/** Every item equally likely: π(a|u) = 1/items. */
export const uniformPolicy = (items: number): Policy => ({
  ...fixedPolicy('uniform', new Float64Array(items).fill(1)),
  groupOf: () => 0,
  origin: { made: 'elsewhere' },
})

/**
 * The policy with given probabilities: one per item, the same for every user, or one row of them per
 * user. Each row must be non-negative and sum to one within 1e-9; it is divided by its sum if that
 * is off by more than rounding. All rows are checked at once; the table must not change afterwards.
 */
export function tablePolicy(name: string, table: ArrayLike<number> | readonly ArrayLike<number>[]): Policy {
  if (isRow(table)) {
    const distribution = distributionOf(checkedProbabilities(`Policy ${name}`, table))
    return policyOf(name, table.length, () => distribution)
  }
  const items = table[0]!.length
  const rowOf = (user: number): Float64Array => {
    const row = table[user]
    if (row === undefined)
      throw badOption(
        `Policy ${name} has no row for user ${user}.`,
        `The table needs one row per user; it has ${table.length}.`,
      )
    if (row.length !== items)
      throw badOption(
        `Policy ${name}, user ${user}: ${row.length} probabilities for ${items} items.`,
        'Give every user one probability per item.',
      )
    return checkedProbabilities(`Policy ${name}, user ${user}`, row)
  }
  for (let user = 0; user < table.length; user++) rowOf(user)
  return policyOf(
    name,
    items,
    perContext((user) => distributionOf(rowOf(user))),
  )
}

const isRow = (table: ArrayLike<number> | readonly ArrayLike<number>[]): table is ArrayLike<number> =>
  table.length === 0 || typeof table[0] === 'number'

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

/** Where a mixture comes from: made from this log if a part of it was, and unknown if one is. */
function originOfAll(origins: readonly (Origin | undefined)[]): Origin | undefined {
  const shares = origins.flatMap((origin) => (origin?.made === 'this-log' ? [origin.share ?? 1] : []))
  if (shares.length > 0) return { made: 'this-log', share: Math.max(...shares) }
  if (origins.some((origin) => origin?.made === undefined)) return undefined
  return (
    origins.find((origin) => origin?.made === 'held-out') ??
    origins.find((origin) => !origin?.isBlind) ??
    origins[0]
  )
}

/** How far from one the sum of given probabilities may be: room for rounded digits, not for mistakes. */
const TOLERANCE = 1e-9
/** How far from one the sum of correctly rounded probabilities can be. */
const ROUNDING = 4 * Number.EPSILON

/** weights / Σ weights. `whose` starts the error message if that is undefined. */
export function normalise(whose: string, weights: ArrayLike<number>): Float64Array {
  const sum = sumOf(whose, weights, 'weight', 'item')
  if (!(sum > 0 && sum < Infinity))
    throw badOption(
      `${whose}: the weights of ${weights.length} items sum to ${sum}.`,
      'At least one item needs a weight above 0, and the sum must be finite.',
    )
  return Float64Array.from(weights, (weight) => weight / sum)
}

/**
 * A copy of probabilities that sum to one within 1e-9, else an error that names `whose` they are. The
 * values stay as they are if the sum is one up to rounding, and are divided by it otherwise.
 * `kind` and `of` are what the values are called, as in "the weight of part 2".
 */
export function checkedProbabilities(
  whose: string,
  values: ArrayLike<number>,
  kind: 'probability' | 'weight' = 'probability',
  of: 'item' | 'part' = 'item',
): Float64Array {
  const sum = sumOf(whose, values, kind, of)
  if (!(Math.abs(sum - 1) <= TOLERANCE))
    throw badOption(
      `${whose}: the ${kind === 'weight' ? 'weights' : 'probabilities'} of ${values.length} ${of}s sum to ${sum}, not 1.`,
      'Divide them by their sum.',
    )
  const divisor = Math.abs(sum - 1) <= ROUNDING ? 1 : sum
  return Float64Array.from(values, (value) => value / divisor)
}

function sumOf(whose: string, values: ArrayLike<number>, kind: string, of: string): number {
  const sum = new CompensatedSum()
  for (let k = 0; k < values.length; k++) {
    const value = values[k]!
    if (!(value >= 0 && value < Infinity))
      throw badOption(
        `${whose}: the ${kind} of ${of} ${k} is ${value}.`,
        `Give every ${of} a finite ${kind}, 0 or more.`,
      )
    sum.add(value)
  }
  return sum.value
}

/**
 * Probability that an item is among `draws` independent draws, with replacement, from a policy that shows
 * it with probability p: 1 − (1 − p)^draws. No digits are lost if p is tiny.
 *
 * @param p from 0 to 1
 * @param draws a whole number of at least 0
 */
export function everShown(p: number, draws: number): number {
  if (!(p >= 0 && p <= 1)) throw badOption(`${p} is not a probability.`, 'Use a number from 0 to 1.')
  if (!Number.isSafeInteger(draws) || draws < 0)
    throw badOption(`${draws} draws are not possible.`, 'Use a whole number of draws, 0 or more.')
  // By doubling: being shown in either of two blocks has probability a + b·(1 − a), all terms positive, so that
  // small numbers keep their digits.
  let shown = 0
  let block = p
  for (let left = draws; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) shown += block * (1 - shown)
    block *= 2 - block
  }
  return shown
}
