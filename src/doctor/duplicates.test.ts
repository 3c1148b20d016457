import { describe, expect, it } from 'vitest'
import { checkDuplicates } from './duplicates.js'
import { drawFrom, examinationOf, impressionsOf, toyLog, toyWorld, type Impression } from './example-log.js'

const check = (rows: readonly Impression[]) => checkDuplicates(examinationOf(rows))
const duplicated = { code: 'duplicated-impressions', level: 'problem' }
const timed = (row: Impression, k: number): Impression => ({ ...row, time: 1.5e12 + 977 * k })
/** Copies every tenth row to the place after it. */
const copyTenth = (rows: readonly Impression[]): Impression[] =>
  rows.flatMap((row, k) => (k % 10 === 0 ? [row, row] : [row]))

describe('with times', () => {
  it('a single copy is found, at its row', () => {
    const rows = toyLog(timed)
    rows.splice(1234, 0, rows[1233]!)
    expect(check(rows)).toMatchObject([{ ...duplicated, rows: [1234], numbers: { copies: 1 } }])
  })

  it('copies are found among times that count the rows', () => {
    expect(check(copyTenth(toyLog((row, k) => ({ ...row, time: k }))))).toMatchObject([duplicated])
  })

  it('copies are found without propensities', () => {
    const rows = toyLog(timed).map(({ user, item, reward, time }) => ({ user, item, reward, time: time! }))
    expect(check(rows)).toEqual([])
    expect(check(copyTenth(rows))).toMatchObject([{ ...duplicated, rows: [1, 12, 23, 34, 45] }])
  })

  it('repeats on one day are no copies', () => {
    const world = {
      users: 50,
      exposures: 40,
      items: 5,
      logging: () => [0.4, 0.3, 0.1, 0.1, 0.1],
      clickRate: () => 0.2,
    }
    const rows = impressionsOf(world, drawFrom(1)).map((row, k) => ({ ...row, time: 86_400_000 * (k % 3) }))
    expect(check(rows)).toEqual([])
    const byDay = toyLog((row, k) => ({ ...row, time: k % 2 }))
    expect(check(byDay)).toEqual([])
    expect(check(copyTenth(byDay))).toMatchObject([duplicated])
  })
})

it('a slate and a position identify an impression', () => {
  const rows = Array.from({ length: 300 }, (_, k) => ({
    user: k % 7,
    item: (k * 5) % 11,
    reward: k % 2,
    slate: Math.floor(k / 3),
    position: k % 3,
  }))
  expect(check(rows)).toEqual([])
  expect(check([...rows, rows[17]!])).toMatchObject([{ ...duplicated, rows: [300] }])
})

describe('without times', () => {
  it('repeated exposures that the propensities explain are fine', () => {
    for (let seed = 1; seed <= 50; seed++) {
      expect(check(impressionsOf(toyWorld({ users: 50, exposures: 100 }), drawFrom(seed)))).toEqual([])
    }
  })

  it('repeats beyond that are a problem', () => {
    for (let seed = 1; seed <= 20; seed++)
      expect(check(copyTenth(toyLog((row) => row, seed)))).toMatchObject([duplicated])
  })

  it('without propensities, only adjacent copies and a doubled file are seen', () => {
    const rows = toyLog().map(({ user, item, reward }) => ({ user, item, reward }))
    expect(check(rows)).toEqual([])
    expect(check(copyTenth(rows))).toMatchObject([duplicated])
    expect(check([...rows, ...rows.slice(0, 500)])).toEqual([])
    expect(check([...rows, ...rows])).toMatchObject([
      { ...duplicated, rows: [5000, 5001, 5002, 5003, 5004], numbers: { copies: 5000 } },
    ])
  })
})

it('a log of one item may repeat itself', () => {
  expect(check(Array.from({ length: 20 }, () => ({ user: 1, item: 1, reward: 0 })))).toEqual([])
})

