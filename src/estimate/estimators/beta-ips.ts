import { row, times } from '../../sql/expression.js'
import type { Correction, Estimator } from '../estimator.js'
import { judgedBy, one, term, weight, weightedReward, weightSquared } from '../term.js'

const weightSquaredReward = term(times(times(row.w, row.w), row.r))

/** Weights whose variance is below this share of their mean square are all alike: they need no baseline. */
const LEAST_SPREAD = 1e-6

/** The totals as means of rows, and the baseline with the variance of the weights that it is divided by. */
function baselineOf([rows, weights, weighted, squares, products]: Float64Array): {
  readonly rows: number
  readonly meanWeight: number
  readonly meanWeighted: number
  readonly baseline: number
  readonly variance: number
} {
  const n = rows!
  const meanWeight = weights! / n
  const meanWeighted = weighted! / n
  const variance = squares! / n - meanWeight * meanWeight
  const covariance = products! / n - meanWeighted * meanWeight
  const baseline = variance > (LEAST_SPREAD * squares!) / n ? covariance / variance : 0
  return { rows: n, meanWeight, meanWeighted, baseline, variance }
}

/** −β(w̄ − 1): what the baseline takes from IPS. */
const baselineCorrection: Correction = {
  terms: [one, weight, weightedReward, weightSquared, weightSquaredReward],
  of: (totals) => {
    const { meanWeight, baseline } = baselineOf(totals)
    return -baseline * (meanWeight - 1)
  },
  gradient: (totals) => {
    const { rows, meanWeight, meanWeighted, baseline, variance } = baselineOf(totals)
    const [, , , squares, products] = totals
    // How V falls with the covariance, C/D = β: ∂V/∂C = −(w̄ − 1)/D and ∂V/∂D = β(w̄ − 1)/D.
    const pull = baseline === 0 ? 0 : (meanWeight - 1) / variance
    const byWeight = -baseline + pull * (meanWeighted - 2 * baseline * meanWeight)
    const byWeighted = pull * meanWeight
    const bySquares = pull * baseline
    const byProducts = -pull
    // Each mean is a total over n, so all of them fall as n grows.
    const byRows =
      -byWeight * meanWeight -
      byWeighted * meanWeighted -
      bySquares * (squares! / rows) -
      byProducts * (products! / rows)
    return Float64Array.of(byRows, byWeight, byWeighted, bySquares, byProducts).map((slope) => slope / rows)
  },
}

/**
 * IPS with the additive baseline of least variance: V = mean(w(r − β)) + β with β = Cov(wr, w)/Var(w), estimated from
 * the rows (Gupta et al. 2024). The mean weight is known to be 1: what it strays by explains part of what IPS does.
 */
export const betaIps: Estimator<'beta-ips'> = {
  name: 'beta-ips',
  label: 'β-IPS',
  family: 'self-normalised',
  meaning: 'IPS with the baseline β that leaves the least variance, given that weights average to 1.',
  docs: 'estimators/beta-ips.md',
  rows: 'plain',
  ratios: [{ numerator: weightedReward, denominator: one }],
  correction: baselineCorrection,
  judged: judgedBy(row.w, row.r),
}
