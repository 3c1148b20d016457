import { normalQuantile } from './normal.js'
import { exp, log, log1p } from './portable-math.js'

const LANCZOS = [
  0.9999999999998099, 676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406,
  12.507343278686905, -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
]

/** ln Γ(x) for x > 0, to about 1e-14 (Lanczos 1964, g = 7). */
export function logGamma(x: number): number {
  if (x < 0.5) return logGamma(x + 1) - log(x)
  let series = LANCZOS[0]!
  for (let k = 1; k < LANCZOS.length; k++) series += LANCZOS[k]! / (x - 1 + k)
  const t = x + 6.5
  return 0.9189385332046728 + (x - 0.5) * log(t) - t + log(series)
}

/** ν = 2/(Σe⁴/(Σe²)² − 1/G), kept within [1, G − 1]: G − 1 for equal influences, few when some dominate. */
export function degreesOfFreedomOf(influence: Float64Array): number {
  let squares = 0
  let fourths = 0
  for (let g = 0; g < influence.length; g++) {
    const square = influence[g]! * influence[g]!
    squares += square
    fourths += square * square
  }
  return degreesOfFreedomFrom(influence.length, squares, fourths)
}

/** The same from the number of influences, Σe² and Σe⁴. */
export function degreesOfFreedomFrom(clusters: number, squares: number, fourths: number): number {
  const most = Math.max(1, clusters - 1)
  if (!(squares > 0)) return 1
  const excess = fourths / (squares * squares) - 1 / clusters
  return excess > 0 ? Math.min(most, Math.max(1, 2 / excess)) : most
}

/** ln Γ(x + ½) − ln Γ(x): for large x by its series, where the difference of two logarithms would lose digits. */
function logGammaHalfStep(x: number): number {
  if (x < 50) return logGamma(x + 0.5) - logGamma(x)
  const inverse = 1 / x
  const square = inverse * inverse
  return 0.5 * log(x) - inverse * (1 / 8 - square * (1 / 192 - square * (1 / 640 - (square * 17) / 14336)))
}

/**
 * The continued fraction of the incomplete beta function I_x(a, b), without the factor before it
 * (Press et al., Numerical Recipes, 6.4, by Lentz's method).
 */
function betaFraction(x: number, a: number, b: number): number {
  const tiny = 1e-300
  let c = 1
  let d = 1 / notZero(1 - ((a + b) * x) / (a + 1))
  let fraction = d
  for (let m = 1; m < 10_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / notZero(1 + even * d)
    c = notZero(1 + even / c)
    fraction *= d * c
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / notZero(1 + odd * d)
    c = notZero(1 + odd / c)
    fraction *= d * c
    if (Math.abs(d * c - 1) < 1e-16) break
  }
  return fraction
  function notZero(value: number): number {
    return Math.abs(value) < tiny ? tiny : value
  }
}

/** P(T > t) for t ≥ 0, by the incomplete beta function: ½·I_x(ν/2, ½) with x = ν/(ν + t²). */
function upperTail(t: number, freedom: number): number {
  const a = freedom / 2
  const square = t * t
  const x = freedom / (freedom + square)
  // x^a (1 − x)^½ / B(a, ½), where ln x is −ln(1 + t²/ν) to keep its digits for large ν.
  const logFront = logGammaHalfStep(a) - 0.5723649429247001 - a * log1p(square / freedom)
  const front = exp(logFront) * Math.sqrt(square / (freedom + square))
  if (x < (a + 1) / (a + 2.5)) return (0.5 * front * betaFraction(x, a, 0.5)) / a
  return 0.5 - front * betaFraction(1 - x, 0.5, a)
}

/** P(T ≤ t) of Student's distribution with ν > 0 degrees of freedom, a whole number or not. */
export function studentCdf(t: number, freedom: number): number {
  const tail = upperTail(Math.abs(t), freedom)
  return t < 0 ? tail : 1 - tail
}

/**
 * The t with P(T ≤ t) = p of Student's distribution with ν ≥ 1 degrees of freedom, a whole number or not;
 * ν = Infinity is the normal distribution. By Newton's method on the logarithm of the tail, kept inside a bracket.
 */
export function studentQuantile(p: number, freedom: number): number {
  if (!(freedom >= 1)) return NaN
  if (freedom > 1e9 || !(p > 0 && p < 1)) return normalQuantile(p)
  if (p === 0.5) return 0
  if (p < 0.5) return -studentQuantile(1 - p, freedom)
  const tail = 1 - p
  const z = normalQuantile(p)
  let low = 0
  let high = Math.max(1, 2 * z)
  while (upperTail(high, freedom) > tail) {
    low = high
    high *= 4
  }
  // The first term of the expansion in 1/ν, as a starting value.
  let t = Math.min(high, z + (z * (z * z + 1)) / (4 * freedom))
  const logScale = logGammaHalfStep(freedom / 2) - 0.5723649429247001 - 0.5 * log(freedom)
  for (let step = 0; step < 100; step++) {
    const now = upperTail(t, freedom)
    if (now > tail) low = t
    else high = t
    const slope = exp(logScale - ((freedom + 1) / 2) * log1p((t * t) / freedom))
    let next = t + (now * log(now / tail)) / slope
    if (!(next > low && next < high)) next = (low + high) / 2
    if (Math.abs(next - t) <= 1e-15 * next) return next
    t = next
  }
  return t
}
