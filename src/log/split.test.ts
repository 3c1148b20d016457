import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withCatalogue } from './align.js'
import { type Log, takeRows } from './log.js'
import { partsOfLog, type Split, splitByRow, splitByTime, splitByUser, type SplitOptions } from './split.js'

/** A log whose reward numbers its rows, so that a row can be told in any part. */
function numberedLog(users: readonly string[], times?: readonly number[]): Log {
  const userIds = [...new Set(users)].toSorted()
  return {
    rows: users.length,
    user: Uint32Array.from(users, (id) => userIds.indexOf(id)),
    item: new Uint32Array(users.length),
    userIds,
    itemIds: ['a'],
    catalogueKnown: false,
    reward: Float64Array.from(users, (_, k) => k),
    propensity: Float64Array.from(users, (_, k) => 1 / (k + 1)),
    propensitySource: 'logged',
    ...(times && { time: Float64Array.from(times) }),
  }
}

const usersOf = ({ user, userIds }: Log): string[] =>
  [...new Set(Array.from(user, (index) => userIds[index]!))].toSorted()
const partsOf = ({ train, validation, test }: Split): Log[] => [train, validation, test]
const manyUsers = Array.from({ length: 2000 }, (_, k) => `user ${k % 500}`)
const manyTimes = manyUsers.map((_, k) => (k * 7919) % 1000)

describe.each([
  ['splitByRow', splitByRow],
  ['splitByUser', splitByUser],
  ['splitByTime', splitByTime],
])('%s', (_name, split: (log: Log, options?: SplitOptions) => Split) => {
  const log = numberedLog(manyUsers, manyTimes)

  it('sends every row to exactly one part, whole and in order', () => {
    const parts = partsOf(split(log, { validation: 0.2, test: 0.3, seed: 5 }))
    expect(parts.flatMap(({ reward }) => Array.from(reward)).toSorted((a, b) => a - b)).toEqual(
      Array.from(log.reward),
    )
    for (const part of parts) {
      expect(part.reward).toEqual(part.reward.toSorted())
      for (let k = 0; k < part.rows; k++) {
        const row = part.reward[k]!
        expect([part.user[k], part.propensity![k], part.time![k]]).toEqual([
          log.user[row],
          log.propensity![row],
          log.time![row],
        ])
      }
      expect(part.userIds).toBe(log.userIds)
    }
  })

  it('makes parts of about the shares asked for, a tenth each by default', () => {
    const within = (parts: Log[], shares: number[]): void =>
      // 500 users of 4 rows each: five standard errors of the share of users.
      parts.forEach((part, k) =>
        expect(Math.abs(part.rows / log.rows - shares[k]!)).toBeLessThan(
          5 * Math.sqrt((shares[k]! * (1 - shares[k]!)) / 500),
        ),
      )
    within(partsOf(split(log)), [0.8, 0.1, 0.1])
    within(partsOf(split(log, { validation: 0.25, test: 0.5, seed: 2 })), [0.25, 0.25, 0.5])
  })

  it('leaves a part empty for a share of 0', () => {
    const { train, validation, test } = split(log, { validation: 0, test: 0 })
    expect([train.rows, validation.rows, test.rows]).toEqual([log.rows, 0, 0])
    expect(split(log, { validation: 0, test: 0.3 }).validation.rows).toBe(0)
  })

  it.each([{ validation: 0.5, test: 0.5 }, { validation: -0.1 }, { test: NaN }, { test: 1 }])(
    'refuses %j',
    (options) => {
      expect(() => split(log, options)).toThrow(/leave nothing to train on/)
      expect(() => split(log, options)).toThrow(
        expect.objectContaining({ remedy: expect.any(String) as string }) as Error,
      )
    },
  )
})

describe('splitByRow and splitByUser', () => {
  it('give the same parts for the same seed and others for another', () => {
    const log = numberedLog(manyUsers)
    for (const split of [splitByRow, splitByUser]) {
      expect(split(log, { seed: 1 })).toEqual(split(log, { seed: 1 }))
      expect(split(log, { seed: 1 }).test.reward).not.toEqual(split(log, { seed: 2 }).test.reward)
    }
  })
})

