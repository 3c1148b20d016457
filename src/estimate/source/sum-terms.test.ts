import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Log } from '../../log/log.js'
import { BLOCK } from '../../sql/vectorise.js'
import { CompensatedSums } from '../../sum.js'
import { dr } from '../estimators/importance.js'
import { clippedIps, drOs, subGaussianIps, switchDr } from '../estimators/shrinking.js'
import {
  type Term,
  modelValue,
  one,
  reward,
  weight,
  weightSquared,
  weightedError,
  weightedReward,
  weightedRewardSquared,
} from '../term.js'
import { clustersOf } from './clusters.js'
import { momentsOf } from './prepared-log.js'
import type { WeighedRows } from './sum-terms.js'

const number = fc.double({ min: -1e6, max: 1e6, noNaN: true })
const row = fc.record({
  user: fc.integer({ min: 0, max: 4 }),
  r: number,
  w: fc.double({ min: 0, max: 1e9, noNaN: true }),
  q: number,
  v: number,
  count: fc.double({ min: 0.1, max: 10, noNaN: true }),
})
type Row = typeof row extends fc.Arbitrary<infer Value> ? Value : never

function weighed(
  rows: readonly Row[],
  { isThinned, hasModel }: { isThinned: boolean; hasModel: boolean },
): WeighedRows {
  const column = (of: (row: Row) => number): Float64Array => Float64Array.from(rows, of)
  const log: Log = {
    rows: rows.length,
    user: Uint32Array.from(rows, ({ user }) => user),
    item: new Uint32Array(rows.length),
    userIds: ['a', 'b', 'c', 'd', 'e'],
    itemIds: ['x'],
    catalogueKnown: false,
    reward: column(({ r }) => r),
    propensitySource: 'logged',
    ...(isThinned && { weight: column(({ count }) => count) }),
  }
  const model = hasModel && { prediction: column(({ q }) => q), value: column(({ v }) => v) }
  return { log, weight: column(({ w }) => w), ...model }
}

/** What a term is, written out by hand. */
const WRITTEN: readonly (readonly [Term, (row: Row) => number])[] = [
  [one, () => 1],
  [reward, ({ r }) => r],
  [weight, ({ w }) => w],
  [weightSquared, ({ w }) => w * w],
  [weightedReward, ({ w, r }) => w * r],
  [weightedRewardSquared, ({ w, r }) => w * r * (w * r)],
  [modelValue, ({ v }) => v],
  [weightedError, ({ w, r, q }) => w * (r - q)],
  [dr.ratios[0]!.numerator, ({ v, w, r, q }) => v + w * (r - q)],
  [clippedIps.with(2).ratios[0]!.numerator, ({ w, r }) => Math.min(w, 2) * r],
  [switchDr.with(2).ratios[0]!.numerator, ({ v, w, r, q }) => v + (w <= 2 ? w * (r - q) : 0)],
  [drOs.with(3).ratios[0]!.numerator, ({ v, w, r, q }) => v + ((3 * w) / (w * w + 3)) * (r - q)],
  [
    subGaussianIps.with(0.25).ratios[0]!.numerator,
    ({ w, r }) => (w === 0 ? 0 : w / (1 - 0.25 + 0.25 * w)) * r,
  ],
]

describe('sums of terms', () => {
  it('have the bits of compensated sums of the terms written out, row by row', () => {
    fc.assert(
      fc.property(
        fc.array(row, { minLength: 1, maxLength: 30 }),
        fc.record({ isThinned: fc.boolean(), hasModel: fc.constant(true) }),
        fc.constantFrom('user' as const, 'row' as const),
        (rows, shape, clusterBy) => {
          const seen = weighed(rows, shape)
          const moments = momentsOf(
            seen,
            WRITTEN.map(([term]) => term),
            clusterBy,
          )
          const { index, count } = clustersOf(seen.log, clusterBy)
          for (const [term, of] of WRITTEN) {
            const sums = new CompensatedSums(count)
            rows.forEach((one, k) => sums.add(index[k]!, shape.isThinned ? one.count * of(one) : of(one)))
            expect(moments.sums(term), term.name).toEqual(sums.finish())
          }
        },
      ),
    )
  })

  it('of two users, by hand', () => {
    const base = { q: 0, v: 0, count: 1 }
    const seen = weighed(
      [
        { ...base, user: 0, w: 2, r: 1 },
        { ...base, user: 1, w: 0.5, r: 1 },
        { ...base, user: 0, w: 4, r: 0.5 },
      ],
      { isThinned: false, hasModel: false },
    )
    const moments = momentsOf(seen, [one, weight, weightedReward], 'user')
    expect([...moments.sums(one)]).toEqual([2, 1])
    expect([...moments.sums(weight)]).toEqual([6, 0.5])
    expect([...moments.sums(weightedReward)]).toEqual([4, 0.5])
  })

  it('run over more rows than a block, and are not a number without a model', () => {
    const rows = Array.from({ length: 2 * BLOCK + 5 }, () => ({ user: 0, w: 1, r: 1, q: 0, v: 0, count: 1 }))
    const seen = weighed(rows, { isThinned: false, hasModel: false })
    const moments = momentsOf(seen, [weightedReward, modelValue], 'user')
    expect(moments.total(weightedReward)).toBe(2 * BLOCK + 5)
    expect(moments.total(modelValue)).toBeNaN()
  })
})

it('sums users on single days where each has one row, whatever order the rows have', () => {
  const log: Log = {
    rows: 4,
    user: Uint32Array.of(0, 1, 0, 1),
    item: new Uint32Array(4),
    userIds: ['a', 'b'],
    itemIds: ['x'],
    catalogueKnown: false,
    reward: Float64Array.of(1, 2, 4, 8),
    propensitySource: 'logged',
    time: Float64Array.from([1, 1, 2, 2], (day) => 86_400_000 * (19_000 + day)),
  }
  const moments = momentsOf({ log, weight: new Float64Array(4).fill(1) }, [reward], 'user×day')
  expect(Object.fromEntries(moments.ids!.map((id, cell) => [id, moments.sums(reward)[cell]]))).toEqual({
    'a×19001': 1,
    'a×19002': 4,
    'b×19001': 2,
    'b×19002': 8,
  })
})
