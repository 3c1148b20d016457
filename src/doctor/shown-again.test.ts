import { describe, expect, it } from 'vitest'
import { type Draw, drawFrom, examinationOf, type Impression, softmax, without } from './example-log.js'
import { checkShownAgain } from './shown-again.js'

const ITEMS = 15

interface Shop {
  readonly users?: number
  /** b(·) that items are drawn by, and that which is logged. */
  readonly drawnBy?: (user: number) => readonly number[]
  readonly logged?: (user: number) => readonly number[]
}

const popular = softmax(Array.from({ length: ITEMS }, (_, a) => Math.cos(3 * a)))
/** Two kinds of users, who like opposite items. */
const segments = [1, -1].map((side) =>
  softmax(Array.from({ length: ITEMS }, (_, a) => Math.cos(3 * a) + side * Math.sin(5 * a))),
)
const average = segments[0]!.map((b, a) => (b + segments[1]![a]!) / 2)

/** Six impressions for each user, a fifth of them clicked, in the order of their times. */
function shop(
  draw: Draw,
  { users = 900, drawnBy = () => popular, logged = drawnBy }: Shop = {},
): Impression[] {
  return Array.from({ length: 6 * users }, (_, k): Impression => {
    const user = k % users
    const item = pick(drawnBy(user), draw)
    const reward = draw() < 0.1 + 0.2 * (item % 2) ? 1 : 0
    return { user, item, reward, propensity: logged(user)[item]!, time: 1.7e12 + 60_000 * k }
  })
}

function pick(probabilities: readonly number[], draw: Draw): number {
  let rest = draw()
  for (let a = 0; a < ITEMS - 1; a++) if ((rest -= probabilities[a]!) < 0) return a
  return ITEMS - 1
}

/** Three in ten of the rows with a click once more, seconds later. */
const retried = (rows: readonly Impression[], draw: Draw): Impression[] =>
  rows
    .flatMap((row) =>
      row.reward > 0 && draw() < 0.3
        ? [row, { ...row, time: row.time! + 1000 + Math.floor(4000 * draw()) }]
        : [row],
    )
    .toSorted((a, b) => a.time! - b.time!)

/** The same rows in another order, without times. */
const shuffled = (rows: readonly Impression[], draw: Draw): Impression[] =>
  rows
    .map((row) => ({ row: without(row, 'time'), place: draw() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ row }) => row)

const check = (rows: readonly Impression[]) => checkShownAgain(examinationOf(rows))

describe('rows of clicks that are sent twice', () => {
  it('are found by their times and without them', () => {
    const draw = drawFrom(3)
    const rows = retried(shop(draw), draw)
    for (const log of [rows, shuffled(rows, draw)]) {
      const [found] = check(log)
      expect(found).toMatchObject({ code: 'clicks-sent-twice', level: 'problem', lowersTo: 'caution' })
      expect(found!.numbers['copied']).toBeGreaterThan(0.1)
      expect(found!.numbers['copied']).toBeLessThan(0.4)
      expect(found!.seen).toMatch(
        /^After a click, .* About \d\d(\.\d)? % of the clicks seem to be recorded twice\.$/,
      )
    }
  })

  it('come with rows that were clicked before', () => {
    const draw = drawFrom(4)
    const rows = retried(shop(draw), draw)
    const [found] = check(rows)
    expect(found!.rows).toHaveLength(5)
    for (const row of found!.rows) {
      const { user, item, reward } = rows[row]!
      expect(reward).toBe(1)
      expect(rows.slice(0, row).some((one) => one.user === user && one.item === item && one.reward > 0)).toBe(
        true,
      )
    }
  })
})

describe('propensities averaged over users who are shown different things', () => {
  const averagedRows = (draw: Draw): Impression[] =>
    shop(draw, { drawnBy: (user) => segments[user % 2]!, logged: () => average })

  it('are found, with times and without', () => {
    const draw = drawFrom(5)
    const rows = averagedRows(draw)
    for (const log of [rows, shuffled(rows, draw)]) {
      const [found] = check(log)
      expect(found).toMatchObject({
        code: 'shown-again-too-often',
        lowersTo: 'caution',
        column: 'propensity',
      })
      const expected = average.reduce(
        (sum, b, a) => sum + (segments[0]![a]! ** 2 + segments[1]![a]! ** 2) / 2 - b * b,
        0,
      )
      expect(found!.numbers['ratio']).toBeGreaterThan(1 + expected)
    }
  })

  it('are no fault where they are logged as they were', () => {
    for (let seed = 1; seed <= 8; seed++)
      expect(check(shop(drawFrom(seed), { drawnBy: (user) => segments[user % 2]! }))).toEqual([])
  })
})

it('says nothing of weighted rows, of few users, or without propensities', () => {
  const draw = drawFrom(6)
  const { log } = examinationOf(retried(shop(draw), draw))
  const found = (changes: object) => checkShownAgain({ log: { ...log, ...changes }, mapping: {} })
  expect(found({})).toHaveLength(1)
  expect(found({ weight: new Float64Array(log.rows).fill(2) })).toEqual([])
  expect(found({ propensitySource: 'assumed' })).toEqual([])
  expect(check(retried(shop(draw, { users: 20 }), draw))).toEqual([])
})

it('does not mind a logger that shows again what was clicked, or shows nothing twice', () => {
  for (const boost of [1.5, -Infinity])
    for (let seed = 1; seed <= 5; seed++) {
      const draw = drawFrom(seed)
      const clicked = new Map<number, Set<number>>()
      const rows = Array.from({ length: 4000 }, (_, k): Impression => {
        const user = Math.floor(500 * draw())
        const before = clicked.get(user) ?? new Set()
        clicked.set(user, before)
        const b = softmax(popular.map((share, a) => Math.log(share) + (before.has(a) ? boost : 0)))
        const item = pick(b, draw)
        const reward = draw() < 0.2 ? 1 : 0
        if (reward > 0 && before.size < ITEMS - 1) before.add(item)
        return { user, item, reward, propensity: b[item]!, time: k }
      })
      expect(check(rows)).toEqual([])
      expect(check(rows.toReversed().map((row) => without(row, 'time')))).toEqual([])
    }
})
