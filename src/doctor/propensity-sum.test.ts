import { expect, it } from 'vitest'
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
