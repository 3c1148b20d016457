import { badOption } from '../error.js'
import { exp } from '../portable-math.js'
import type { RandomStream } from '../random/stream.js'
import { positionMarginals } from './position-marginals.js'
import { fromScores, type ScoreOptions, type Scores } from './scores.js'
import type { SlatePolicy } from './policy.js'
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
