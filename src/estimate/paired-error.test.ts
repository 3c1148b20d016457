import { describe, expect, it } from 'vitest'
import { logOfDays, sumsOf } from './example-days.js'
import { type TunedEstimator, termsOf, valueOf } from './estimator.js'
import { clippedIps, subGaussianIps } from './estimators/shrinking.js'
import type { Log } from '../log/log.js'
import { tuneByPairedError } from './tuning.js'
import { isLacking } from './source/source.js'
import type { Moments } from './source/moments.js'
import { differenceOf, influencesOf, spreadOf } from './spread.js'
import { askSums } from './source/example-asks.js'

const GRID = [Infinity, 8, 4, 2, 1, 0.5]
const momentsOf = async (
  log: Log,
  tuned: TunedEstimator = clippedIps,
  grid: readonly number[] = GRID,
): Promise<Moments> => {
  const terms = termsOf(grid.map((lambda) => tuned.with(lambda)))
  const moments = await askSums(sumsOf(log), terms, ['user', 'day'])
  if (isLacking(moments)) throw new Error(moments.lacking)
  return moments
}
/** Weights of up to 10, rare clicks. */
const heavy = logOfDays(8, { rows: 400, users: 80, days: 8, spread: 9, rate: 0.2 })

describe('λ by the paired error', () => {
  it('has the least SE² + max(0, d² − SE_d²) of the grid', async () => {
    const moments = await momentsOf(heavy)
    const reference = clippedIps.with(Infinity)
    const errors = GRID.map((lambda) => {
      const estimator = clippedIps.with(lambda)
      const d = valueOf(estimator, moments)! - valueOf(reference, moments)!
      const paired = differenceOf(influencesOf(estimator, moments), influencesOf(reference, moments))!
      return spreadOf(influencesOf(estimator, moments))! ** 2 + Math.max(0, d * d - spreadOf(paired)! ** 2)
    })
    const { chosen, curve } = tuneByPairedError(clippedIps, { grid: GRID, moments })
    expect(chosen).toBe(GRID[errors.indexOf(Math.min(...errors))])
    expect(curve.map(({ lambda }) => lambda)).toEqual(GRID)
    for (const { lambda, value, se } of curve) {
      expect(value).toBe(valueOf(clippedIps.with(lambda), moments))
      expect(se).toBe(spreadOf(influencesOf(clippedIps.with(lambda), moments)))
    }
  })

  it('leaves weights as they are where every click is on a heavy row: shrinking is all bias', async () => {
    const clicked = { ...heavy, reward: heavy.target!.map((pi) => (20 * pi > 2 ? 1 : 0)) }
    const { chosen } = tuneByPairedError(clippedIps, {
      grid: [Infinity, 4, 2, 1],
      moments: await momentsOf(clicked),
    })
    expect(chosen).toBe(Infinity)
  })

  it('clips where heavy rows say what the others say: shrinking costs nothing', async () => {
    // One row in 400 has a weight of 200, and clicks do not depend on weights: clipped IPS of the others is near.
    const log = logOfDays(9, { rows: 4000, users: 800, days: 8, spread: 1, rate: 0.3 })
    const target = log.target!.map((pi, row) => (row === 17 ? 200 / 20 : pi))
    const reward = log.reward.map((r, row) => (row === 17 ? 1 : r))
    const { chosen } = tuneByPairedError(clippedIps, {
      grid: GRID,
      moments: await momentsOf({ ...log, target, reward }),
    })
    expect(chosen).toBeLessThan(Infinity)
  })

  it('stays with the first λ where none gains: all weights are 1', async () => {
    const even = { ...heavy, target: new Float64Array(heavy.rows).fill(0.05) }
    const grid = [0, 0.5, 1]
    const moments = await momentsOf(even, subGaussianIps, grid)
    expect(tuneByPairedError(subGaussianIps, { grid, moments }).chosen).toBe(0)
  })

  it('needs a λ to choose', async () => {
    const moments = await momentsOf(heavy)
    expect(() => tuneByPairedError(clippedIps, { grid: [], moments })).toThrow('no λ to choose from')
  })
})