describe('splitByUser', () => {
  const user = fc.string({ minLength: 1, maxLength: 4 })

  it('keeps all rows of a user together', () => {
    fc.assert(
      fc.property(fc.array(user, { minLength: 1, maxLength: 60 }), fc.nat(), (users, seed) => {
        const seen = partsOf(splitByUser(numberedLog(users), { validation: 0.3, test: 0.3, seed })).flatMap(
          usersOf,
        )
        expect(seen.toSorted()).toEqual([...new Set(users)].toSorted())
      }),
      { seed: 1 },
    )
  })

  it('leaves users where they are when rows change places or other users come', () => {
    fc.assert(
      fc.property(
        fc.array(user, { minLength: 1, maxLength: 40 }),
        fc.array(user, { maxLength: 40 }),
        fc.nat(),
        (users, others, seed) => {
          const options = { validation: 0.3, test: 0.3, seed }
          const before = partsOf(splitByUser(numberedLog(users), options)).map(usersOf)
          const after = partsOf(splitByUser(numberedLog([...others, ...users.toReversed()]), options)).map(
            usersOf,
          )
          for (const [k, part] of before.entries()) expect(after[k]).toEqual(expect.arrayContaining(part))
        },
      ),
      { seed: 2 },
    )
  })
})

describe('splitByTime', () => {
  it('never trains on what comes after what it is tested on, and keeps an instant together', () => {
    const times = fc.array(fc.integer({ min: -5, max: 15 }), { minLength: 1, maxLength: 60 })
    fc.assert(
      fc.property(times, (instants) => {
        const parts = partsOf(
          splitByTime(numberedLog(instants.map(String), instants), { validation: 0.3, test: 0.3 }),
        )
        const filled = parts.filter(({ rows }) => rows > 0)
        for (const [k, later] of filled.entries())
          if (k > 0) expect(Math.max(...filled[k - 1]!.time!)).toBeLessThan(Math.min(...later.time!))
      }),
      { seed: 3 },
    )
  })

  it('cuts at the shares where no two instants are the same', () => {
    const instants = Array.from({ length: 100 }, (_, k) => (k * 37) % 100)
    const { train, validation, test } = splitByTime(numberedLog(instants.map(String), instants))
    expect([train.rows, validation.rows, test.rows]).toEqual([80, 10, 10])
  })

  it('needs times', () => {
    expect(() => splitByTime(numberedLog(['a']))).toThrow(/needs a timestamp in every row/)
  })
})

describe('takeRows', () => {
  it('takes rows in the order asked for, more than once if asked, with every column', () => {
    const values = Float64Array.of(1, 2, 3)
    const index = Uint32Array.of(0, 1, 0)
    const log: Log = {
      ...numberedLog(['a', 'b', 'c'], [7, 8, 9]),
      target: values,
      position: values,
      weight: values,
      slate: index,
      slateIds: ['s', 't'],
      cluster: index,
      clusterIds: ['c', 'd'],
    }
    const taken = takeRows(log, Uint32Array.of(2, 1, 2))
    expect(taken.rows).toBe(3)
    expect(taken.time).toEqual(Float64Array.of(9, 8, 9))
    for (const column of ['target', 'position', 'weight'] as const)
      expect(taken[column]).toEqual(Float64Array.of(3, 2, 3))
    for (const column of ['slate', 'cluster'] as const) expect(taken[column]).toEqual(Uint32Array.of(0, 1, 0))
    expect(Object.keys(taken).toSorted()).toEqual(Object.keys(log).toSorted())
  })
})

describe('withCatalogue', () => {
  const log: Log = { ...numberedLog(['u', 'u', 'u']), item: Uint32Array.of(1, 0, 1), itemIds: ['9', '10'] }
  const shown = ({ item, itemIds }: Log): string[] => Array.from(item, (index) => itemIds[index]!)

  it('adds items that were never shown, in the order of ids, and each row keeps its item', () => {
    const whole = withCatalogue(log, ['100', '2', '10', '2'])
    expect(whole.itemIds).toEqual(['2', '9', '10', '100'])
    expect(whole.catalogueKnown).toBe(true)
    expect(shown(whole)).toEqual(shown(log))
  })

  it('orders items as text as soon as one is not a number', () => {
    const whole = withCatalogue(log, ['x'])
    expect(whole.itemIds).toEqual(['10', '9', 'x'])
    expect(shown(whole)).toEqual(shown(log))
  })
})

