import { expect, it } from 'vitest'
import { examinationOf, type Impression } from './example-log.js'
import { rowUnits } from './row-units.js'

const MINUTE = 60_000
const start = Date.UTC(2024, 0, 1, 23)
const logOf = (rows: readonly Partial<Impression>[]) =>
  examinationOf(rows.map((row) => ({ user: 'a', item: 0, reward: 0, ...row }))).log

it('ends a session after half an hour without a row, and a day of a user at midnight in UTC', () => {
  const minutes = [0, 30, 59, 61, 92, 30]
  const log = logOf(
    minutes.map((minute, k) => ({ user: k === 5 ? 'b' : 'a', time: start + minute * MINUTE })),
  )
  expect(rowUnits(log)).toEqual([
    { what: 'sessions', index: Uint32Array.of(0, 0, 0, 0, 1, 2), count: 3 },
    { what: 'days of users', index: Uint32Array.of(0, 0, 0, 1, 1, 2), count: 3 },
  ])
})

it('takes rows in the order of their times', () => {
  const log = logOf([40, 0, 20].map((minute) => ({ time: start + minute * MINUTE })))
  expect(rowUnits(log)[0]).toMatchObject({ count: 1 })
})

it('begins with pages, and knows nothing else where times are not dates', () => {
  const pages = logOf([
    { slate: 'x', time: 1 },
    { slate: 'x', time: 2 },
    { slate: 'y', time: 3 },
  ])
  expect(rowUnits(pages)).toEqual([{ what: 'pages', index: Uint32Array.of(0, 0, 1), count: 2 }])
  expect(rowUnits(logOf([{}, {}]))).toEqual([])
})
