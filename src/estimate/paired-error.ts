import { HindcastError } from '../error.js'
import { type TunedEstimator, valueOf } from './estimator.js'
import type { CurvePoint, TuneOptions, Tuning } from './slope.js'
import { differenceOf, influencesOf, spreadOf } from './spread.js'

/**
 * Chooses the λ whose estimated mean squared error is least: SE_λ² + max(0, d² − SE_d²), with d the paired difference
 * to the estimate that leaves weights as they are, the first of the grid. d² overstates the squared bias by its own
 * variance, which the paired error takes off again. Where nothing is gained, that first λ stays.
 */
export function tuneByPairedError(
  tuned: TunedEstimator,
  { grid, moments }: Pick<TuneOptions, 'grid' | 'moments'>,
): Tuning {
  if (grid.length === 0) throw new HindcastError('bad-option', `${tuned.name} has no λ to choose from.`)
  const curve: CurvePoint[] = []
  const unchanged = tuned.with(tuned.tuning.unchanged.lambda)
  const reference = { value: valueOf(unchanged, moments), influences: influencesOf(unchanged, moments) }
  let chosen = grid[0]!
  let least = Infinity
  for (const lambda of grid) {
    const estimator = tuned.with(lambda)
    const value = valueOf(estimator, moments)
    const influences = influencesOf(estimator, moments)
    const se = value === undefined ? undefined : spreadOf(influences)
    if (value === undefined || se === undefined || reference.value === undefined) continue
    curve.push({ lambda, value, se })
    const difference = value - reference.value
    const error = spreadOf(differenceOf(influences, reference.influences)!)!
    const squared = se ** 2 + Math.max(0, difference ** 2 - error ** 2)
    if (squared < least) [chosen, least] = [lambda, squared]
  }
  return { curve, chosen }
}
