import { describe, expect, it } from 'vitest'
import { randomStream, type RandomStream } from '../random/stream.js'
import { examinationOf } from './example-log.js'
import { checkSilentUsers } from './silent-users.js'

/** Users, the rows of each, and their click rates. */
interface Group {
  readonly users: number
  readonly rows: (random: RandomStream) => number
  readonly rate: (random: RandomStream) => number
}

const found = (groups: readonly Group[], seed = 1): ReturnType<typeof checkSilentUsers> => {
  const random = randomStream(seed, 'silent users')
  const rows = groups.flatMap(({ users, rows: ofUser, rate }, group) =>
    Array.from({ length: users }, (_, user) => {
      const own = rate(random)
      return Array.from({ length: ofUser(random) }, () => ({
        user: `${group}-${user}`,
        item: `${Math.floor(random.uniform() * 9)}`,
        reward: random.uniform() < own ? 1 : 0,
        propensity: 0.1,
      }))
    }).flat(),
  )
  return checkSilentUsers(examinationOf(rows))
}

const few = (random: RandomStream): number => 3 + Math.floor(random.uniform() * 6)
const heavyTailed = (random: RandomStream): number => Math.min(500, Math.ceil(2 / (1 - random.uniform())))

describe('users who are far more active than others and never click', () => {
  const people: Group = { users: 600, rows: few, rate: (random) => 0.35 * random.uniform() }

  it('are found together, where each of them might be chance', () => {
    const [finding] = found([people, { users: 20, rows: () => 77, rate: () => 0 }])
    expect(finding).toMatchObject({
      code: 'silent-users',
      lowersTo: 'caution',
      numbers: { users: 20, of: 20, active: 64, rows: 1540 },
    })
    expect(finding!.seen).toMatch(
      /^20 of the 20 users with 64 rows or more never clicked; they have 3\d(\.\d)? %/,
    )
  })

  it('are not suspected where active users merely click less', () => {
    const active: Group = { users: 60, rows: () => 80, rate: (random) => 0.12 * random.uniform() }
    expect(found([people, active])).toEqual([])
  })

  it('are not suspected where many people never click, however active', () => {
    const often = (random: RandomStream): number => (random.uniform() < 0.7 ? 0 : 0.5)
    for (let seed = 0; seed < 6; seed++)
      expect(found([{ users: 800, rows: heavyTailed, rate: often }], seed)).toEqual([])
  })

  it('are not suspected where activity and clicks are unrelated', () => {
    for (let seed = 0; seed < 6; seed++)
      for (const most of [0.02, 0.1, 0.6]) {
        const rate = (random: RandomStream): number => most * random.uniform() ** 2
        expect(found([{ users: 800, rows: heavyTailed, rate }], seed)).toEqual([])
      }
  })

  it('do not matter with a fiftieth of the rows', () => {
    expect(
      found([
        { ...people, users: 6000 },
        { users: 4, rows: () => 77, rate: () => 0 },
      ]),
    ).toEqual([])
  })
})

describe('users who are far more active than others and always click', () => {
  const people: Group = { users: 600, rows: few, rate: (random) => 0.35 * random.uniform() }

  it('are found', () => {
    const [finding, ...more] = found([people, { users: 20, rows: () => 77, rate: () => 1 }])
    expect(more).toEqual([])
    expect(finding).toMatchObject({
      code: 'tireless-users',
      lowersTo: 'caution',
      numbers: { users: 20, of: 20 },
    })
    expect(finding!.seen).toMatch(
      /clicked in every one of their rows; .* Less active users click in 1\d(\.\d)? % of theirs/,
    )
  })

  it('are not suspected where clicks are usual, or some people like everything', () => {
    const eager: Group = { users: 600, rows: few, rate: (random) => 1 - 0.1 * random.uniform() }
    expect(found([eager, { users: 20, rows: () => 40, rate: () => 0.99 }])).toEqual([])
    const divided: Group = { users: 600, rows: few, rate: (random) => (random.uniform() < 0.2 ? 1 : 0.1) }
    expect(
      found([divided, { users: 20, rows: () => 40, rate: (random) => (random.uniform() < 0.2 ? 1 : 0.1) }]),
    ).toEqual([])
  })
})
