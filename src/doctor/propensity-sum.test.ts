import { describe, expect, it } from 'vitest'
import { drawFrom, examinationOf, impressionsOf, toyLog, toyWorld, type Impression } from './example-log.js'
import { checkPropensitySum } from './propensity-sum.js'

const check = (rows: readonly Impression[]) => checkPropensitySum(examinationOf(rows))
const scaled = (factor: number): Impression[] =>
  toyLog((row) => ({ ...row, propensity: factor * row.propensity! }))

it('is silent when the propensities speak of the items there are', () => {
  for (const factor of [0.7, 1, 1.5]) expect(check(scaled(factor))).toEqual([])
})

it('notes chances that sum to far more or far less than one', () => {
  expect(check(scaled(5))).toMatchObject([
    { code: 'propensities-do-not-add-up', level: 'note', numbers: { items: expect.any(Number) } },
  ])
  expect(check(scaled(0.01))).toMatchObject([{ code: 'propensities-do-not-add-up', level: 'note' }])
})

it('suspects percentages that never exceed 1', () => {
  const logging = Array.from({ length: 400 }, (_, item) => (item < 200 ? 0.002 : 0.003))
  const rows = impressionsOf(toyWorld({ items: 400, logging: () => logging }), drawFrom(1))
  expect(check(rows.map((row) => ({ ...row, propensity: 100 * row.propensity! })))[0]!.remedy).toContain(
    'percentages',
  )
})

it('expects no more items than rows can show', () => {
  const logging = Array.from({ length: 5000 }, (_, item) => (item % 2 === 0 ? 1.5 : 0.5) / 5000)
  expect(
    check(impressionsOf(toyWorld({ users: 100, items: 5000, logging: () => logging }), drawFrom(1))),
  ).toEqual([])
})

it('allows for several items on a page', () => {
  const rows = toyLog((row, k) => ({ ...row, propensity: 3 * row.propensity!, position: k % 3 }))
  expect(check(rows)).toEqual([])
})

describe('the number of items that propensities speak of', () => {
  /** 200 rows, every other one of propensity `b` and of half of it. */
  const rows = (items: number, b: number): Impression[] =>
    Array.from({ length: 200 }, (_, k) => ({
      user: k,
      item: k % items,
      reward: 0,
      propensity: k % 2 === 0 ? b : b / 2,
    }))

  it('is the mean of (1 − (1 − b)ⁿ)/b, with its standard error', () => {
    // (1 − 0.8²⁰⁰)/0.2 = 5 and 10: 7.5 on average, 2.5 apart from it.
    const [finding] = check(rows(40, 0.2))
    expect(finding!.numbers).toMatchObject({ items: 40, pageLength: 1 })
    expect(finding!.numbers['predicted']).toBeCloseTo(7.5, 6)
    expect(finding!.numbers['meanInverse']).toBeCloseTo(7.5, 12)
    expect(finding!.numbers['standardError']).toBeCloseTo(2.5 / Math.sqrt(200), 6)
    // With one draw in a hundred, 200 rows do not meet all that there is: (1 − 0.99²⁰⁰)/0.01 = 86.6.
    const [many] = check(rows(3, 0.02))
    const terms = [0.02, 0.01].map((b) => (1 - (1 - b) ** 200) / b)
    expect(many!.numbers['predicted']).toBeCloseTo((terms[0]! + terms[1]!) / 2, 9)
    expect(many!.numbers['meanInverse']).toBeCloseTo(75, 9)
  })

  it('may be half of those there are, by the length of a page, or twice as many', () => {
    expect(check(rows(14, 0.2))).toEqual([])
    expect(check(rows(16, 0.2))).toHaveLength(1)
    expect(check(rows(20, 0.2).map((row, k) => ({ ...row, position: k % 2 })))).toEqual([])
    expect(check(rows(40, 0.2).map((row, k) => ({ ...row, position: k % 2 })))).toHaveLength(1)
    // 99 rows that speak of two items and one that speaks of 95: three on average, give or take one.
    const unsure = rows(1, 0.5).slice(0, 100)
    expect(check(unsure.map((row, k) => ({ ...row, propensity: k === 0 ? 0.001 : 0.5 })))).toEqual([])
    expect(check(rows(4, 0.2))).toEqual([])
    expect(check(rows(3, 0.2))).toHaveLength(1)
  })

  it('is not asked for where rows are few or thinned, or propensities all the same', () => {
    expect(check(rows(40, 0.2).slice(0, 99))).toEqual([])
    expect(check(rows(40, 0.2).slice(0, 100))).toHaveLength(1)
    expect(check(rows(40, 0.2).map((row) => ({ ...row, propensity: 0.2 })))).toEqual([])
    const { log, mapping } = examinationOf(rows(40, 0.2))
    const weight = new Float64Array(log.rows).fill(1)
    expect(checkPropensitySum({ log: { ...log, weight }, mapping })).toEqual([])
  })

  it('suspects percentages where a hundred times as many would fit', () => {
    // 7.5 · 100 of 750 items; of 75, no.
    const wide = Array.from({ length: 1500 }, (_, k) => ({ ...rows(1, 0.2)[k % 200]!, item: k % 750 }))
    const narrow = Array.from({ length: 1500 }, (_, k) => ({ ...rows(1, 0.2)[k % 200]!, item: k % 75 }))
    expect(check(wide)[0]!.remedy).not.toBe(check(narrow)[0]!.remedy)
  })
})
