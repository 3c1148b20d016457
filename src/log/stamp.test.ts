import { describe, expect, it } from 'vitest'
import { type Log, takeRows } from './log.js'
import { originOn, stampOf } from './stamp.js'

/** Rows of so many users and items, an hour apart from a start; without times where there is none. */
function logOf(
  rows: number,
  { users = 50, items = 20, start }: { users?: number; items?: number; start?: number } = {},
): Log {
  const of = (count: number, step: number): Uint32Array =>
    Uint32Array.from({ length: rows }, (_, row) => (row * step + (row % 7)) % count)
  return {
    rows,
    user: of(users, 3),
    item: of(items, 11),
    userIds: Array.from({ length: users }, (_, user) => `u${user}`),
    itemIds: Array.from({ length: items }, (_, item) => `i${item}`),
    catalogueKnown: false,
    reward: new Float64Array(rows),
    propensitySource: 'none',
    ...(start !== undefined && {
      time: Float64Array.from({ length: rows }, (_, row) => start + row * 3600e3),
    }),
  }
}

const MARCH = Date.UTC(2026, 2, 1)
const range = (from: number, to: number): Uint32Array =>
  Uint32Array.from({ length: to - from }, (_, k) => from + k)
const march = logOf(3000, { start: MARCH })

describe('the stamp of a log', () => {
  it('is the same whatever the order of rows, the indices of ids and the unit of times', () => {
    const reversed = takeRows(march, range(0, march.rows).reverse())
    const renumbered: Log = {
      ...reversed,
      userIds: march.userIds.toReversed(),
      user: reversed.user.map((user) => march.userIds.length - 1 - user),
      time: reversed.time!.map((at) => at / 1000),
    }
    expect(stampOf(renumbered)).toEqual(stampOf(march))
    expect(stampOf(march)).toMatchObject({
      rows: 3000,
      timed: true,
      from: expect.stringMatching(/^[0-9a-f]{16}$/),
    })
  })

  it('is another where one row is', () => {
    const item = march.item.slice()
    item[17] = (item[17]! + 1) % 20
    expect(stampOf({ ...march, item }).from).not.toBe(stampOf(march).from)
  })

  it('does not depend on rewards, which may be read in another way', () => {
    expect(stampOf({ ...march, reward: march.reward.fill(1) })).toEqual(stampOf(march))
  })
})

describe('where something was made, as seen from a log', () => {
  it('is this log where it was made from its rows, also in part', () => {
    expect(originOn(march, stampOf(march))).toEqual({ made: 'this-log', share: 1 })
    // Made from a part of the log, and from a log that holds it and more.
    const first = takeRows(march, range(0, 1500))
    const part = originOn(march, stampOf(first))
    expect(part.made).toBe('this-log')
    expect(part.share).toBeCloseTo(0.5, 1)
    expect(originOn(first, stampOf(march))).toEqual({ made: 'this-log', share: 1 })
  })

  it('is elsewhere where no row is the same', () => {
    expect(originOn(march, stampOf(logOf(3000, { start: Date.UTC(2027, 2, 1) })))).toEqual({
      made: 'elsewhere',
      share: 0,
    })
    expect(originOn(march, { from: 'another' })).toEqual({ made: 'elsewhere', share: 0 })
  })

  it('is held out where the log is a part and it was made from another', () => {
    const [one, other] = [range(0, 1000), range(1000, 3000)].map((rows) => takeRows(march, rows)) as [
      Log,
      Log,
    ]
    const part = { from: stampOf(one).from, others: [{ from: stampOf(other).from }] }
    expect(originOn(one, { from: stampOf(other).from }, part)).toEqual({ made: 'held-out' })
    // What stands beside the log is about another log by now.
    expect(originOn(takeRows(one, range(0, 900)), stampOf(other), part)).toEqual({
      made: 'elsewhere',
      share: 0,
    })
  })

  it('is not known where rows cannot be told apart', () => {
    const [untimed, again] = [logOf(3000), logOf(2000)]
    expect(originOn(untimed, stampOf(untimed))).toEqual({ made: 'this-log', share: 1 })
    const { made, share } = originOn(untimed, stampOf(again))
    expect([made, share! > 0.5]).toEqual([undefined, true])
    const { time: _, ...withoutTimes } = march
    expect(originOn(withoutTimes, stampOf(march))).toEqual({})
    // Hardly any of so few rows would be in the sample of so many.
    expect(
      originOn(logOf(40, { start: MARCH + 1e9 }), stampOf(logOf(300_000, { users: 5000, start: 0 }))),
    ).toEqual({})
  })
})
