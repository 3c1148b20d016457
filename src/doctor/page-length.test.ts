import { expect, it } from 'vitest'
import { examinationOf, type Impression } from './example-log.js'
import { pageLength } from './page-length.js'

const length = (rows: readonly Partial<Impression>[]): number =>
  pageLength(examinationOf(rows.map((row) => ({ user: 1, item: 1, reward: 0, ...row }))).log)

it('is 1 where neither slates nor positions are known', () => {
  expect(length([{}, {}, {}])).toBe(1)
})

it('is the size of the largest slate', () => {
  expect(length(['a', 'b', 'a', 'c', 'a', 'b'].map((slate) => ({ slate })))).toBe(3)
  const { slateIds: _, ...log } = examinationOf(
    [0, 1, 1, 2].map((slate) => ({ user: 1, item: 1, reward: 0, slate })),
  ).log
  expect(pageLength(log)).toBe(2)
})

it('is the number of different positions, those that are none left out', () => {
  expect(length([1, 2, 5, 2, NaN].map((position) => ({ position })))).toBe(3)
})

it('is the larger where both are known', () => {
  expect(length([1, 2, 3].map((position) => ({ position, slate: 'a' })))).toBe(3)
  expect(length([1, 1, 2].map((position) => ({ position, slate: 'a' })))).toBe(3)
  expect(length([1, 2, 3].map((position) => ({ position, slate: position })))).toBe(3)
})
