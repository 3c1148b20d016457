import { describe, expect, it } from 'vitest'
import {
  DAY,
  drawLog,
  findFault,
  HOUR,
  judgeLog,
  keepRows,
  largestReward,
  type World,
  withRewards,
} from '../example-log.js'

const drawn = (world: Partial<World> = {}) => drawLog({ seed: 3, visit: 6, ...world })
const { log, visits } = drawn()
const user = (row: number): number => log.user[row]!
const userAnd =
  (length: number) =>
  (row: number): string =>
    `${user(row)} ${Math.floor(log.time![row]! / length)}`

describe('a reward on every row of a group', () => {
  it.each([
    ['visits', (row: number) => visits[row]!],
    ['users’ hours', userAnd(HOUR)],
  ])('is found for %s', async (driver, group) => {
    const found = await findFault('rewards-joined-widely', log, withRewards(log, largestReward(log, group)))
    expect(found).toMatchObject({ level: expect.stringMatching(/caution|refuse/), reason: { driver } })
    expect(Math.abs(found!.left)).toBeLessThan(0.25 * found!.off)
  })

  it.each([
    ['of half of the users', (row: number) => user(row) % 2 === 0],
    ['of some time', (row: number) => log.time![row]! < log.time![Math.floor(log.rows / 2)]!],
  ])('is found for visits %s', async (_, isJoined) => {
    const most = largestReward(log, (row) => visits[row]!)
    const faulty = withRewards(log, (row) => (isJoined(row) ? most(row) : log.reward[row]!))
    const found = await findFault('rewards-joined-widely', log, faulty)
    expect(found).toMatchObject({ level: 'refuse', reason: { driver: 'visits' } })
    expect(Math.abs(found!.left)).toBeLessThan(0.25 * found!.off)
  })

  it('is not suspected where users now and then take nearly everything', async () => {
    const mood = (visit: number): number => [0.02, 0.3, 0.9][visit % 3]!
    const moody = drawn({ visit: 8, chance: (_, { visit }) => mood(visit) })
    expect((await judgeLog(moody.log)).reasons).toEqual([])
  })

  it('is found for users’ days of several visits', async () => {
    const busy = drawn({ users: 60, days: 7 }).log
    const day = (row: number): string => `${busy.user[row]} ${Math.floor(busy.time![row]! / DAY)}`
    const found = await findFault('rewards-joined-widely', busy, withRewards(busy, largestReward(busy, day)))
    expect(found?.reason.driver).toBeDefined()
    expect(Math.abs(found!.left)).toBeLessThan(0.4 * found!.off)
  })

  it('is found for pairs of user and item, which a taste for an item is not', async () => {
    const few = drawn({ users: 800 }).log
    const pair = (row: number): string => `${few.user[row]} ${few.item[row]}`
    const found = await findFault('rewards-joined-widely', few, withRewards(few, largestReward(few, pair)))
    expect(found).toMatchObject({
      level: expect.stringMatching(/caution|refuse/),
      reason: { driver: 'pairs of user and item' },
    })
    const likes = new Map<string, number>()
    const taste = withRewards(few, (row) => {
      if (!likes.has(pair(row))) likes.set(pair(row), few.reward[row]!)
      return likes.get(pair(row))!
    })
    expect((await judgeLog(taste)).reasons).toEqual([])
  })
})

describe('a log of what was rewarded alone', () => {
  it('is found where visits without a reward were left out', async () => {
    const most = largestReward(log, (row) => visits[row]!)
    const found = await findFault(
      'kept-for-rewards',
      log,
      keepRows(log, (row) => most(row) > 0),
    )
    expect(found).toMatchObject({
      level: expect.stringMatching(/caution|refuse/),
      reason: { driver: 'visits' },
    })
    expect(Math.abs(found!.left)).toBeLessThan(0.25 * found!.off)
  })

  it('is found where users without a reward were left out', async () => {
    const many = drawn({ users: 2500, visit: 2 }).log
    const most = largestReward(many, (row) => many.user[row]!)
    const found = await findFault(
      'kept-for-rewards',
      many,
      keepRows(many, (row) => most(row) > 0),
    )
    expect(found).toMatchObject({
      level: expect.stringMatching(/caution|refuse/),
      reason: { driver: 'users' },
    })
    expect(Math.abs(found!.left)).toBeLessThan(0.35 * found!.off)
  })
})

describe('one reward of several', () => {
  const firstOf = (group: (row: number) => string | number): ((row: number) => number) => {
    const had = new Set<string | number>()
    return (row) => {
      if (log.reward[row] === 0 || had.has(group(row))) return 0
      had.add(group(row))
      return 1
    }
  }

  it('is found where the first of a visit counts', async () => {
    const found = await findFault(
      'one-reward-credited',
      log,
      withRewards(
        log,
        firstOf((row) => visits[row]!),
      ),
    )
    expect(found).toMatchObject({
      level: expect.stringMatching(/caution|refuse/),
      reason: { driver: 'visits' },
    })
    expect(found!.others).not.toContain('kept-for-rewards')
    expect(Math.abs(found!.left)).toBeLessThan(0.35 * Math.abs(found!.off))
  })

  it('is found where the last of a day counts', async () => {
    const final = new Map<string, number>()
    for (let row = 0; row < log.rows; row++) if (log.reward[row]! > 0) final.set(userAnd(DAY)(row), row)
    const found = await findFault(
      'one-reward-credited',
      log,
      withRewards(log, (row) => (final.get(userAnd(DAY)(row)) === row ? 1 : 0)),
    )
    expect(found?.level).toMatch(/caution|refuse/)
    expect(Math.abs(found!.left)).toBeLessThan(0.5 * Math.abs(found!.off))
  })

  it('is found where a user and an item have one for ever', async () => {
    const few = drawn({ users: 120, items: 6 }).log
    const had = new Set<string>()
    const faulty = withRewards(few, (row) => {
      const pair = `${few.user[row]} ${few.item[row]}`
      if (few.reward[row] === 0 || had.has(pair)) return 0
      had.add(pair)
      return 1
    })
    const found = await findFault('one-reward-credited', few, faulty)
    expect(found).toMatchObject({
      level: expect.stringMatching(/caution|refuse/),
      reason: { driver: 'pairs of user and item' },
    })
    expect(Math.abs(found!.left)).toBeLessThan(0.5 * Math.abs(found!.off))
  })
})
