import { expect, it } from 'vitest'
import { examinationOf, toyLog, type Impression } from './example-log.js'
import { checkIds } from './ids.js'

const check = (rows: readonly Impression[]) => checkIds(examinationOf(rows))
const rows = (id: (row: number) => string | number, length = 20): Impression[] =>
  Array.from({ length }, (_, k) => ({ user: id(k), item: k % 3, reward: k % 2 }))

it.each([0, 1])('sees users that count the rows from %i', (first) => {
  expect(check(rows((k) => k + first))).toMatchObject([
    { code: 'ids-are-row-numbers', level: 'problem', column: 'user', numbers: { first } },
  ])
})

it('sees items that count the rows, and a later part of a file', () => {
  const items = rows((k) => `u${k % 4}`).map((row, k) => ({ ...row, item: k + 1 }))
  expect(check(items)).toMatchObject([{ code: 'ids-are-row-numbers', column: 'item' }])
  expect(check(rows((k) => 5000 + k, 200))).toMatchObject([{ code: 'ids-are-row-numbers' }])
})

it('names the column of the file', () => {
  const { log } = examinationOf(rows((k) => k))
  expect(checkIds({ log, mapping: { user: 'Unnamed: 0' } })[0]!.seen).toContain('Unnamed: 0')
})

it('notes that no user comes back', () => {
  expect(check(rows((k) => `visitor ${k}`))).toMatchObject([{ code: 'user-per-row', level: 'note' }])
  expect(check(rows((k) => 7 * k))).toMatchObject([{ code: 'user-per-row' }])
})

it('is silent about users that come back, and about a handful of rows', () => {
  expect(check(toyLog())).toEqual([])
  expect(check(rows((k) => Math.floor(k / 2)))).toEqual([])
  expect(check(rows((k) => k, 4))).toEqual([])
})

it('takes a run from elsewhere for row numbers from 100 rows on', () => {
  expect(check(rows((k) => 5000 + k, 99))).toMatchObject([{ code: 'user-per-row' }])
  expect(check(rows((k) => 5000 + k, 100))).toMatchObject([
    { code: 'ids-are-row-numbers', numbers: { first: 5000, rows: 100 }, rows: [0, 1, 2, 3, 4] },
  ])
  expect(check(rows((k) => `${k}.0`))).toMatchObject([{ code: 'ids-are-row-numbers' }])
  expect(check(rows((k) => k, 5))).toHaveLength(1)
})
