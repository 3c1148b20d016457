import { logGamma } from '../log-gamma.js'
import { log1p } from '../portable-math.js'

/** A Beta(α, β) distribution of click-through rates over items or users, given by its mean and spread. */
export interface RatePrior {
  /** The mean click-through rate α/(α+β). */
  readonly mean: number
  /** The intra-class correlation 1/(α+β+1) in [0, 1): 0 when all rates are equal. */
  readonly spread: number
}

/** Clicks and rows per item, or per user; entries without rows are skipped. */
export interface ClickCounts {
  readonly clicks: Float64Array
  readonly rows: Uint32Array
}

/**
 * Fits the prior by the method of moments, every row counting equally (Kleinman 1973): S = Σ n_i (p_i − μ)² has
 * the mean μ(1−μ)[(I−1) + ρ(N − Σn²/N − (I−1))].
 */
export function fitByRow({ clicks, rows }: ClickCounts): RatePrior {
  let [groups, total, clicked, squares, explained] = [0, 0, 0, 0, 0]
  for (let g = 0; g < rows.length; g++) {
    const n = rows[g]!
    if (n === 0) continue
    groups++
    total += n
    clicked += clicks[g]!
    squares += n * n
    explained += clicks[g]! ** 2 / n
  }
  const mean = clicked / total
  const between = explained - clicked ** 2 / total
  const spread = (between / (mean * (1 - mean)) - (groups - 1)) / (total - squares / total - (groups - 1))
  return { mean, spread: within(spread) }
}

/**
 * Fits the prior by the method of moments, every item with at least `atLeast` rows counting equally, so that a
 * few items with most of the rows do not speak for the rest.
 */
export function fitByGroup({ clicks, rows }: ClickCounts, atLeast: number): RatePrior {
  let [groups, sum, squares, inverses] = [0, 0, 0, 0]
  for (let g = 0; g < rows.length; g++) {
    if (rows[g]! < atLeast) continue
    const rate = clicks[g]! / rows[g]!
    groups++
    sum += rate
    squares += rate * rate
    inverses += 1 / rows[g]!
  }
  const mean = sum / groups
  const binomial = mean * (1 - mean)
  const variance = groups > 1 ? (squares - groups * mean * mean) / (groups - 1) : 0
  const noise = inverses / groups
  return { mean, spread: within((variance / binomial - noise) / (1 - noise)) }
}

const within = (spread: number): number => (spread > 0 ? Math.min(spread, 0.999) : 0)

/** The log-probability of no click in `rows` rows, Γ(β+n)Γ(α+β) / (Γ(β)Γ(α+β+n)). */
export function logChanceOfNone({ mean, spread }: RatePrior, rows: number): number {
  if (spread < 1e-9) return rows * log1p(-mean)
  const strength = (1 - spread) / spread
  const beta = strength * (1 - mean)
  return logGamma(beta + rows) - logGamma(beta) + logGamma(strength) - logGamma(strength + rows)
}