describe('pairs of one item, worked out by hand', () => {
  /** 100 users who saw one item twice, of propensity 1/100. */
  const twice: Impression[] = Array.from({ length: 200 }, (_, k) => ({
    user: k >> 1,
    item: (k >> 1) % 50,
    reward: 0,
    propensity: 0.01,
  }))

  it('are compared with Σ (n − 1)·b', () => {
    expect(check(twice)).toMatchObject([
      {
        ...duplicated,
        rows: [1, 3, 5, 7, 9],
        numbers: { copies: 100, pairs: 200, expectedPairs: expect.closeTo(2, 12), rows: 200 },
      },
    ])
  })

  it('may be as many as the propensities say, and half as many again', () => {
    const of = (propensity: number): Impression[] => twice.map((row) => ({ ...row, propensity }))
    // 200 pairs: 2 · 100 · b are expected, and all 6√(1600 · 2b² + 800 · b) of chance added.
    expect(check(of(0.3))).toHaveLength(1)
    // That a user is never shown anything else is another matter.
    expect(check(of(0.7))).toMatchObject([{ code: 'shown-again-too-often' }])
  })

  it('are not counted where rows are thinned', () => {
    const { log, mapping } = examinationOf(twice)
    const weight = new Float64Array(log.rows).fill(1)
    expect(checkDuplicates({ log: { ...log, weight }, mapping })).toEqual([])
  })

  it('are as many as chance may give where a user has many rows', () => {
    // Of 100 rows, 56 of one item of five: 3520 pairs for 99 · 20, within 6√(4 · 100² · 4 + 2 · 100 · 20) = 2430.
    const rows = Array.from({ length: 100 }, (_, k) => ({
      user: 1,
      item: k < 56 ? 0 : 1 + (k % 4),
      reward: 0,
      propensity: 0.2,
    }))
    expect(check(rows)).toEqual([])
  })

  it('are named by the first of them, whichever user they are of', () => {
    const firsts = twice.filter((_, k) => k % 2 === 0).slice(0, 12)
    expect(check([...firsts, ...firsts.toReversed()])[0]!.rows).toEqual([12, 13, 14, 15, 16])
  })

  it('are ten at least', () => {
    expect(check(twice.slice(0, 10))).toEqual([])
    expect(check(twice.slice(0, 12))).toHaveLength(1)
  })
})

describe('a doubled file', () => {
  const once: Impression[] = Array.from({ length: 30 }, (_, k) => ({
    user: k,
    item: (7 * k) % 30,
    reward: k % 2,
  }))

  it('is one of which every column repeats', () => {
    expect(check([...once, ...once])).toMatchObject([
      { ...duplicated, rows: [30, 31, 32, 33, 34], numbers: { copies: 30, rows: 60 } },
    ])
    expect(check([...once, ...once.with(29, { ...once[29]!, reward: 0 })])).toEqual([])
    expect(check([...once, ...once.with(0, { ...once[0]!, item: 29 })])).toEqual([])
    expect(check([...once, ...once.slice(1)])).toEqual([])
  })

  it('may be short or of one item, unless it goes back in time', () => {
    expect(check([...once.slice(0, 4), ...once.slice(0, 4)])).toEqual([])
    const ofOneItem = (time: (k: number) => number): Impression[] =>
      Array.from({ length: 20 }, (_, k) => ({ user: k % 10, item: 1, reward: 0, time: time(k) }))
    expect(check(ofOneItem((k) => k % 10))).toMatchObject([{ numbers: { copies: 10 } }])
    expect(check(ofOneItem(() => 5))).toEqual([])
    // It ends where it begins.
    expect(check(ofOneItem((k) => (k % 10 === 9 ? 0 : k % 2)))).toEqual([])
  })
})

describe('times that tell impressions apart', () => {
  /** 40 rows a second apart, of two users in turn, one of a third a millisecond after the first, and copies. */
  const rows = (items: number, copies: number): Impression[] => {
    const seconds = Array.from({ length: 40 }, (_, k) => ({
      user: k % 2,
      item: k % items,
      reward: 0,
      time: 1000 * k,
    }))
    return [...seconds, { user: 2, item: 0, reward: 0, time: 1 }, ...seconds.slice(7, 7 + copies)]
  }

  it('make rows of one user, item and time copies where chance would not', () => {
    // No row of a user follows another within ten milliseconds: a tenth of a meeting is expected, of any items.
    // Of one item it is 0.1/40, or 0.1/10: one copy is too many for the first, and may be chance for the second.
    expect(check(rows(40, 1))).toMatchObject([
      { ...duplicated, rows: [41], numbers: { copies: 1, pairs: 2 } },
    ])
    expect(check(rows(10, 1))).toEqual([])
    expect(check(rows(10, 2))).toMatchObject([{ rows: [41, 42], numbers: { copies: 2, pairs: 4 } }])
  })

  it('do not where users often meet within ten ticks', () => {
    // Without the row in between a tick is a second, and all rows of a user follow within ten.
    const coarse = rows(40, 1).filter(({ user }) => user !== 2)
    expect(check(coarse)).toEqual([])
  })

  it('do not where other items share a time as often', () => {
    const meeting = rows(40, 1).map((row, k) => (k % 4 < 2 ? { ...row, time: 0 } : row))
    expect(check(meeting)).toEqual([])
  })

  it('are ten at least', () => {
    expect(check([...rows(40, 0).slice(0, 8), rows(40, 0)[3]!])).toEqual([])
  })
})

it('a short log may repeat itself, even back in time', () => {
  const rows = (length: number): Impression[] =>
    Array.from({ length }, (_, k) => ({ user: k % (length / 2), item: 1, reward: 0, time: k % (length / 2) }))
  expect(check(rows(8))).toEqual([])
  expect(check(rows(10))).toHaveLength(1)
})
