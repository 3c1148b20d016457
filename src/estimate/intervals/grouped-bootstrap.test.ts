import { describe, expect, it } from 'vitest'
import { randomStream } from '../../random/stream.js'
import { influenceOf, standardErrorOf } from '../estimator.js'
import { ips, snips } from '../estimators/importance.js'
import { Moments } from '../source/moments.js'
import { one, weight, weightedReward } from '../term.js'
import { bootstrapAll, drawable } from './bootstrap.js'

/** More rows, each a cluster of its own, than are drawn one by one. */
const ROWS = 150_000

function rows(): Moments {
  const { uniform, word } = randomStream(4, 'grouped')
  const w = Float64Array.from({ length: ROWS }, () => 2 * uniform())
  const r = Float64Array.from({ length: ROWS }, () => (uniform() < 0.1 ? 1 : 0))
  return new Moments(
    Uint32Array.from({ length: ROWS }, word),
    new Map([
      [one.name, new Float64Array(ROWS).fill(1)],
      [weight.name, w],
      [weightedReward.name, w.map((x, row) => x * r[row]!)],
    ]),
  )
}

describe('the bootstrap of many clusters', () => {
  const moments = rows()
  const estimators = [ips, snips]
  const drawn = drawable(estimators, moments)

  it('draws groups of them, with the same totals', () => {
    expect(drawn.by).toBe('bucket')
    expect(drawn.clusters).toBe(16_384)
    expect(drawn.total(one)).toBe(ROWS)
    expect(drawn.total(weightedReward)).toBeCloseTo(moments.total(weightedReward), 8)
  })

  it('leaves few clusters as they are', () => {
    const few = new Moments(moments.keys.slice(0, 1000), new Map())
    expect(drawable([], few)).toBe(few)
  })

  it('spreads as the standard error by cluster says', () => {
    const values = bootstrapAll(estimators, moments, { resamples: 400 })
    estimators.forEach((estimator, k) => {
      const error = standardErrorOf(influenceOf(estimator, moments))!
      expect(standardErrorOf(influenceOf(estimator, drawn))! / error).toBeCloseTo(1, 1.5)
      const drawnValues = values[k]!
      const mean = drawnValues.reduce((sum, value) => sum + value, 0) / 400
      const spread = Math.sqrt(drawnValues.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 399)
      // 400 resamples know a spread to 3.5 %.
      expect(Math.abs(spread / error - 1)).toBeLessThan(0.12)
    })
  })
})
