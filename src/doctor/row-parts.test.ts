import { expect, it } from 'vitest'
import { examinationOf, type Impression } from './example-log.js'
import { hoursOf, NO_PART, positionsOf, tenthsOf, weekdaysOf } from './row-parts.js'

const logOf = (columns: (row: number) => Partial<Impression>, rows = 100) =>
  examinationOf(Array.from({ length: rows }, (_, k) => ({ user: 0, item: 0, reward: 0, ...columns(k) }))).log

it('cuts rows into tenths of the time, whatever their order in the file', () => {
  const backwards = tenthsOf(logOf((k) => ({ time: 1e12 - k })))
  expect([...backwards.sizes]).toEqual(Array.from({ length: 10 }, () => 10))
  expect([backwards.index[0], backwards.index[99]]).toEqual([9, 0])
  expect([...tenthsOf(logOf((k) => ({ time: k }))).index]).toEqual([...tenthsOf(logOf(() => ({}))).index])
})

it('keeps rows of one time together', () => {
  const { index, sizes } = tenthsOf(logOf((k) => ({ time: k < 50 ? 1 : 2 })))
  expect(new Set(index.subarray(0, 50)).size).toBe(1)
  expect(new Set(index.subarray(50)).size).toBe(1)
  expect(sizes.reduce((a, b) => a + b)).toBe(100)
})

it('takes the thirty most frequent positions', () => {
  expect(positionsOf(logOf(() => ({})))).toBeUndefined()
  expect(positionsOf(logOf(() => ({ position: 3 })))).toBeUndefined()
  const parts = positionsOf(logOf((k) => ({ position: k < 60 ? k % 2 : k })))!
  expect([...parts.sizes.subarray(0, 2)]).toEqual([30, 30])
  expect(parts.sizes).toHaveLength(30)
  expect(parts.index.filter((part) => part === NO_PART)).toHaveLength(12)
})

it('knows hours and days of the week, whatever the unit of times', () => {
  // 1 January 2024 was a Monday.
  const start = Date.UTC(2024, 0, 1)
  for (const unit of [1, 1e-3, 1e3]) {
    const log = logOf((k) => ({ time: (start + k * 3_600_000) * unit }), 48)
    expect([...hoursOf(log)!.index.subarray(0, 25)]).toEqual(
      Array.from({ length: 25 }, (_, k) => Math.floor((k % 24) / 3)),
    )
    expect([...weekdaysOf(log)!.sizes]).toEqual([24, 24, 0, 0, 0, 0, 0])
  }
})

it('knows none without dates, or where dates have no hours', () => {
  expect(hoursOf(logOf((k) => ({ time: k })))).toBeUndefined()
  expect(weekdaysOf(logOf(() => ({})))).toBeUndefined()
  expect(hoursOf(logOf((k) => ({ time: Date.UTC(2024, 0, k) })))).toBeUndefined()
})
