import { expect, it } from 'vitest'
import type { Log } from '../../log/log.js'
import { HOUR, drawLog, findFault, judgeLog, keepRows, withRewards } from '../example-log.js'

const { log } = drawLog({ seed: 9, users: 300 })

it('finds users who clicked in every row', async () => {
  const robot = (row: number): boolean => log.user[row]! % 20 === 0
  const found = await findFault(
    'users-click-everything',
    keepRows(log, (row) => !robot(row)),
    withRewards(log, (row) => (robot(row) ? 1 : log.reward[row]!)),
  )
  expect(found!.level).not.toBe('note')
  expect(Math.abs(found!.left)).toBeLessThan(0.05 * found!.off)
})

it('says nothing where most users do', async () => {
  const { log: keen } = drawLog({ seed: 9, users: 300, chance: (_, { user }) => (user % 4 === 0 ? 0.1 : 1) })
  expect((await judgeLog(keen)).reasons).toEqual([])
})

it('notes one user with a large share of the rows, whom the interval allows for', async () => {
  const guest = { ...log, user: log.user.map((user, row) => (row % 4 === 0 ? 0 : user)) }
  const found = (await judgeLog(guest)).reasons.find(({ code }) => code === 'one-user-dominates')
  expect(found).toMatchObject({ level: 'note' })
  expect(found!.value).toBeCloseTo(0.25, 1)
})

it('names an id that is no person, whose rows count by hour', async () => {
  const [guest, ...others] = log.userIds
  const guests = (id: string): Log => ({
    ...log,
    user: log.user.map((user, row) => (row % 4 === 0 ? 0 : user)),
    userIds: [id, ...others],
  })
  const [named, person] = [await judgeLog(guests('Guest')), await judgeLog(guests(guest!))]
  const { level, message } = named.reasons.find(({ code }) => code === 'one-user-dominates')!
  expect(level).toBe('note')
  expect(message).toMatch(
    /^The id “Guest” is no person and has 25 % of the rows, which count by hour, not as one user\. Repaired, without it, the answer would be 0\.\d+ instead of 0\.\d+: .* of its margin of error\. A guest who comes back in another hour counts as another\.$/,
  )
  // The interval is nearly that of guests who come once, each with an id.
  const hours = log.time!.map((time) => Math.floor(time / HOUR))
  const once = { ...guests('Guest'), userIds: [...log.userIds, ...Array.from(new Set(hours), String)] }
  const placeOf = new Map(Array.from(new Set(hours), (hour, k) => [hour, log.userIds.length + k]))
  const single = {
    ...once,
    user: once.user.map((user, row) => (user === 0 ? placeOf.get(hours[row]!)! : user)),
  }
  expect(named.half).toBeCloseTo((await judgeLog(single)).half, 12)
  expect(named.half).toBeLessThan(person.half)
})
