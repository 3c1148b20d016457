import { distributionOf, perContext, policyOf } from './distribution.js'
import type { Policy, PolicyFamily } from './policy.js'
import { familyOf, ruledPolicy } from './ruled-policy.js'
import { ruledName } from './score-rule.js'
import { fromScores, type ScoreOptions } from './scores.js'
import { bestOf, powersOf, requireTemperature, type ScoreRow, softmaxShares } from './softmax-powers.js'

/** Of which items the scores are. */
export interface FamilyOptions extends ScoreOptions {
  items: number
}

/** The scores of a user, and the best of them. */
interface Scored {
  readonly scores: ScoreRow
  readonly best: number
}

/**
 * `ruledPolicy` by several rules, bit for bit the same. A user's scores are requested once and kept, in
 * 4 bytes each if they come as a `Float32Array` and otherwise in 8: another temperature costs only exponentials
 * and sums.
 *
 * @param scores one per item, for a user; `options.items` says how many
 */
export function policyFamily(
  name: string,
  scores: (user: number) => ArrayLike<number>,
  options: FamilyOptions,
): PolicyFamily {
  let given: ArrayLike<number> = []
  const { items, of } = fromScores(
    name,
    (user) => (given = scores(user)),
    options,
    (row): ScoreRow => (given instanceof Float32Array ? Float32Array.from(row) : row),
  )
  const kept: Scored[] = []
  const scoredFor = (user: number): Scored => {
    if (!kept[user]) {
      const scores = of(user)
      kept[user] = { scores, best: bestOf(scores) }
    }
    return kept[user]!
  }
  const pairsOf = keptPairs(scoredFor)
  const softmaxAt = (temperature: number): Policy => {
    requireTemperature(name, temperature)
    const sums: number[] = []
    const sumOf = (user: number): number => {
      const { scores, best } = scoredFor(user)
      return (sums[user] ??= powersOf(scores, best, temperature).sum)
    }
    return {
      ...policyOf(
        ruledName(name, { kind: 'softmax', temperature }),
        items,
        perContext((user) => distributionOf(softmaxShares(scoredFor(user).scores, temperature))),
      ),
      ofPairs: (users, items) => sharesOfPairs(users, pairsOf(users, items), sumOf, temperature),
      ofItems: (user, items) => {
        const { scores, best } = scoredFor(user)
        const sum = sumOf(user)
        const chosen = new Float64Array(items.length)
        for (let k = 0; k < items.length; k++) chosen[k] = scores[items[k]!]!
        const { powers } = powersOf(chosen, best, temperature)
        for (let k = 0; k < powers.length; k++) powers[k]! /= sum
        return powers
      },
    }
  }
  return familyOf((rule) =>
    rule.kind === 'softmax'
      ? softmaxAt(rule.temperature)
      : ruledPolicy(name, (user) => scoredFor(user).scores, rule, { items }),
  )
}

/** Pairs of users and items, as far as no temperature changes them. */
interface Pairs {
  /** The users, each once, and the largest of them. */
  readonly users: ReadonlySet<number>
  readonly last: number
  /** How far the score of each pair lies below the best of its user. */
  readonly gaps: Float64Array
}

/** The pairs of a log, made once and kept for as long as its columns. */
function keptPairs(scoredFor: (user: number) => Scored): (users: Uint32Array, items: Uint32Array) => Pairs {
  const kept = new WeakMap<Uint32Array, WeakMap<Uint32Array, Pairs>>()
  return (users, items) => {
    const known = kept.get(users) ?? new WeakMap<Uint32Array, Pairs>()
    kept.set(users, known)
    const pairs = known.get(items) ?? madePairs(users, items, scoredFor)
    known.set(items, pairs)
    return pairs
  }
}

function madePairs(users: Uint32Array, items: Uint32Array, scoredFor: (user: number) => Scored): Pairs {
  const gaps = new Float64Array(users.length)
  let last = 0
  for (let k = 0; k < users.length; k++) {
    const { scores, best } = scoredFor(users[k]!)
    gaps[k] = scores[items[k]!]! - best
    last = Math.max(last, users[k]!)
  }
  return { users: new Set(users), last, gaps }
}

/** Pairs raised at a time: their numbers stay in the fastest memory. */
const BLOCK = 1024

/** The exponential of each pair once more, in the order of the pairs: quicker than to look it up among those of its user. */
function sharesOfPairs(
  users: Uint32Array,
  pairs: Pairs,
  sumOf: (user: number) => number,
  temperature: number,
): Float64Array {
  const sums = new Float64Array(pairs.last + 1)
  for (const user of pairs.users) sums[user] = sumOf(user)
  const shares = new Float64Array(users.length)
  for (let from = 0; from < shares.length; from += BLOCK) {
    const { powers } = powersOf(pairs.gaps.subarray(from, from + BLOCK), 0, temperature)
    for (let k = 0; k < powers.length; k++) shares[from + k] = powers[k]! / sums[users[from + k]!]!
  }
  return shares
}
