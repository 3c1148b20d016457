import { describe, expect, it } from 'vitest'
import { fitByGroup, fitByRow, logChanceOfNone } from './beta-binomial.js'
import { betaTwoFive, drawFrom } from './example-log.js'

it('gives the chance of no click under a Beta(2, 5): 5·6/((5+n)(6+n)) for n rows', () => {
  const prior = { mean: 2 / 7, spread: 1 / 8 }
  for (const n of [1, 2, 10, 500])
    expect(Math.exp(logChanceOfNone(prior, n))).toBeCloseTo(30 / ((5 + n) * (6 + n)), 12)
  expect(Math.exp(logChanceOfNone({ mean: 0.3, spread: 0 }, 3))).toBeCloseTo(0.343, 12)
})

it('finds the prior that rates were drawn from', () => {
  const draw = drawFrom(1)
  const rows = Uint32Array.from({ length: 3000 }, (_, k) => 5 + (k % 60))
  const clicks = Float64Array.from(rows, (n) => {
    const rate = betaTwoFive(draw)
    let clicked = 0
    for (let k = 0; k < n; k++) if (draw() < rate) clicked++
    return clicked
  })
  for (const prior of [fitByRow({ clicks, rows }), fitByGroup({ clicks, rows }, 1)]) {
    expect(prior.mean).toBeCloseTo(2 / 7, 1)
    expect(prior.spread).toBeCloseTo(1 / 8, 1)
  }
})

describe('the spread of click rates, worked out by hand', () => {
  it('counts rows alike, and passes over groups without any', () => {
    // S = 4/2 + 16/6 − 36/12 = 5/3, over μ(1 − μ) = 1/4: (20/3 − 2)/(12 − 56/12 − 2) = 7/8.
    const { mean, spread } = fitByRow({
      clicks: Float64Array.of(2, 0, 0, 4),
      rows: Uint32Array.of(2, 4, 0, 6),
    })
    expect(mean).toBe(1 / 2)
    expect(spread).toBeCloseTo(7 / 8, 12)
  })

  it('counts groups alike, those of enough rows', () => {
    // Rates 1/4 and 3/4: a variance of 1/8, half of 1/4; noise of 1/4: (1/2 − 1/4)/(3/4) = 1/3.
    const counts = { clicks: Float64Array.of(2, 1, 3), rows: Uint32Array.of(2, 4, 4) }
    expect(fitByGroup(counts, 4).mean).toBe(1 / 2)
    expect(fitByGroup(counts, 4).spread).toBeCloseTo(1 / 3, 12)
    expect(fitByGroup(counts, 2).mean).toBeCloseTo(2 / 3, 12)
  })

  it('is 0 where rates differ by no more than chance, and below 1 where they differ by all', () => {
    const rows = Uint32Array.of(4, 4)
    expect(fitByRow({ clicks: Float64Array.of(2, 2), rows }).spread).toBe(0)
    expect(fitByGroup({ clicks: Float64Array.of(2, 2), rows }, 1).spread).toBe(0)
    expect(fitByGroup({ clicks: Float64Array.of(0, 4), rows }, 1).spread).toBe(0.999)
    expect(fitByGroup({ clicks: Float64Array.of(1, 4), rows: Uint32Array.of(4, 8) }, 8).spread).toBe(0)
  })
})
