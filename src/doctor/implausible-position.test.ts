import { expect, it } from 'vitest'
import { examinationOf, toyLog } from './example-log.js'
import { checkPositions } from './implausible-position.js'

const withOne = (position: number) =>
  checkPositions(examinationOf(toyLog((row, k) => ({ ...row, position: k === 3 ? position : k % 10 }))))

it('finds a position of two billion, and none up to a hundred thousand', () => {
  expect(withOne(2e9)).toMatchObject([
    { code: 'position-outside-range', level: 'problem', rows: [3], numbers: { beyond: 1, largest: 2e9 } },
  ])
  expect(withOne(2e9)[0]!.seen).toBe('1 position is above 100,000; the largest is 2,000,000,000.')
  expect(withOne(100_000)).toEqual([])
  expect(checkPositions(examinationOf(toyLog()))).toEqual([])
})
