import { exp, log } from '../portable-math.js'
import { largestOf } from './largest.js'

/**
 * Shape k̂ of the tail of the weights: a generalised Pareto distribution fitted to the largest
 * min(0.2 n, 3√n, 65,535) of them (Zhang & Stephens 2009, with the weak prior of Vehtari et al. 2024). Above
 * 0.7 their mean converges too slowly to be trusted; undefined for fewer than five large weights, or mostly equal ones.
 */
export function paretoK(weights: Float64Array): number | undefined {
  return paretoKOfLargest(largestOf(weights, paretoTail(weights.length)), weights.length)
}

/** How many of the largest of some weights k̂ is fitted to, and the one below them that they are measured from. */
export const paretoTail = (weights: number): number => tailSize(weights) + 1

/** Beyond 477 million weights, the tail is no longer taken to grow: what a source must send stays bounded. */
const LARGEST_TAIL = 65_535

const tailSize = (weights: number): number =>
  Math.floor(Math.min(0.2 * weights, 3 * Math.sqrt(weights), LARGEST_TAIL))

/** The same for the largest weights in ascending order, at least `paretoTail(count)` of `count`. */
export function paretoKOfLargest(largest: Float64Array, count: number): number | undefined {
  const size = tailSize(count)
  if (size < 5) return undefined
  const threshold = largest[largest.length - size - 1]!
  const excess = largest.subarray(largest.length - size).map((weight) => weight - threshold)
  // Weights that differ in their last digits only are equal: rounding has no tail.
  const positive = excess.filter((value) => value > 1e-6 * largest.at(-1)!)
  // A tail of equal weights has no shape: it is bounded, and harmless. One of few distinct weights has none either.
  if (positive.length < 5 || distinctOf(positive) < FEWEST_DISTINCT * positive.length) return undefined
  // A shape has no scale. Of the smallest numbers 1/x would not be finite.
  return fitShape(positive.at(-1)! < TINY ? positive.map((value) => value * 2 ** 1000) : positive)
}

const TINY = 2 ** -900

/** A tail with a smaller share of distinct values than this is tied: a shape fitted to steps means nothing. */
const FEWEST_DISTINCT = 0.5

/** How many of some ascending numbers differ from the one before by more than rounding. */
function distinctOf(ascending: Float64Array): number {
  let distinct = 1
  for (let k = 1; k < ascending.length; k++)
    if (ascending[k]! - ascending[k - 1]! > 1e-9 * ascending[k]!) distinct++
  return distinct
}

/** Factors 1 − b·x of which one logarithm is taken: each lies between 10⁻⁴ and 10⁷, since x is not below a millionth of the largest. */
const TOGETHER = 16

/** Posterior mean of the shape, over a grid of b = −k/σ. */
function fitShape(excess: Float64Array): number {
  const n = excess.length
  const largest = excess[n - 1]!
  const quartile = excess[Math.max(0, Math.floor(n / 4 + 0.5) - 1)]!
  const points = 30 + Math.floor(Math.sqrt(n))
  const grid = Float64Array.from(
    { length: points },
    (_, j) => 1 / largest + (1 - Math.sqrt(points / (j + 0.5))) / (3 * quartile),
  )
  const shapeAt = (b: number): number => {
    let sum = 0
    for (let k = 0; k < n; k += TOGETHER) {
      let product = 1
      for (const x of excess.subarray(k, k + TOGETHER)) product *= 1 - b * x
      sum += log(product)
    }
    return sum / n
  }
  const likelihoods = grid.map((b) => {
    const k = shapeAt(b)
    return n * (log(-b / k) - k - 1)
  })
  const best = likelihoods.reduce((most, value) => Math.max(most, value), -Infinity)
  let total = 0
  let mean = 0
  for (let j = 0; j < points; j++) {
    const weight = exp(likelihoods[j]! - best)
    total += weight
    mean += weight * grid[j]!
  }
  // As if ten more observations had said 0.5.
  return (n * shapeAt(mean / total) + 10 * 0.5) / (n + 10)
}
