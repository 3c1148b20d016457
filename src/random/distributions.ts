import { exp, log } from '../portable-math.js'
import type { RandomStream } from './stream.js'

/** A standard normal number, by Marsaglia's polar method. */
export function drawNormal(random: RandomStream): number {
  for (;;) {
    const x = 2 * random.uniform() - 1
    const y = 2 * random.uniform() - 1
    const square = x * x + y * y
    if (square > 0 && square < 1) return x * Math.sqrt((-2 * log(square)) / square)
  }
}

/**
 * A number from the Gamma distribution with this shape and scale 1 (Marsaglia & Tsang 2000). For a shape
 * below 1 a draw of shape + 1 is scaled down by a power of a uniform number.
 */
export function drawGamma(random: RandomStream, shape: number): number {
  if (shape < 1) {
    const larger = drawGamma(random, shape + 1)
    return larger * exp(log(1 - random.uniform()) / shape)
  }
  const d = shape - 1 / 3
  const c = 1 / Math.sqrt(9 * d)
  for (;;) {
    const x = drawNormal(random)
    const root = 1 + c * x
    if (root <= 0) continue
    const v = root * root * root
    if (log(1 - random.uniform()) < 0.5 * x * x + d - d * v + d * log(v)) return d * v
  }
}

/** A number from Beta(a, b): the share of one Gamma draw in the sum of two. */
export function drawBeta(random: RandomStream, a: number, b: number): number {
  const x = drawGamma(random, a)
  const y = drawGamma(random, b)
  // Both can underflow for shapes far below 1, where the distribution concentrates at 0 and 1.
  if (x + y === 0) return random.uniform() * (a + b) < a ? 1 : 0
  return x / (x + y)
}
