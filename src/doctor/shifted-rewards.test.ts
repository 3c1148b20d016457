import { expect, it } from 'vitest'
import { drawFrom, examinationOf, type Impression, impressionsOf } from './example-log.js'
import { checkShiftedRewards, dependenceOn } from './shifted-rewards.js'

const rows = (seed: number, rate = (item: number): number => 0.05 + 0.1 * item): Impression[] =>
  impressionsOf(
    {
      users: 100,
      exposures: 20,
      items: 6,
      logging: () => Array.from({ length: 6 }, () => 1 / 6),
      clickRate: (_, item) => rate(item),
    },
    drawFrom(seed),
  )
const moved = (log: readonly Impression[], by: number): Impression[] =>
  log.map((row, k) => ({ ...row, reward: log[(k + by + log.length) % log.length]!.reward }))
const check = (log: readonly Impression[]) => checkShiftedRewards(examinationOf(log))

it('counts by hand: two items, one with 20 clicks in 40 rows, the other with 10', () => {
  const log = Array.from({ length: 80 }, (_, k): Impression => ({
    user: k,
    item: k % 2,
    reward: Math.floor(k / 2) < (k % 2 === 0 ? 20 : 10) ? 1 : 0,
  }))
  // Rate 3/8: each item is 5 clicks from its expectation of 15, and 40 · 3/8 · 5/8 is the variance.
  expect(dependenceOn(examinationOf(log).log, 0)).toEqual({ chi2: (2 * 25) / (40 * (15 / 64)), freedom: 1 })
})

it('finds rewards that slipped down or up by a row, and says how to move them back', () => {
  for (let seed = 1; seed <= 3; seed++) {
    expect(check(moved(rows(seed), -1))).toMatchObject([
      { code: 'rewards-shifted', level: 'problem', lowersTo: 'refuse', numbers: { lag: -1 } },
    ])
    expect(check(moved(rows(seed), 1))).toMatchObject([{ numbers: { lag: 1 } }])
  }
  expect(check(moved(rows(1), -1))[0]!.remedy).toContain('up by one row')
})

it('sees it in amounts and ratings too', () => {
  const stars = rows(4).map((row) => ({ ...row, reward: 3 + 2 * row.reward }))
  expect(check(stars)).toEqual([])
  expect(check(moved(stars, -1))).toHaveLength(1)
})

it('is silent about sound logs, items that do not differ, and items that come in runs', () => {
  for (let seed = 1; seed <= 10; seed++) {
    expect(check(rows(seed))).toEqual([])
    expect(check(rows(seed, () => 0.3))).toEqual([])
    expect(
      check(
        moved(
          rows(seed, () => 0.3),
          -1,
        ),
      ),
    ).toEqual([])
    const runs = rows(seed).toSorted(
      (a, b) => String(a.user).localeCompare(String(b.user)) || String(a.item).localeCompare(String(b.item)),
    )
    expect(check(runs)).toEqual([])
  }
})
