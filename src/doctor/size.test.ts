import { expect, it } from 'vitest'
import { examinationOf, toyLog } from './example-log.js'
import { checkSize } from './size.js'

it('notes few rows, one user and one item', () => {
  const findings = checkSize(
    examinationOf([
      { user: 'ada', item: 'pen', reward: 1 },
      { user: 'ada', item: 'pen', reward: 0 },
    ]),
  )
  expect(findings.map(({ code, level }) => [code, level])).toEqual([
    ['few-rows', 'note'],
    ['one-user', 'note'],
    ['one-item', 'note'],
  ])
  expect(findings.map(({ numbers, rows }) => [numbers, rows])).toEqual([
    [{ rows: 2 }, []],
    [{ users: 1, rows: 2 }, []],
    [{ items: 1, rows: 2 }, []],
  ])
})

it('is silent about a log of some size', () => {
  expect(checkSize(examinationOf(toyLog()))).toEqual([])
})

it('takes 100 rows for enough', () => {
  const rows = Array.from({ length: 100 }, (_, k) => ({ user: k % 2, item: k % 3, reward: 0 }))
  expect(checkSize(examinationOf(rows))).toEqual([])
  expect(checkSize(examinationOf(rows.slice(1)))).toMatchObject([{ code: 'few-rows', numbers: { rows: 99 } }])
})
