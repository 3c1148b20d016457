import fc from 'fast-check'
import { expect, it } from 'vitest'
import { drawFrom } from './example-log.js'
import { logEvidenceOfExcess, mostEvidenceOfExcess } from './excess-evidence.js'

it('is the stake that the best of 32 bets leaves, on an example by hand', () => {
  // Four rows, two of them show the item with b = 1/10: at η = 1 the stake is 11² / 2⁴, at 1/2 it is 6²/1.5⁴.
  const stake = 121 / 16
  expect(36 / 1.5 ** 4).toBeLessThan(stake)
  expect(logEvidenceOfExcess(4, Float64Array.of(10, 10))).toBeCloseTo(Math.log(stake / 32), 12)
})

it('has a mean of at most 1, whatever the propensities: no luck makes it large often', () => {
  const draw = drawFrom(5)
  let [total, above] = [0, 0]
  const logs = 4000
  for (let log = 0; log < logs; log++) {
    const inverses: number[] = []
    for (let row = 0; row < 60; row++) {
      // Propensities by context, from 0.001 to 0.5.
      const b = 0.001 * 500 ** draw()
      if (draw() < b) inverses.push(1 / b)
    }
    const evidence = Math.exp(logEvidenceOfExcess(60, Float64Array.from(inverses)))
    total += evidence
    if (evidence > 2) above++
  }
  expect(total / logs).toBeLessThan(1)
  expect(above / logs).toBeLessThan(0.5)
})

it('grows in proportion to the log where the item is shown half again as often as its propensity', () => {
  const evidence = [200, 2000, 20_000].map((rows) =>
    logEvidenceOfExcess(rows, new Float64Array(0.15 * rows).fill(10)),
  )
  expect(evidence[1]! / evidence[2]!).toBeCloseTo(0.1, 1)
  expect(evidence[2]).toBeGreaterThan(200)
})

it('never exceeds the bound that needs only the sum', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 1, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 30 }),
      fc.integer({ min: 0, max: 1000 }),
      (values, others) => {
        const rows = values.length + others
        const sum = values.reduce((a, b) => a + b)
        expect(logEvidenceOfExcess(rows, Float64Array.from(values))).toBeLessThanOrEqual(
          mostEvidenceOfExcess(rows, values.length, sum) + 1e-9,
        )
      },
    ),
    { seed: 1 },
  )
})

it('is no evidence where the sum stays below the rows', () => {
  expect(logEvidenceOfExcess(100, new Float64Array(9).fill(10))).toBeLessThan(0)
  expect(mostEvidenceOfExcess(100, 9, 90)).toBe(0)
})
