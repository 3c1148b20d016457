import { describe, expect, it } from 'vitest'
import { type Draw, drawFrom, examinationOf, type Impression, softmax, without } from './example-log.js'
import { checkPreviousRow, previousRow } from './previous-row.js'

const ITEMS = 10
const start = Date.UTC(2024, 0, 1)

/** A user whose rows are drawn: what the logger likes to show next, and the items shown so far with their clicks. */
interface Visitor {
  readonly liking: number[]
  readonly shown: number[]
}

/** 600 users with tastes that the logger half knows, 15 rows each, in the order of time; `rate` and `react` see what came before. */
function drawn(
  seed: number,
  rate: (own: number, before: number, place: number) => number = (own) => own,
  react: (visitor: Visitor, item: number, clicked: boolean) => void = () => {},
): Impression[] {
  const draw: Draw = drawFrom(seed)
  const rates = Array.from({ length: ITEMS }, (_, item) => 0.04 + 0.03 * item)
  return Array.from({ length: 600 }, (_, user) => {
    const tastes = rates.map(() => 2 * draw() - 1)
    const visitor: Visitor = { liking: tastes.slice(), shown: [] }
    return Array.from({ length: 15 }, (__, k): Impression => {
      const b = softmax(visitor.liking)
      let [item, rest] = [0, draw()]
      while (item < ITEMS - 1 && (rest -= b[item]!) >= 0) item++
      const own = rates[item]! * (1 + 0.8 * tastes[item]!)
      const before = rates[visitor.shown.at(-1) ?? ITEMS / 2]!
      const clicked = draw() < rate(own, before, k)
      visitor.shown.push(item)
      react(visitor, item, clicked)
      return {
        user,
        item,
        reward: clicked ? 1 : 0,
        propensity: b[item]!,
        time: start + 60_000 * (15 * user + k),
      }
    })
  }).flat()
}

/** A share of the clicks credited to the next row of the user. */
function creditedToNext(rows: readonly Impression[], share: number, draw: Draw): Impression[] {
  const credited = rows.map((row) => ({ ...row, reward: 0 }))
  rows.forEach(({ user, reward }, k) => {
    const isMoved = rows[k + 1]?.user === user && draw() < share
    if (reward > 0) credited[k + (isMoved ? 1 : 0)]!.reward = 1
  })
  return credited
}

const check = (rows: readonly Impression[]) => checkPreviousRow(examinationOf(rows))

it('is, of two users by hand, Σ (e_k s_j − e_j s_k) over Σ s²', () => {
  // Items a and b with click rates ½ and 0, the mean rate ¼ smoothed in: s = ± x about the mean of each user.
  const shown = ['a', 'b', 'b', 'a']
  const rows = shown.map((item, k): Impression => ({ user: k >> 1, item, reward: k === 3 ? 1 : 0 }))
  const { pairs, users, share } = previousRow(examinationOf(rows).log)
  // The first user has a, then b, without a click: e = −¼ and ¼ about their mean. The second b, then a with one: −¼ and ¼.
  const x = (1 + 20 / 4) / 22 - 20 / 4 / 22
  const [first, second] = [0.25 * (x / 2) - -0.25 * (-x / 2), 0.25 * (-x / 2) - -0.25 * (x / 2)]
  expect([pairs, users]).toEqual([2, 2])
  expect(share).toBeCloseTo((first + second) / (2 * (x / 2) ** 2), 12)
})

it('finds clicks that are credited to the next impression', () => {
  for (let seed = 1; seed <= 5; seed++) {
    const [finding] = check(creditedToNext(drawn(seed), 0.5, drawFrom(seed + 100)))
    expect(finding).toMatchObject({ code: 'previous-row-matters', lowersTo: 'caution' })
    expect(finding!.numbers.standardErrors).toBeGreaterThan(3.5)
    expect(finding!.seen).toMatch(/^What a row earns depends on the item that the user was shown before it/)
  }
})

it('finds items that raise what the next one earns', () => {
  for (let seed = 1; seed <= 5; seed++)
    expect(check(drawn(seed, (own, before) => (own * before) / 0.17))).toHaveLength(1)
})

describe('suspects nothing', () => {
  const same = (own: number): number => own
  const kinds: Record<string, (seed: number) => Impression[]> = {
    'where rows earn by themselves': (seed) => drawn(seed),
    'where the logger shows more of what was clicked': (seed) =>
      drawn(seed, same, ({ liking }, item, clicked) => (liking[item]! += clicked ? 1 : -0.1)),
    'where the logger repeats nothing at once': (seed) =>
      drawn(seed, same, ({ liking, shown }, item) => {
        const last = shown.at(-2)
        if (last !== undefined) liking[last]! += 2
        liking[item]! -= 2
      }),
    'where the best is shown first and users tire of everything': (seed) =>
      drawn(
        seed,
        (own, _, place) => own * 0.95 ** place,
        ({ liking }) => liking.forEach((__, a) => (liking[a]! -= 0.03 * a)),
      ),
    'where rows are sorted by outcome': (seed) =>
      drawn(seed)
        .map((row) => without(row, 'time'))
        .toSorted((a, b) => a.reward - b.reward),
  }
  it.each(Object.entries(kinds))('%s', (_, kind) => {
    for (let seed = 1; seed <= 8; seed++) expect(check(kind(seed))).toEqual([])
  })
})
