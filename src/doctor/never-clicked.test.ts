import { describe, expect, it } from 'vitest'
import { drawFrom, examinationOf, impressionsOf, toyLog, type Impression } from './example-log.js'
import { checkNeverClicked } from './never-clicked.js'

const check = (rows: readonly Impression[]) => checkNeverClicked(examinationOf(rows))
const world = (items: number, clickRate: (user: number, item: number) => number, users = 100) => ({
  users,
  exposures: 5 * items,
  items,
  logging: () => Array.from({ length: items }, () => 1 / items),
  clickRate,
})

it('suspects an item shown 500 times without a click where others get 30 %', () => {
  for (const items of [6, 10, 20]) {
    const rows = impressionsOf(
      world(items, (_, item) => (item === 3 ? 0 : 0.3)),
      drawFrom(items),
    )
    const findings = check(rows)
    expect(findings).toMatchObject([
      { code: 'items-never-clicked', level: 'problem', numbers: { never: 1, suspicious: 1 } },
    ])
    expect(findings[0]!.rows).toEqual([rows.findIndex(({ item }) => item === 'i3')])
    expect(findings[0]!.seen).toContain('i3')
  }
})

it('suspects a user whose clicks were lost', () => {
  const findings = check(
    impressionsOf(
      world(40, (user) => (user === 7 ? 0 : 0.3), 60),
      drawFrom(1),
    ),
  )
  expect(findings).toMatchObject([{ code: 'users-never-clicked', level: 'problem' }])
})

it('believes that some of many unlike items have none', () => {
  const findings = check(
    impressionsOf(
      world(40, (_, item) => (item % 4 === 0 ? 0.0005 : (0.01 * item) / 4)),
      drawFrom(1),
    ),
  )
  expect(findings.length).toBeGreaterThan(0)
  expect(findings.every(({ level }) => level === 'note')).toBe(true)
})

it('notes how many have none, and on how many rows', () => {
  const rows = toyLog()
  const [items, users] = check(rows)
  const clicked = new Set(rows.filter(({ reward }) => reward > 0).map(({ user }) => user))
  expect(items).toMatchObject({ code: 'items-never-clicked', level: 'note' })
  expect(users).toMatchObject({
    code: 'users-never-clicked',
    level: 'note',
    numbers: { never: 1000 - clicked.size, of: 1000 },
  })
})

it('is silent about costs and about logs without any click', () => {
  expect(check(toyLog((row) => ({ ...row, reward: -row.reward })))).toEqual([])
  expect(check(toyLog((row) => ({ ...row, reward: 0 })))).toEqual([])
})

describe('an item without a click among 500 rows', () => {
  /** 500 rows of each item, by 100 users in turn; every third row is clicked but for those of item 0. */
  const rows = (items: number): Impression[] =>
    Array.from({ length: 500 * items }, (_, k) => ({
      user: k % 100,
      item: k % items,
      reward: k % items > 0 && Math.floor(k / items) % 3 === 0 ? 1 : 0,
    }))

  it('is suspected where five others tell how rates are spread, not where two do', () => {
    expect(check(rows(6))[0]).toMatchObject({
      code: 'items-never-clicked',
      level: 'problem',
      rows: [0],
      numbers: { never: 1, of: 6, impressions: 500, share: 1 / 6, suspicious: 1, rowsOfFirst: 500 },
    })
    expect(check(rows(6))[0]!.seen).toMatch(/^Item 0 /)
    expect(check(rows(3))[0]).toMatchObject({
      level: 'note',
      rows: [],
      numbers: { never: 1, of: 3, impressions: 500, share: 1 / 3 },
    })
  })
})
