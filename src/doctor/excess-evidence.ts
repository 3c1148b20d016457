import { log as naturalLog, log1p } from '../portable-math.js'

/**
 * Bets of different sizes, one of which suits any excess: η = 2⁻ʲ for j = 0 … 31, each with an equal part of the
 * stake.
 */
const STAKES = Array.from({ length: 32 }, (_, j) => 1 / 2 ** j)
const LOG_BETS = naturalLog(STAKES.length)

/**
 * The natural logarithm of the evidence that an item was shown more often than its propensities allow.
 *
 * Bet against the logger: whatever was known before a row, X = 1{the item is shown}/b has the mean 1 (or 0, where
 * the item was not available), so a stake that is multiplied by 1 − θ + θX in each row grows above x with
 * probability at most 1/x (Ville 1939). In logarithms, with η = θ/(1 − θ): −n·ln(1 + η) + Σ_shown ln(1 + η/b).
 * Exact for few rows, propensities that vary by context and loggers that learn; only the rows that show the item
 * need their propensities. `inverses` are the 1/b of those, `rows` is n.
 */
export function logEvidenceOfExcess(rows: number, inverses: Float64Array): number {
  let sum = 0
  for (let k = 0; k < inverses.length; k++) sum += inverses[k]!
  if (!(sum > rows)) return -LOG_BETS
  const grown = (bet: number): number => {
    const stake = STAKES[bet]!
    let total = -rows * log1p(stake)
    for (let k = 0; k < inverses.length; k++) total += log1p(stake * inverses[k]!)
    return total
  }
  const best = bestStake(rows, inverses.length, sum)
  let bet = Math.min(STAKES.length - 1, Math.max(0, Math.round(-naturalLog(best) / Math.LN2)))
  let most = grown(bet)
  // The logarithm is concave in θ, so a step that loses ends the search on that side.
  for (const step of [1, -1]) {
    for (let next = bet + step; next >= 0 && next < STAKES.length; next += step) {
      const value = grown(next)
      if (value <= most) break
      most = value
      bet = next
    }
  }
  return most - LOG_BETS
}

/**
 * A bound that `logEvidenceOfExcess` cannot exceed, from the number of rows that show the item and their Σ 1/b
 * alone: the evidence if all had the same propensity c/S (Jensen's inequality). It spares most items a closer
 * look.
 */
export function mostEvidenceOfExcess(rows: number, shown: number, sum: number): number {
  if (!(sum > rows)) return 0
  const stake = bestStake(rows, shown, sum)
  return -rows * log1p(stake) + shown * log1p((stake * sum) / shown)
}

/** The η that gains most where all rows that show the item have the same propensity. */
const bestStake = (rows: number, shown: number, sum: number): number =>
  (shown * (1 - rows / sum)) / Math.max(rows - shown, 1e-9 * rows)
