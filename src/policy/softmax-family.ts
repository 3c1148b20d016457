import { exp } from '../portable-math.js'
import { distributionOf, policyOf } from './distribution.js'
import { perContext } from './per-context.js'
import type { Policy } from './policy.js'
import { fromScores } from './scores.js'
import type { ScoreOptions } from './scores.js'
import { type Softmax, softmaxKernel } from './softmax-kernel.js'
import { requireTemperature, temperedPolicy } from './temperature.js'

/** A policy for every temperature. */
export interface PolicyFamily {
  /** The policy at a temperature above 0, `Infinity` allowed: named `NAME@T`, or just `NAME` at 1. */
  at(temperature: number): Policy
}

/** Scores of one user. */
type Row = Float64Array | Float32Array

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
    (row): Row => (given instanceof Float32Array ? Float32Array.from(row) : row),
  )
  const kept: Row[] = []
  const softmax = (kernel ??= softmaxKernel() ?? softmaxOf)
  const make = (temperature: number): Policy => {
    requireTemperature(name, temperature)
    return policyOf(
      temperature === 1 ? name : `${name}@${temperature}`,
      items,
      perContext((user) => distributionOf(softmax((kept[user] ??= of(user)), temperature))),
    )
  }
  return { at: (temperature) => temperedPolicy(make, temperature) }
}

/** Made with the first family, and shared by all. */
let kernel: Softmax | undefined

/** The softmax where there is no kernel: to the same bits, a sixth as fast. */
export function softmaxOf(scores: Row, temperature: number): Float64Array {
  let best = -Infinity
  for (let item = 0; item < scores.length; item++) best = Math.max(best, scores[item]!)
  const shares = new Float64Array(scores.length)
  let sum = 0
  let lost = 0
  for (let item = 0; item < shares.length; item++) {
    const score = scores[item]!
    if (score === -Infinity) continue
    const share = exp((score - best) / temperature)
    shares[item] = share
    // The rounding error of a sum is itself a float (Knuth 1969), so this is a compensated sum without a branch.
    const next = sum + share
    const added = next - sum
    lost += sum - (next - added) + (share - added)
    sum = next
  }
  const total = sum + lost
  for (let item = 0; item < shares.length; item++) shares[item]! /= total
  return shares
}
