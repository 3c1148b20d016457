import { expect, it } from 'vitest'
import { pairsByDistance, checkAdjacentCopies } from './adjacent-copies.js'
import { drawFrom, examinationOf, type Impression, impressionsOf, softmax } from './example-log.js'

const logging = softmax(Array.from({ length: 8 }, (_, item) => item / 4))
const rows = (seed: number, exposures = 40): Impression[] =>
  impressionsOf(
    { users: 2000 / exposures, exposures, items: 8, logging: () => logging, clickRate: () => 0.2 },
    drawFrom(seed),
  )
const check = (log: readonly Impression[]) => checkAdjacentCopies(examinationOf(log))
const copied = (log: readonly Impression[], every: number): Impression[] =>
  log.flatMap((row, k) => (k % every === 0 ? [row, row] : [row]))

it('counts equal rows by their distance', () => {
  const row = (item: number): Impression => ({ user: 1, item, reward: 0 })
  const { alike, sameUser, examples } = pairsByDistance(examinationOf([1, 1, 2, 1, 1, 1].map(row)).log)
  expect(alike).toEqual([3, 2, 2, 2, 1])
  expect(sameUser).toEqual([5, 4, 3, 2, 1])
  expect(examples).toEqual([1, 4, 5])
})

it('finds copies among chance repeats, in logs by user and in mixed ones', () => {
  for (let seed = 1; seed <= 5; seed++) {
    const mixed = rows(seed).map((row, k) => ({ ...row, user: `u${(k * 7919) % 500}` }))
    for (const log of [rows(seed), mixed])
      expect(check(copied(log, 4))).toMatchObject([
        { code: 'duplicated-impressions', level: 'problem', lowersTo: 'caution' },
      ])
    expect(check(copied(mixed, 4))[0]!.numbers['adjacent']).toBeGreaterThanOrEqual(500)
  }
})

it('is silent where users have too few rows to compare', () => {
  // Rows further apart are never of one user, so that nothing is known about chance.
  expect(check(copied(rows(1, 1), 1))).toEqual([])
})

it('is silent about repeats by chance, and about logs that are sorted', () => {
  for (let seed = 1; seed <= 10; seed++) {
    expect(check(rows(seed))).toEqual([])
    expect(check(rows(seed, 4))).toEqual([])
    const sorted = rows(seed, 4).toSorted(
      (a, b) => String(a.user).localeCompare(String(b.user)) || String(a.item).localeCompare(String(b.item)),
    )
    expect(check(sorted)).toEqual([])
  }
})
