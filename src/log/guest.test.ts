import { expect, it } from 'vitest'
import { guestOf } from './guest.js'
import type { Log } from './log.js'

/** A log whose users have so many rows each. */
function logOf(rowsOfUsers: Readonly<Record<string, number>>, more: Partial<Log> = {}): Log {
  const user = Uint32Array.from(
    Object.values(rowsOfUsers).flatMap((rows, k) => Array.from({ length: rows }, () => k)),
  )
  return {
    rows: user.length,
    user,
    userIds: Object.keys(rowsOfUsers),
    item: new Uint32Array(user.length),
    itemIds: ['x'],
    catalogueKnown: false,
    reward: new Float64Array(user.length),
    propensitySource: 'none',
    ...more,
  }
}
const people = (each: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: 100 }, (_, k) => [`u${k}`, each]))

it('is an id called like no person that has far more rows than anybody', () => {
  for (const id of ['guest', 'ANONYMOUS', 'null', '0', '-1'])
    expect(guestOf(logOf({ ...people(50), [id]: 200 }))).toEqual({ id, by: 'row' })
})

it('is nobody whose rows are those of a person', () => {
  expect(guestOf(logOf({ ...people(50), '0': 199 }))).toBeNull()
  expect(guestOf(logOf({ ...people(1), '0': 99 }))).toBeNull()
  expect(guestOf(logOf({ ...people(100), '0': 200 }))).toBeNull()
  expect(guestOf(logOf({ ...people(50), ada: 2000 }))).toBeNull()
  // The only user but a few: a column of zeros and ones, say.
  expect(guestOf(logOf({ '0': 2000, '1': 300 }))).toBeNull()
  // Fewer than one in fifty.
  expect(guestOf(logOf({ ...people(50), ...Object.fromEntries(Array.from({ length: 200 }, (_, k) => [`v${k}`, 49])), guest: 250 }))).toBeNull() // prettier-ignore
})

it('has rows that hours tell apart where there are some, and pages do not', () => {
  const rows = { ...people(1), guest: 400 }
  const at = (time: number): Partial<Log> => ({ time: new Float64Array(500).fill(time) })
  expect(guestOf(logOf(rows, at(1.76e12)))!.by).toBe('hour')
  expect(guestOf(logOf(rows, at(7)))!.by).toBe('row')
  expect(guestOf(logOf(rows, { slate: new Uint32Array(500), slateIds: ['p'] }))!.by).toBe('user')
})

it('is not looked for among contexts, or where rows stand for several', () => {
  const log = logOf({ ...people(1), '0': 400 })
  expect(guestOf({ ...log, weight: new Float64Array(500).fill(2) })).toBeNull()
  expect(guestOf({ ...log, contexts: { index: log.user, user: log.user } as never })).toBeNull()
})
