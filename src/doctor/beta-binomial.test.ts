import { expect, it } from 'vitest'
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
