import { describe, expect, it } from 'vitest'
import { type Draw, drawFrom, examinationOf, type Impression, softmax } from './example-log.js'
import { checkTiredUsers, repeatedShows } from './tired-users.js'

const ITEMS = 12
const DAY = 86_400_000
const start = Date.UTC(2024, 0, 1)

/** What a row depends on: how often its item was shown to the user before, how many rows the user had, and how many days have passed. */
interface Situation {
  readonly shown: number
  readonly rows: number
  readonly days: number
  readonly item: number
}

/**
 * Users who come one after another, with tastes that a personal logger knows, for 20 rows each over some days;
 * `learns` multiplies the logger's preference for an item whenever it was clicked.
 */
function drawn(seed: number, factor: (situation: Situation) => number, learns = 1): Impression[] {
  const draw: Draw = drawFrom(seed)
  const rates = Array.from({ length: ITEMS }, () => 0.1 + 0.3 * draw())
  const rows = Array.from({ length: 500 }, (_, user) => {
    const tastes = rates.map(() => 2 * draw() - 1)
    const liking = tastes.slice()
    const shown = rates.map(() => 0)
    return Array.from({ length: 20 }, (__, k): Impression => {
      const days = (28 * user) / 500 + (3 * k) / 20
      const b = softmax(liking)
      let [item, rest] = [0, draw()]
      while (item < ITEMS - 1 && (rest -= b[item]!) >= 0) item++
      const situation = { shown: shown[item]!, rows: k, days, item }
      const clicked = draw() < rates[item]! * (1 + 0.8 * tastes[item]!) * factor(situation)
      shown[item]!++
      if (clicked) liking[item]! += Math.log(learns)
      return { user, item, reward: clicked ? 1 : 0, propensity: b[item]!, time: start + days * DAY }
    })
  }).flat()
  return rows.toSorted((a, b) => a.time! - b.time!)
}

const check = (rows: readonly Impression[]) => checkTiredUsers(examinationOf(rows))

it('counts by hand: one user, an item shown three times', () => {
  const rows = [
    { item: 'a', reward: 1, propensity: 0.5 },
    { item: 'b', reward: 0, propensity: 0.5 },
    { item: 'a', reward: 0, propensity: 0.25 },
    { item: 'a', reward: 1, propensity: 0.1 },
  ].map((row, k): Impression => ({ user: 1, time: k, ...row }))
  const { log } = examinationOf(rows)
  // b_first/b_later is 2, and 5.
  expect(repeatedShows(log, log.propensity!)).toMatchObject({ pairs: 2, users: 1, before: 7 })
})

it('finds users who tire of what they have seen', () => {
  for (let seed = 1; seed <= 5; seed++) {
    const [finding] = check(drawn(seed, ({ shown }) => 0.6 ** shown))
    expect(finding).toMatchObject({ code: 'users-tire', lowersTo: 'caution' })
    expect(finding!.seen).toMatch(
      /^When an item is shown to a user again, it is clicked about \d\d(\.\d)? % less often/,
    )
  }
})

describe('suspects nothing', () => {
  const same = (): number => 1
  const kinds: Record<string, (seed: number) => Impression[]> = {
    'where rates stay as they are': (seed) => drawn(seed, same),
    'where the logger shows more of what was clicked': (seed) => drawn(seed, same, 3),
    'where the logger shows less of what was clicked': (seed) => drawn(seed, same, 0.3),
    'where users tire of everything alike': (seed) => drawn(seed, ({ rows }) => 0.93 ** rows),
    'where items age for everybody': (seed) => drawn(seed, ({ days, item }) => 0.93 ** (days * (item % 3))),
    'where active users click more': (seed) =>
      drawn(seed, same)
        .map((row, k) =>
          Number(row.user) % 10 === 0 ? { ...row, user: 'few', reward: k % 3 === 0 ? 0 : 1 } : row,
        )
        .map((row, k) => (row.user === 'few' ? { ...row, user: `few ${k % 40}` } : row)),
    'where days differ': (seed) => drawn(seed, ({ days }) => (Math.floor(days) % 7 < 5 ? 0.6 : 1.2)),
  }
  it.each(Object.entries(kinds))('%s', (_, kind) => {
    for (let seed = 1; seed <= 8; seed++) expect(check(kind(seed))).toEqual([])
  })
})
