import { compensatedTotal } from '../../sum.js'

/** What the weights of one logger's rows add up to. */
export interface LoggerSums {
  readonly name: string
  /** n_j, rows by how many impressions they stand for. */
  readonly rows: number
  /** Σ w over its rows. */
  readonly weight: number
  /** Σ w² over its rows. */
  readonly squares: number
}

/** By how much the answer of each logger counts, Σ α_j = 1, and what weights are multiplied by for that: c_j = α_j n/n_j. */
export interface Shares {
  readonly shares: readonly number[]
  readonly factors: readonly number[]
}

const total = (values: readonly number[]): number => compensatedTotal(Float64Array.from(values))

/** α_j = n_j/n: every row counts alike. */
export function rowShares(loggers: readonly LoggerSums[]): Shares {
  const n = total(loggers.map(({ rows }) => rows))
  return { shares: loggers.map(({ rows }) => rows / n), factors: loggers.map(() => 1) }
}

/** Weights c_j w for given shares. */
export function sharesAs(loggers: readonly LoggerSums[], shares: readonly number[]): Shares {
  const n = total(loggers.map(({ rows }) => rows))
  return { shares, factors: loggers.map(({ rows }, j) => (shares[j]! * n) / rows) }
}

/**
 * The shares with the least Σ (c_j w)², those of the largest effective sample: α_j ∝ n_j/mean_j(w²). They follow from the
 * weights alone, so that no luck of the outcome chooses them. A logger whose rows have no weight at all has no share. Where
 * weights average so far from 1 that the effective sample would shrink, every row counts alike.
 */
export function sharesOf(loggers: readonly LoggerSums[]): Shares {
  const parts = loggers.map(({ rows, squares }) => (squares > 0 ? rows * (rows / squares) : 0))
  const sum = total(parts)
  const pooled = rowShares(loggers)
  if (!(sum > 0 && sum < Infinity)) return pooled
  const strata = sharesAs(
    loggers,
    parts.map((part) => part / sum),
  )
  return essOf(loggers, strata.factors) < essOf(loggers, pooled.factors) ? pooled : strata
}

/** (Σ c w)²/Σ (c w)², the effective sample where the weights of each logger are multiplied by c. */
export function essOf(loggers: readonly LoggerSums[], factors: readonly number[]): number {
  const sum = total(loggers.map(({ weight }, j) => factors[j]! * weight))
  const squares = total(loggers.map(({ squares: own }, j) => factors[j]! ** 2 * own))
  return sum ** 2 / squares
}

/** One set of shares for several targets: the same loggers with the sums of each target, Σ w² added up over the targets. */
export const sharesOfAll = (targets: readonly (readonly LoggerSums[])[]): Shares =>
  sharesOf(
    targets[0]!.map((logger, j) => ({
      ...logger,
      weight: total(targets.map((sums) => sums[j]!.weight)),
      squares: total(targets.map((sums) => sums[j]!.squares)),
    })),
  )