describe('partsOfLog', () => {
  const DAY = 86_400_000
  const times = manyUsers.map((_, k) => Date.UTC(2026, 2, 1) + ((k * 7919) % 1000) * (DAY / 50))
  const log = numberedLog(manyUsers, times)
  const daysOf = ({ time }: Log): number[] =>
    [...new Set(Array.from(time!, (at) => Math.floor(at / DAY)))].toSorted((a, b) => a - b)
  const rowsOf = (parts: readonly Log[]): number[] =>
    parts.flatMap(({ reward }) => Array.from(reward)).toSorted((a, b) => a - b)

  it('sends all rows of a user to one part, by the id and the seed alone', () => {
    const parts = partsOfLog(log, { by: 'user', shares: [0.5, 0.3, 0.2] })
    expect(rowsOf(parts)).toEqual(Array.from(log.reward))
    const [first, second, third] = parts.map(usersOf) as [string[], string[], string[]]
    expect(new Set([...first, ...second, ...third]).size).toBe(500)
    expect(Math.abs(first.length - 250)).toBeLessThan(56)
    const grown = numberedLog([...manyUsers, ...Array.from({ length: 100 }, (_, k) => `new ${k}`)])
    const again = partsOfLog(grown, { by: 'user', shares: [0.5, 0.3, 0.2] })
    expect(usersOf(again[0]!).filter((id) => !id.startsWith('new'))).toEqual(first)
    expect(usersOf(partsOfLog(log, { by: 'user', shares: [0.5, 0.5], seed: 1 })[0]!)).not.toEqual(first)
  })

  it('leaves users to be split again within a part, as training does', () => {
    const [part] = partsOfLog(log, { by: 'user', shares: [0.5, 0.5] })
    for (const { rows } of partsOf(splitByUser(part!, { validation: 0.25, test: 0.25 })))
      expect(rows).toBeGreaterThan(100)
  })

  it('cuts whole days in the order of time, each part nearest to its share', () => {
    const parts = partsOfLog(log, { by: 'time', shares: [0.52, 0.23, 0.25] })
    expect(rowsOf(parts)).toEqual(Array.from(log.reward))
    const [first, second, third] = parts.map(daysOf) as [number[], number[], number[]]
    expect([first.length, second.length, third.length]).toEqual([10, 5, 5])
    expect([first.at(-1)! + 1, second.at(-1)! + 1]).toEqual([second[0], third[0]])
  })

  it('gives every part a day', () => {
    const busy = numberedLog(
      ['a', 'b', 'c', 'd', 'e'],
      [0, 0, 0, 1, 2].map((day) => Date.UTC(2026, 0, 1 + day)),
    )
    expect(partsOfLog(busy, { by: 'time', shares: [0.1, 0.1, 0.8] }).map(({ rows }) => rows)).toEqual([
      3, 1, 1,
    ])
  })

  it('says what is missing', () => {
    const cut =
      (one: Log, by: 'user' | 'time', shares = [0.5, 0.5]) =>
      () =>
        partsOfLog(one, { by, shares })
    expect(cut(numberedLog(['a', 'b']), 'time')).toThrow('only where its rows have dates')
    expect(cut(numberedLog(['a', 'b'], [3, 4]), 'time')).toThrow('only where its rows have dates')
    expect(cut(numberedLog(['a', 'b'], [1e12, 1e12]), 'time')).toThrow(
      'The log has 1 day, too few for 2 parts',
    )
    expect(cut(numberedLog(['a', 'a']), 'user')).toThrow(/^Part [12] of 2 would have no rows/)
    expect(cut(log, 'user', [0.5, 0.6])).toThrow('parts of 0.5 and 0.6')
    expect(cut(log, 'user', [1])).toThrow('parts of 1')
  })
})
