import { describe, expect, it } from 'vitest'
import { logOfDays, sumsOf } from './example-days.js'
import { standardErrorOf, termsOf } from './estimator.js'
import { clippedIps } from './estimators/shrinking.js'
import { unchangedOf } from './requests.js'
import { shrinkingBiasOf } from './estimates.js'
import { isLacking } from './source/source.js'
import type { ClusterBy, Moments } from './source/moments.js'
import { askSums } from './source/example-asks.js'

const log = logOfDays(10, { rows: 200, users: 40, days: 6 })
const momentsBy = async (by: ClusterBy, ...lambdas: number[]): Promise<Moments> => {
  const terms = termsOf([Infinity, ...lambdas].map((lambda) => clippedIps.with(lambda)))
  const moments = await askSums(sumsOf(log), terms, by)
  if (isLacking(moments)) throw new Error(moments.lacking)
  return moments
}

describe('the bias of shrinking', () => {
  it('is the mean of (w′ − w) r, with the standard error of that mean', async () => {
    const terms = log.target!.map((pi, row) => {
      const w = pi / log.propensity![row]!
      return (Math.min(w, 1.5) - w) * log.reward[row]!
    })
    const mean = terms.reduce((sum, term) => sum + term, 0) / log.rows
    const bias = shrinkingBiasOf(clippedIps.with(1.5), unchangedOf(clippedIps), await momentsBy('row', 1.5))!
    expect(bias.than).toBe('IPS')
    expect(bias.difference).toBeCloseTo(mean, 12)
    expect(bias.difference).toBeLessThan(0)
    expect(bias.se).toBeCloseTo(standardErrorOf(terms.map((term) => (term - mean) / log.rows))!, 12)
  })

  it('is none where λ changes no weight', async () => {
    const moments = await momentsBy('user', 1000)
    expect(shrinkingBiasOf(clippedIps.with(1000), unchangedOf(clippedIps), moments)).toBeUndefined()
    expect(shrinkingBiasOf(clippedIps.with(Infinity), unchangedOf(clippedIps), moments)).toBeUndefined()
  })

  it('grows as weights are cut further', async () => {
    const lambdas = [3, 2, 1, 0.5]
    const moments = await momentsBy('user', ...lambdas)
    const found = lambdas.map(
      (lambda) => shrinkingBiasOf(clippedIps.with(lambda), unchangedOf(clippedIps), moments)!.difference,
    )
    expect(found).toEqual(found.toSorted((a, b) => b - a))
  })
})
