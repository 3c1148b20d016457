import { exp, log } from './portable-math.js'

const HALF_LOG_TWO_PI = 0.9189385332046728

/** Density of the standard normal distribution. */
const density = (x: number): number => exp(-0.5 * x * x - HALF_LOG_TWO_PI)

/**
 * P(X ≤ x) of a standard normal X, to about 1e-15 (and to that relative accuracy in the lower tail).
 * Within 3 of zero ½ + φ(x)·(x + x³/3 + x⁵/(3·5) + …) (Marsaglia 2004, "Evaluating the normal
 * distribution"), beyond it φ(x) over Laplace's continued fraction x + 1/(x + 2/(x + 3/(x + …))).
 */
export function normalCdf(x: number): number {
  if (Number.isNaN(x)) return NaN
  const distance = Math.abs(x)
  if (distance < 3) {
    let term = x
    let sum = x
    for (let k = 3; Math.abs(term) > 1e-17 * Math.abs(sum); k += 2) {
      term *= (x * x) / k
      sum += term
    }
    return 0.5 + density(x) * sum
  }
  let fraction = distance
  for (let k = 120; k > 0; k--) fraction = distance + k / fraction
  const tail = density(distance) / fraction
  return x < 0 ? tail : 1 - tail
}

/**
 * The x with P(X ≤ x) = p for a standard normal X: ±Infinity at 0 and 1, NaN outside. A rational first
 * guess (Abramowitz & Stegun 1964, 26.2.23), then Halley's steps on the lower tail.
 */
export function normalQuantile(p: number): number {
  if (!(p >= 0 && p <= 1)) return NaN
  if (p === 0) return -Infinity
  if (p === 1) return Infinity
  if (p > 0.5) return -normalQuantile(1 - p)
  const t = Math.sqrt(-2 * log(p))
  let x =
    ((0.010328 * t + 0.802853) * t + 2.515517) / (((0.001308 * t + 0.189269) * t + 1.432788) * t + 1) - t
  for (let step = 0; step < 3; step++) {
    const error = (normalCdf(x) - p) / density(x)
    x -= error / (1 + (x * error) / 2)
  }
  return x
}
