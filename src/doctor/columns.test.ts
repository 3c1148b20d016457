import { describe, expect, it } from 'vitest'
import { changesIn } from '../advice.js'
import { checkIds, checkMapping, checkOrder, checkPositions, checkSize } from './columns.js'
import { examinationOf, toyLog, type Impression } from './example-log.js'

describe('columns that are read twice', () => {
  const { log } = examinationOf([{ user: 1, item: 1, reward: 1 }])

  it('names the column that is read twice', () => {
    const findings = checkMapping({ log, mapping: { user: 'id', item: 'id', reward: 'click' } })
    expect(findings).toMatchObject([{ code: 'column-mapped-twice', level: 'problem', column: 'user' }])
    expect(changesIn(findings[0]!.remedy)).toEqual([
      { setting: 'columns', value: expect.stringMatching(/item=…/) },
    ])
  })

  it('allows clusters that are users', () => {
    expect(checkMapping({ log, mapping: { user: 'id', cluster: 'id', item: 'sku' } })).toEqual([])
  })
})

describe('ids', () => {
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
})

describe('positions', () => {
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
})

describe('times', () => {
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
})

describe('sizes', () => {
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
    expect(checkSize(examinationOf(rows.slice(1)))).toMatchObject([
      { code: 'few-rows', numbers: { rows: 99 } },
    ])
  })
})
