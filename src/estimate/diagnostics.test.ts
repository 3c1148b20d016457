import { describe, expect, it } from 'vitest'
import type { Log } from '../log/log.js'
import { takeRows } from '../log/log.js'
import type { Evaluation } from './evaluation.js'
import { run } from './example-evaluations.js'

describe('the share of the weight on the heaviest rows', () => {
  // Weights 1/(2b) of 10, 10, 5, 5 and 196 times 1.
  const heavy: Log = {
    rows: 200,
    user: Uint32Array.from({ length: 200 }, (_, row) => row),
    item: Uint32Array.from({ length: 200 }, (_, row) => row % 2),
    userIds: Array.from({ length: 200 }, (_, user) => String(user)),
    itemIds: ['a', 'b'],
    catalogueKnown: true,
    reward: Float64Array.from({ length: 200 }, (_, row) => (row % 3 === 0 ? 1 : 0)),
    propensity: Float64Array.from({ length: 200 }, (_, row) => [0.05, 0.05, 0.1, 0.1][row] ?? 0.5),
    propensitySource: 'logged',
  }

  it('is that of one row, and of the heaviest of every hundred', async () => {
    const { diagnostics } = await run(heavy)
    expect(diagnostics.maxWeight).toBeCloseTo(10, 12)
    expect(diagnostics.topShare).toBeCloseTo(10 / 226, 12)
    expect(diagnostics.topPercentShare).toBeCloseTo(20 / 226, 12)
  })

  it('takes a part of a hundred for a whole one, and one row at least', async () => {
    // 150 rows: two of them; 50 rows: one.
    const first = (rows: number): Promise<Evaluation> =>
      run(
        takeRows(
          heavy,
          Uint32Array.from({ length: rows }, (_, row) => row),
        ),
      )
    expect((await first(150)).diagnostics.topPercentShare).toBeCloseTo(20 / 176, 12)
    expect((await first(50)).diagnostics.topPercentShare).toBeCloseTo(10 / 76, 12)
  })

  it('counts a row as often as its weight says, but for the largest weight', async () => {
    // Row 2 stands for seven: 10, 10, 35, 5 and 196 times 1.
    const { diagnostics } = await run({
      ...heavy,
      weight: Float64Array.from({ length: 200 }, (_, row) => (row === 2 ? 7 : 1)),
    })
    expect(diagnostics.maxWeight).toBeCloseTo(10, 12)
    expect(diagnostics.topShare).toBeCloseTo(35 / 256, 12)
    expect(diagnostics.topPercentShare).toBeCloseTo(45 / 256, 12)
  })
})

describe('diagnostics, worked out by hand', () => {
  // w = 1, 2, 1, 2 and wr = 1, 2, 0, 0.
  const small: Log = {
    rows: 4,
    user: Uint32Array.of(0, 1, 2, 3),
    item: Uint32Array.of(0, 1, 0, 1),
    userIds: ['u', 'v', 'w', 'x'],
    itemIds: ['a', 'b'],
    catalogueKnown: true,
    reward: Float64Array.of(1, 1, 0, 0),
    propensity: Float64Array.of(0.5, 0.25, 0.5, 0.25),
    propensitySource: 'logged',
  }

  it('are those of the rows where each user has one', async () => {
    const { diagnostics } = await run(small)
    const expected = {
      ess: 36 / 10,
      essRatio: 0.9,
      meanWeight: 1.5,
      // φ = ±1/8: SE² = 4/3 · 4/64.
      meanWeightZ: 0.5 / Math.sqrt(1 / 12),
      maxWeight: 2,
      topShare: 1 / 3,
      topPercentShare: 1 / 3,
      floorShare: 1 / 2,
      effectiveClicks: 9 / 5,
      effectiveClusterClicks: 9 / 5,
      topClusterShare: 2 / 3,
      // 2/(2.125/2.5² − 1/4) = 22, cut to G − 1.
      degreesOfFreedom: 3,
      unsupportedMass: 0,
    }
    for (const [name, value] of Object.entries(expected))
      expect(diagnostics[name as keyof typeof diagnostics], name).toBeCloseTo(value, 10)
    expect(diagnostics.paretoK).toBeNull()
  })

  it('count clicks and influences by user where one has several rows', async () => {
    const { diagnostics } = await run({ ...small, user: Uint32Array.of(0, 0, 2, 3) })
    expect(diagnostics.effectiveClicks).toBeCloseTo(9 / 5, 12)
    expect(diagnostics.effectiveClusterClicks).toBeCloseTo(1, 12)
    expect(diagnostics.topClusterShare).toBeCloseTo(1, 12)
    // φ of the mean weight: 0, −1/8 and 1/8 over three users.
    expect(diagnostics.meanWeightZ).toBeCloseTo(0.5 / Math.sqrt((3 / 2) * (2 / 64)), 10)
  })

  it('have the probability of what was never shown, where the catalogue is known', async () => {
    const wider = { ...small, itemIds: ['a', 'b', 'c'] }
    expect((await run(wider)).diagnostics.unsupportedMass).toBeCloseTo(1 / 3, 12)
    expect((await run({ ...wider, catalogueKnown: false })).diagnostics.unsupportedMass).toBeNull()
  })
})
