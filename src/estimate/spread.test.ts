import { describe, expect, it } from 'vitest'
import { logOfDays, sumsOf } from './example-days.js'
import { influenceOf, termsOf } from './estimator.js'
import { ips, snips } from './estimators/importance.js'
import { isLacking } from './source/source.js'
import type { ClusterColumn, Moments } from './source/moments.js'
import {
  type Influences,
  crossedError,
  differenceOf,
  fewestDegreesOfFreedom,
  influencesOf,
  spreadOf,
} from './spread.js'
import { askSums } from './source/example-asks.js'

const log = logOfDays(1, { rows: 120, users: 15, days: 7 })
const momentsBy = async (...ways: ClusterColumn[]): Promise<Moments> => {
  const moments = await askSums(sumsOf(log), termsOf([ips, snips]), ways)
  if (isLacking(moments)) throw new Error(moments.lacking)
  return moments
}
const squaresOf = (influence: Float64Array): number => influence.reduce((sum, phi) => sum + phi * phi, 0)
const of = (...parts: [sign: 1 | -1, influence: number[]][]): Influences =>
  parts.map(([sign, influence]) => ({ sign, influence: Float64Array.from(influence) }))

describe('the spread of users and days', () => {
  it.each([ips, snips])(
    'counts every pair of rows that share a user or a day once: $name',
    async (estimator) => {
      const phi = influenceOf(estimator, await momentsBy('row'))
      const dayOf = (row: number): number => Math.floor(log.time![row]! / 86_400_000)
      let pairs = 0
      for (let i = 0; i < log.rows; i++)
        for (let j = 0; j < log.rows; j++)
          if (log.user[i] === log.user[j] || dayOf(i) === dayOf(j)) pairs += phi[i]! * phi[j]!
      const crossed = influencesOf(estimator, await momentsBy('user', 'day'))
      const signed = crossed.reduce((sum, { sign, influence }) => sum + sign * squaresOf(influence), 0)
      expect(signed).toBeCloseTo(pairs, 14)
      expect(pairs).not.toBeCloseTo(squaresOf(crossed[0]!.influence), 14)
    },
  )

  it('is V_user + V_day − V_both, each with its own G/(G − 1)', () => {
    const influences = of([1, [3, -3]], [1, [2, -1, -1]], [-1, [1, 1, -1, -1]])
    // 2/1 · 18 + 3/2 · 6 − 4/3 · 4
    expect(spreadOf(influences)).toBeCloseTo(Math.sqrt(36 + 9 - 16 / 3), 12)
  })

  it('is that of the only way where there is one', () => {
    expect(spreadOf(of([1, [3, -3]]))).toBeCloseTo(6, 12)
  })

  it('is not less than half that of the first way, however the difference of variances falls', () => {
    const parts = (error: number) =>
      [
        { sign: 1, error: 2 },
        { sign: 1, error: 1 },
        { sign: -1, error },
      ] as const
    expect(crossedError(parts(1))).toBe(2)
    expect(crossedError(parts(2))).toBe(1)
    expect(crossedError(parts(5))).toBe(1)
  })

  it('is unknown where one way has a single cluster', () => {
    expect(spreadOf(of([1, [1, -1]], [1, [0]], [-1, [1, -1]]))).toBeUndefined()
  })
})

describe('influences', () => {
  it('sum to 0 in every way', async () => {
    for (const { influence } of influencesOf(snips, await momentsBy('user', 'day')))
      expect(influence.reduce((sum, phi) => sum + phi, 0)).toBeCloseTo(0, 14)
  })

  it('have the degrees of freedom of the way with the fewest; the subtracted way does not count', () => {
    const even = (clusters: number): number[] => Array.from({ length: clusters }, (_, k) => (k % 2 ? 1 : -1))
    expect(fewestDegreesOfFreedom(of([1, even(40)], [1, even(10)], [-1, even(4)]))).toBe(9)
  })

  it('on a difference cancel where both estimates move alike', async () => {
    const both = influencesOf(snips, await momentsBy('user', 'day'))
    const none = differenceOf(both, both)!
    expect(none.map(({ sign }) => sign)).toEqual([1, 1, -1])
    expect(spreadOf(none)).toBe(0)
  })

  it('are subtracted cluster by cluster', () => {
    expect(differenceOf(of([1, [3, -3]], [-1, [1, 2]]), of([1, [1, 1]], [-1, [0, 5]]))).toEqual(
      of([1, [2, -4]], [-1, [1, -3]]),
    )
  })

  it('of other clusters have no difference', () => {
    expect(differenceOf(of([1, [1, -1]]), of([1, [1, -1, 0]]))).toBeUndefined()
    expect(differenceOf(of([1, [1, -1]]), of([1, [1, -1]], [1, [1, -1]]))).toBeUndefined()
  })
})
