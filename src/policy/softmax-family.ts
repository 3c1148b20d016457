import { distributionOf, policyOf } from './distribution.js'
import { perContext } from './per-context.js'
import type { Policy } from './policy.js'
import { fromScores } from './scores.js'
import type { ScoreOptions } from './scores.js'
import { passingShares, type ScoreRow, softmaxShares } from './softmax-shares.js'
import { requireTemperature, temperedPolicy } from './temperature.js'

/** A policy for every temperature. */
export interface PolicyFamily {
  /** The policy at a temperature above 0, `Infinity` allowed: named `NAME@T`, or just `NAME` at 1. */
  at(temperature: number): Policy
}

/**
 * `softmaxPolicy` at several temperatures, bit for bit the same. A user's scores are requested once and kept, in
 * 4 bytes each if they come as a `Float32Array` and otherwise in 8: another temperature costs only exponentials
 * and sums.
 *
 * @param scores one per item, for a user; `options.items` says how many
 */
export function softmaxFamily(
  name: string,
  scores: (user: number) => ArrayLike<number>,
  options: ScoreOptions & { items: number },
): PolicyFamily {
  let given: ArrayLike<number> = []
  const { items, of } = fromScores(
    name,
    (user) => (given = scores(user)),
    options,
    (row): ScoreRow => (given instanceof Float32Array ? Float32Array.from(row) : row),
  )
  const kept: ScoreRow[] = []
  const rowOf = (user: number): ScoreRow => (kept[user] ??= of(user))
  const make = (temperature: number): Policy => {
    requireTemperature(name, temperature)
    return {
      ...policyOf(
        temperature === 1 ? name : `${name}@${temperature}`,
        items,
        perContext((user) => distributionOf(softmaxShares(rowOf(user), temperature))),
      ),
      passing: (user) => passingShares(rowOf(user), temperature),
    }
  }
  return { at: (temperature) => temperedPolicy(make, temperature) }
}
