import { logGamma } from '../student.js'
import { exp, log } from '../portable-math.js'
import { randomStream } from '../random/stream.js'

/** Draws of signs: enough for a budget of one in a hundred. */
const DRAWS = 1999
/** A shift of fewer errors than this is chance, whatever else was looked at. */
const SURELY_CHANCE = 2.5

/** How far shifts are from 0, in their own errors, and how probable that is for the largest of all of them. */
export interface JointChance {
  /** Standard error of each shift, from the users' influences on it. */
  readonly errors: readonly number[]
  /** The probability that any of all shifts is this many errors from 0 where each is 0 on average. */
  readonly chances: readonly number[]
}

/**
 * The chance of several shifts at once: max |t| over random signs of the users' influences, studentised in each draw, since a
 * few heavy users make the error itself uncertain. The same influences give the same chances.
 */
export function jointChance(shifts: readonly number[], influences: readonly Float64Array[]): JointChance {
  const places = new Set<number>()
  for (const users of influences) for (let g = 0; g < users.length; g++) if (users[g] !== 0) places.add(g)
  const present = Uint32Array.from(places)
  const G = present.length
  const compact = influences.map((users) => Float64Array.from(present, (g) => users[g]!))
  const squares = compact.map((users) => users.reduce((sum, x) => sum + x * x, 0))
  const errors = squares.map((sum) => (G > 1 ? Math.sqrt((G / (G - 1)) * sum) : Infinity))
  const t = shifts.map((shift, j) => (errors[j]! > 0 ? Math.abs(shift) / errors[j]! : 0))
  if (!t.some((one) => one > SURELY_CHANCE)) return { errors, chances: shifts.map(() => 1) }
  const exceeded = new Float64Array(shifts.length)
  const random = randomStream(0, 'signs of users')
  const signs = new Float64Array(G)
  for (let draw = 0; draw < DRAWS; draw++) {
    for (let g = 0; g < G; g += 32) {
      const word = random.word()
      const end = Math.min(32, G - g)
      for (let bit = 0; bit < end; bit++) signs[g + bit] = (word >>> bit) & 1 ? 1 : -1
    }
    let largest = 0
    for (let j = 0; j < compact.length; j++) {
      const users = compact[j]!
      let sum = 0
      for (let g = 0; g < G; g++) sum += signs[g]! * users[g]!
      const rest = squares[j]! - (sum * sum) / G
      if (rest > 0) largest = Math.max(largest, Math.abs(sum) / Math.sqrt((G / (G - 1)) * rest))
    }
    for (let j = 0; j < t.length; j++) if (largest >= t[j]!) exceeded[j]!++
  }
  return { errors, chances: Array.from(exceeded, (count) => (1 + count) / (1 + DRAWS)) }
}

/** P(X ≤ k) for a Poisson count with this mean. */
export function poissonBelow(k: number, mean: number): number {
  let sum = 0
  for (let j = 0; j <= k; j++) sum += exp(j * log(mean) - mean - logGamma(j + 1))
  return Math.min(1, sum)
}

/** P(X ≥ k) for a Poisson count with this mean. */
export function poissonTail(k: number, mean: number): number {
  if (k <= 0) return 1
  // The terms fall at least as fast as a geometric series from the first on, once k is beyond the mean.
  if (k <= mean) return Math.max(0, 1 - poissonBelow(k - 1, mean))
  let [term, sum] = [exp(k * log(mean) - mean - logGamma(k + 1)), 0]
  for (let j = k; term > 1e-18 * sum && j < k + 1000; j++) {
    sum += term
    term *= mean / (j + 1)
  }
  return Math.min(1, sum)
}
