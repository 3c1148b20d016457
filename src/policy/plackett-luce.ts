import { badOption } from '../error.js'
import { exp } from '../portable-math.js'
import type { RandomStream } from '../random/stream.js'
import type { SlatePolicy } from './policy.js'
import { fromScores, type ScoreOptions, type Scores } from './scores.js'
import { requireTemperature, weightsOf } from './softmax-powers.js'

/** The shape of the slates, and which items may be in them. */
export interface PlackettLuceOptions extends ScoreOptions {
  /** Number of items in a slate, from 1 to the number of candidates. */
  positions: number
  /** As in the softmax; default 1. */
  temperature?: number
}

/**
 * Slates drawn from the first position to the last, each item by the softmax of the scores over the
 * candidates not yet shown (Luce 1959, Plackett 1975):
 * π(a₁ … a_k|u) = Π_j w(a_j) / Σ_{a ∉ {a₁ … a_{j−1}}} w(a), with w(a) = exp(score(u, a) / temperature).
 */
export function plackettLucePolicy(name: string, scores: Scores, options: PlackettLuceOptions): SlatePolicy {
  const { positions, temperature = 1 } = options
  requireTemperature(name, temperature)
  const { items, of } = fromScores(name, scores, options, (row, whose) => {
    const candidates = row.reduce((count, score) => (score > -Infinity ? count + 1 : count), 0)
    if (!Number.isInteger(positions) || positions < 1 || positions > candidates)
      throw badOption(
        `${whose}: ${candidates} items cannot fill ${positions} positions.`,
        'Use a whole number of positions, from 1 to the number of candidates of each user.',
      )
    return { whose, row, weights: weightsOf(row, temperature) }
  })
  const stepProbabilities = (user: number, slate: ArrayLike<number>): Float64Array => {
    refuseOther(name, items, positions, slate)
    return steps(of(user).row, temperature, slate)
  }
  return {
    name,
    items,
    positions,
    sample(user, random) {
      const { row, weights } = of(user)
      const drawn = drawOrder(row, weights.slice(), temperature, positions, random)
      const stepPropensities = steps(row, temperature, drawn)
      return { items: drawn, stepPropensities, propensity: product(stepPropensities) }
    },
    stepProbabilities,
    slateProbability: (user, slate) => product(stepProbabilities(user, slate)),
    marginals(user) {
      const { whose, row } = of(user)
      return positionMarginals(whose, row, temperature, positions)
    },
  }
}

/** Below this share of the initial weights, the remaining weights are recomputed. */
const TINY = 1e-100

/** Draws a slate from the first position to the last, one random number per item. Overwrites the weights. */
function drawOrder(
  scores: Float64Array,
  weights: Float64Array,
  temperature: number,
  positions: number,
  random: RandomStream,
): Uint32Array {
  const left = scores.slice()
  const items = new Uint32Array(positions)
  for (let position = 0; position < positions; position++) {
    let total = sumOf(weights)
    if (total < TINY) {
      // The remaining items are so far below those already drawn that their weights have lost digits, or vanished.
      weights = weightsOf(left, temperature)
      total = sumOf(weights)
    }
    const item = reaching(weights, random.uniform() * total)
    items[position] = item
    left[item] = -Infinity
    weights[item] = 0
  }
  return items
}

const sumOf = (weights: Float64Array): number => weights.reduce((a, b) => a + b, 0)

/** The item at which the running sum of the weights first exceeds the threshold. */
function reaching(weights: Float64Array, threshold: number): number {
  let item = -1
  for (let sum = 0; sum <= threshold;) sum += weights[++item]!
  return item
}

/** P(slate[j] | slate[0 … j−1]) for each position j. */
function steps(scores: Float64Array, temperature: number, slate: ArrayLike<number>): Float64Array {
  // The position at which each item first appears, after which it cannot be shown again.
  const firstAt = new Map<number, number>()
  for (let position = 0; position < slate.length; position++)
    if (!firstAt.has(slate[position]!)) firstAt.set(slate[position]!, position)
  // What is left to choose from is summed from the last position to the first: nothing is subtracted, so
  // nothing cancels. Weights are relative to the best of them, so that they do not vanish next to better
  // ones already drawn.
  let best = -Infinity
  let sum = 0
  const add = (score: number): void => {
    if (score === -Infinity) return
    if (best === -Infinity) [best, sum] = [score, 1]
    else if (score > best) {
      sum = sum * exp((best - score) / temperature) + 1
      best = score
    } else sum += exp((score - best) / temperature)
  }
  for (let item = 0; item < scores.length; item++) if (!firstAt.has(item)) add(scores[item]!)
  const probabilities = new Float64Array(slate.length)
  for (let position = slate.length - 1; position >= 0; position--) {
    const item = slate[position]!
    const score = scores[item]!
    if (firstAt.get(item) !== position || score === -Infinity) continue
    add(score)
    probabilities[position] = exp((score - best) / temperature) / sum
  }
  return probabilities
}

