import { quantile } from '../quantile.js'

/** Mean, variance (divided by n − 1) and a bandwidth of some values. */
export interface Spread {
  readonly mean: number
  readonly variance: number
  /** Silverman's rule: h = 0.9 · min(SD, IQR/1.34) · n^(−1/5); 0 where the values do not vary. */
  readonly bandwidth: number
}

/** The spread of values, at least one. */
export function spreadOf(values: Float64Array): Spread {
  const n = values.length
  const mean = values.reduce((sum, value) => sum + value, 0) / n
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  const variance = n > 1 ? squares / (n - 1) : 0
  const sorted = values.toSorted()
  const quartiles = (quantile(sorted, 0.75) - quantile(sorted, 0.25)) / 1.34
  const deviation = Math.sqrt(variance)
  // Half of the values may be the same while the others vary.
  const width = quartiles > 0 ? Math.min(deviation, quartiles) : deviation
  return { mean, variance, bandwidth: 0.9 * width * n ** -0.2 }
}

/** Kernel density f(x) = 1/(nh) Σ φ((x − x_i)/h) with the Gaussian kernel φ, at each point asked for. */
export function kernelDensity(values: Float64Array, bandwidth: number, at: readonly number[]): number[] {
  const scale = 1 / (values.length * bandwidth * Math.sqrt(2 * Math.PI))
  return at.map((x) => {
    let sum = 0
    for (const value of values) sum += Math.exp(-0.5 * ((x - value) / bandwidth) ** 2)
    return sum * scale
  })
}
