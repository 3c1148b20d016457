import { describe, expect, it } from 'vitest'
import { drawFrom, examinationOf, type Impression } from './example-log.js'
import { checkFilteredUsers, missingUsers } from './filtered-users.js'

/** Users of `rows` rows each, whose first rows are clicked: as many users with 0, 1, 2 and 3 clicks as given. */
const usersWith = (rows: number, counts: readonly number[]): Impression[] =>
  counts.flatMap((count, clicks) =>
    Array.from({ length: count }, (_, u) =>
      Array.from({ length: rows }, (__, k): Impression => ({
        user: `${clicks}-${u}`,
        item: k,
        reward: k < clicks ? 1 : 0,
      })),
    ).flat(),
  )

/** Clicks of users with rates of their own; some users have far more rows than others. */
function drawn(seed: number, rate: (draw: () => number) => number, most = 12): Impression[] {
  const draw = drawFrom(seed)
  return Array.from({ length: 500 }, (_, u) => {
    const own = rate(draw)
    const rows = 2 + Math.floor(most * draw() ** 4)
    return Array.from({ length: rows }, (): Impression => ({
      user: u,
      item: 1,
      reward: draw() < own ? 1 : 0,
    }))
  }).flat()
}
const clickers = (rows: readonly Impression[]): Impression[] => {
  const clicked = new Set(rows.filter(({ reward }) => reward > 0).map(({ user }) => user))
  return rows.filter(({ user }) => clicked.has(user))
}

it('counts by hand: 40 users of one click and 20 of two, of four rows each, imply at least 27', () => {
  // 3/4 · 40 · 39/(2 · 21)
  const found = missingUsers(examinationOf(usersWith(4, [0, 40, 20, 6])).log)!
  expect(found.seen).toBe(0)
  expect(found.least).toBeCloseTo((0.75 * 40 * 39) / 42, 12)
})

it('never implies more users without a click than there are, whatever the spread of rates', () => {
  const spreads = [
    () => 0.2,
    (draw: () => number) => draw() ** 3,
    (draw: () => number) => (draw() < 0.5 ? 0.02 : 0.6),
  ]
  for (const rate of spreads)
    for (let seed = 1; seed <= 5; seed++) {
      const { seen, least, standardError } = missingUsers(examinationOf(drawn(seed, rate)).log)!
      expect(least).toBeLessThan(seen + 3 * standardError)
      expect(checkFilteredUsers(examinationOf(drawn(seed, rate, 200)))).toEqual([])
    }
})

describe('a log of clickers alone', () => {
  it('is found', () => {
    for (let seed = 1; seed <= 5; seed++)
      expect(checkFilteredUsers(examinationOf(clickers(drawn(seed, () => 0.2))))).toMatchObject([
        { code: 'users-filtered', level: 'problem', lowersTo: 'caution', numbers: { seen: 0 } },
      ])
  })

  it('is not suspected where every user clicks often', () => {
    expect(checkFilteredUsers(examinationOf(clickers(drawn(1, () => 0.9))))).toEqual([])
  })
})

it('says nothing where clicks of a user exclude each other', () => {
  expect(checkFilteredUsers(examinationOf(usersWith(6, [0, 100, 60, 40])))).toHaveLength(1)
  expect(checkFilteredUsers(examinationOf(usersWith(6, [0, 100, 60, 0])))).toEqual([])
})
