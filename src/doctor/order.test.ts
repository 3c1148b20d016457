import { expect, it } from 'vitest'
import { examinationOf } from './example-log.js'
import { checkOrder } from './order.js'

const check = (times: readonly number[]) =>
  checkOrder(examinationOf(times.map((time, k) => ({ user: k % 2, item: 0, reward: 1, time }))))

it('counts the rows that are older than the row above', () => {
  expect(check([1, 2, 2, 5, 4, 6, 1])).toMatchObject([
    { code: 'timestamps-out-of-order', level: 'problem', rows: [4, 6], numbers: { earlier: 2, rows: 7 } },
  ])
})

it('is silent about times that never go back, gaps or not', () => {
  expect(check([1, 2, 2, NaN, 3])).toEqual([])
  expect(checkOrder(examinationOf([{ user: 1, item: 1, reward: 1 }]))).toEqual([])
})

it('says when each user is in order', () => {
  expect(check([1, 0, 3, 2])[0]!.seen).toContain('own rows are in order')
})

it('counts the rows that are older than the one before of their user', () => {
  // Users in turn: 1, 2, 4, 1 and 2, 5, 6.
  expect(check([1, 2, 2, 5, 4, 6, 1])[0]!.numbers).toEqual({ earlier: 2, earlierWithinUser: 1, rows: 7 })
  expect(check([1, 0, 3, 2])[0]!.numbers).toEqual({ earlier: 2, earlierWithinUser: 0, rows: 4 })
})

it('names the first five of them, and looks past times that are missing', () => {
  expect(check([9, 8, 7, 6, 5, 4, 3])[0]!.rows).toEqual([1, 2, 3, 4, 5])
  expect(check([3, NaN, 2])[0]!.rows).toEqual([2])
})
