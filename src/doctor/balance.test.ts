import { describe, expect, it } from 'vitest'
import { checkBalance } from './balance.js'
import {
  drawFrom,
  examinationOf,
  type Impression,
  impressionsOf,
  softmax,
  toyWorld,
  without,
} from './example-log.js'

const logging = softmax(Array.from({ length: 10 }, (_, item) => item / 3))
const world = { users: 200, exposures: 10, items: 10, logging: () => logging, clickRate: () => 0.2 }
const sound = (seed: number): Impression[] => impressionsOf(world, drawFrom(seed))
const check = (rows: readonly Impression[]) => checkBalance(examinationOf(rows))

it('counts by hand: an item in 40 of 100 rows with a propensity of 1/10', () => {
  const rows = Array.from({ length: 100 }, (_, k): Impression => {
    const item = k % 5 < 2 ? 'a' : `b${k % 3}`
    return { user: `u${k % 60}`, item, reward: 0, propensity: item === 'a' ? 0.1 : 0.3 }
  })
  expect(check(rows)).toMatchObject([
    {
      code: 'item-balance',
      level: 'problem',
      lowersTo: 'refuse',
      numbers: { shown: 40, rows: 100, expected: 10, ratio: 4, items: 1, shift: 0 },
      rows: [0, 1, 5, 6, 10],
    },
  ])
  expect(check(rows)[0]!.seen).toBe('Item a was shown in 40 of 100 rows; its propensities imply about 10.')
})

describe('finds propensities', () => {
  it('that were shuffled', () => {
    const rows = sound(1)
    const order = rows.map((_, k) => (k * 7919) % rows.length)
    expect(check(rows.map((row, k) => ({ ...row, propensity: rows[order[k]!]!.propensity! })))).toMatchObject(
      [{ code: 'item-balance', numbers: { shift: 0 } }],
    )
  })

  it('that slipped by a row, and says which way', () => {
    const rows = sound(2)
    const moved = (by: number): Impression[] =>
      rows.map((row, k) => ({ ...row, propensity: rows[(k + by + rows.length) % rows.length]!.propensity! }))
    expect(check(moved(-1))).toMatchObject([{ code: 'item-balance', numbers: { shift: -1 } }])
    expect(check(moved(1))).toMatchObject([{ code: 'item-balance', numbers: { shift: 1 } }])
    expect(check(moved(-1))[0]!.remedy).toContain('row above')
  })

  it('that are the average of a logger that changed, by tenths of time', () => {
    const draw = drawFrom(3)
    const item = (first: number): string => (draw() < first ? 'a' : 'b')
    const rows = Array.from({ length: 3000 }, (_, k): Impression => ({
      user: `u${k % 300}`,
      item: item(0.2 + (0.6 * k) / 3000),
      reward: 0,
      propensity: 0.5,
      time: 1e12 + 60_000 * k,
    }))
    expect(check(rows)).toMatchObject([{ code: 'balance-by-time', level: 'problem' }])
    // Without times, the order of the file stands for them.
    expect(check(rows.map((row) => without(row, 'time')))).toMatchObject([{ code: 'balance-by-time' }])
  })

  it('that are the average over hours, or over days of the week', () => {
    const draw = drawFrom(5)
    const rows = (first: (hour: number) => number): Impression[] =>
      Array.from({ length: 8000 }, (_, k): Impression => {
        const hour = Math.floor(k / 12)
        return {
          user: `u${k % 800}`,
          item: draw() < first(hour) ? 'a' : 'b',
          reward: 0,
          propensity: 0.5,
          // A Monday, and four weeks of hours.
          time: Date.UTC(2024, 0, 1) + 3_600_000 * hour,
        }
      })
    const byHour = check(rows((hour) => (hour % 24 < 12 ? 0.7 : 0.3)))
    expect(byHour).toMatchObject([{ code: 'balance-by-time', lowersTo: 'refuse' }])
    expect(byHour[0]!.seen).toMatch(/^From \d+:00 to \d+:00 UTC, item [ab] was shown/)
    const byDay = check(
      rows((hour) =>
        Math.floor(hour / 24) % 2 === 0 ? 0.5 : [0.7, 0.3][Math.floor(hour / 24) % 7 < 3 ? 0 : 1]!,
      ),
    )
    expect(byDay).toMatchObject([{ code: 'balance-by-time' }])
    expect(check(rows(() => 0.5))).toEqual([])
  })

  it('that do not fit one position', () => {
    const draw = drawFrom(4)
    const rows = Array.from({ length: 4000 }, (_, k): Impression => {
      const position = 1 + (k % 2)
      return {
        user: `u${k % 400}`,
        item: draw() < (position === 1 ? 0.8 : 0.2) ? 'a' : 'b',
        reward: 0,
        propensity: 0.5,
        slate: Math.floor(k / 2),
        position,
      }
    })
    expect(check(rows)).toMatchObject([{ code: 'balance-by-position', level: 'problem' }])
    expect(check(rows)[0]!.seen).toMatch(/^At position [12], item/)
  })
})

describe('is silent', () => {
  it('about sound logs, with as many items as rows or with few', () => {
    for (let seed = 1; seed <= 20; seed++) {
      expect(check(sound(seed))).toEqual([])
      expect(check(impressionsOf(toyWorld({ users: 200 }), drawFrom(seed)))).toEqual([])
    }
  })

  it('about items that come and go', () => {
    const draw = drawFrom(6)
    const rows = Array.from({ length: 4000 }, (_, k): Impression => ({
      user: `u${k % 300}`,
      item: `${Math.floor(k / 500)}-${Math.floor(4 * draw())}`,
      reward: 0,
      propensity: 0.25,
      time: k,
    }))
    expect(check(rows)).toEqual([])
  })

  it('about a file sorted by item or by outcome, whose order is not that of time', () => {
    for (let seed = 1; seed <= 5; seed++) {
      const rows = impressionsOf({ ...world, clickRate: (_, item) => 0.05 * item }, drawFrom(seed))
      expect(
        check(rows.toSorted((a, b) => Number(String(a.item).slice(1)) - Number(String(b.item).slice(1)))),
      ).toEqual([])
      expect(check(rows.toSorted((a, b) => b.reward - a.reward))).toEqual([])
    }
  })

  it('where one draw is shown to the same user again and again', () => {
    for (let seed = 1; seed <= 10; seed++) {
      const repeated = sound(seed).flatMap((row) => Array.from({ length: 10 }, () => row))
      expect(check(repeated)).toEqual([])
    }
  })

  it('where propensities are not probabilities', () => {
    expect(check(sound(1).map((row) => ({ ...row, propensity: 50 * row.propensity! })))).toEqual([])
  })
})