function refuseOther(name: string, items: number, positions: number, slate: ArrayLike<number>): void {
  if (slate.length > positions)
    throw badOption(
      `Policy ${name} shows ${positions} items, not the ${slate.length} of this slate.`,
      'Use a slate with that many positions, or the start of one.',
    )
  for (let position = 0; position < slate.length; position++) {
    const item = slate[position]!
    if (!Number.isInteger(item) || item < 0 || item >= items)
      throw badOption(
        `Policy ${name} has no item ${item}.`,
        `Items are whole numbers from 0 to ${items - 1}.`,
      )
  }
}

const product = (factors: Float64Array): number => factors.reduce((a, b) => a * b, 1)

/** Steps of the recursion, about a second of work. */
const MOST_STEPS = 1e8

/**
 * P(item at position) of Plackett–Luce slates, for each position and item, with weights
 * w = exp(score / temperature); items with score −Infinity are never shown.
 *
 * By recursion over the sets S that can fill the first positions:
 * P(i next | S) = w_i / Σ_{j∉S} w_j, and P(S ∪ {i}) sums P(S)·P(i next | S) over the ways to reach it.
 * The sets of one size are numbered by the combinatorial number system, rank = Σ C(s_m, m + 1) over the
 * elements s_0 < s_1 < …, so that a level is one array.
 */
function positionMarginals(
  whose: string,
  scores: Float64Array,
  temperature: number,
  positions: number,
): Float64Array[] {
  // Best first: the best item outside a set of m is then among the first m + 1.
  const order = Array.from(scores.keys())
    .filter((item) => scores[item]! > -Infinity)
    .sort((a, b) => scores[b]! - scores[a]!)
  const count = order.length
  refuseTooMany(whose, count, positions)
  const choose = binomials(count, positions)
  // Weights relative to each item that can be the best remaining, so that none vanish next to better ones already drawn.
  const relativeTo = Array.from({ length: positions }, (_, best) =>
    Float64Array.from(order, (item) => exp((scores[item]! - scores[order[best]!]!) / temperature)),
  )
  const marginals: Float64Array[] = []
  let level = Float64Array.of(1)
  for (let size = 0; size < positions; size++) {
    const marginal = new Float64Array(scores.length)
    const next = new Float64Array(size + 1 < positions ? choose[size + 1]![count]! : 0)
    const set = Uint32Array.from({ length: size }, (_, m) => m)
    for (let rank = 0; rank < level.length; rank++) {
      visit(set, level[rank]!, marginal, next)
      toNextSet(set)
    }
    marginals.push(marginal)
    level = next
  }
  return marginals

  function visit(set: Uint32Array, reached: number, marginal: Float64Array, next: Float64Array): void {
    let best = 0
    while (set[best] === best) best++
    const weights = relativeTo[best]!
    let left = 0
    for (let i = best, m = best; i < count; i++) {
      if (set[m] === i) m++
      else left += weights[i]!
    }
    // The rank of the set with i inserted: the elements before i keep their places, those after move up by one.
    let before = 0
    let after = 0
    if (next.length > 0) for (let m = 0; m < set.length; m++) after += choose[m + 2]![set[m]!]!
    for (let i = 0, m = 0; i < count; i++) {
      if (set[m] === i) {
        if (next.length > 0) {
          before += choose[m + 1]![i]!
          after -= choose[m + 2]![i]!
        }
        m++
        continue
      }
      const probability = (reached * weights[i]!) / left
      marginal[order[i]!]! += probability
      if (next.length > 0) next[before + choose[m + 1]![i]! + after]! += probability
    }
  }
}

/** Advances to the next set in rank: the lowest element that can moves up, those below it return to the start. */
function toNextSet(set: Uint32Array): void {
  let m = 0
  while (m + 1 < set.length && set[m]! + 1 === set[m + 1]!) {
    set[m] = m
    m++
  }
  if (set.length > 0) set[m]!++
}

/** C(n, size) as [size][n], for n up to count. */
function binomials(count: number, sizes: number): Float64Array[] {
  const choose = [new Float64Array(count + 1).fill(1)]
  for (let size = 1; size <= sizes; size++) {
    const row = new Float64Array(count + 1)
    for (let n = 1; n <= count; n++) row[n] = row[n - 1]! + choose[size - 1]![n - 1]!
    choose.push(row)
  }
  return choose
}

function refuseTooMany(whose: string, count: number, positions: number): void {
  let sets = 0
  let ofSize = 1
  for (let size = 0; size < positions; size++) {
    sets += ofSize
    ofSize *= (count - size) / (size + 1)
  }
  if (sets * count > MOST_STEPS)
    throw badOption(
      `${whose}: exact marginals of ${positions} positions and ${count} items take ${(sets * count).toExponential(1)} steps, more than the limit of ${MOST_STEPS.toExponential(0)}.`,
      'Use fewer positions or candidates, or count items in slates drawn with sample.',
    )
}
