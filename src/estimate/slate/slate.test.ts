import { describe, expect, it } from 'vitest'
import { influenceOf, standardErrorOf, termsOf, valueOf } from '../estimator.js'
import { momentsOf } from '../source/prepared-log.js'
import { Moments } from '../source/moments.js'
import { weight } from '../term.js'
import { ESTIMATORS, estimatorNamed } from '../estimators/index.js'
import { pageReward, snrips } from './page-estimators.js'
import { isOfSlates } from './slate-term.js'
import { slateMoments } from './slate-moments.js'
import { type Row, close, evaluate, law, slateValues, slatesIn, weighed } from './example-slates.js'

const SLATES = ESTIMATORS.all.filter(({ rows }) => rows === 'slates').map(({ name }) => name)

/** What an estimator is on pages of one slot, where it is not ips. */
const PLAIN: Readonly<Record<string, string>> = { 'cascade-dr': 'dr', snrips: 'snips' }

describe.each(SLATES)('%s', (name) => {
  const estimator = estimatorNamed(name)

  it('is the mean reward of a slate when the target is the logging policy', () =>
    law(async (rows) => {
      const onPolicy = rows.map((row) => ({ ...row, w: 1, v: row.q }))
      const total = rows.reduce((sum, { r }) => sum + r, 0)
      close((await evaluate(estimator, onPolicy)).value, total / slatesIn(rows))
    }))

  it('is IPS, or DR, when every slate has one slot', () =>
    law(async (rows) => {
      const single = rows.map((row, slate) => ({ ...row, slate, position: 0 }))
      const plain = estimatorNamed(PLAIN[name] ?? 'ips')
      const moments = momentsOf(weighed(single), termsOf([plain]), 'user')
      const found = await evaluate(estimator, single, 'user')
      close(found.value, valueOf(plain, moments))
      close(found.se ?? 0, standardErrorOf(influenceOf(plain, moments)) ?? 0)
      const asRows = momentsOf(weighed(single), termsOf([estimator]), 'user')
      close(found.value, valueOf(estimator, asRows))
    }))

  it('does not depend on the order of rows', () =>
    law(async (rows) => {
      close((await evaluate(estimator, rows)).value, (await evaluate(estimator, rows.toReversed())).value)
    }))

  it('does not depend on how slates are clustered', () =>
    law(async (rows) => {
      close((await evaluate(estimator, rows, 'user')).value, (await evaluate(estimator, rows, 'row')).value)
    }))

  it('is the same from merged parts as from the whole', () =>
    law(async (rows) => {
      const summed = (part: Row[]): Moments => slateMoments(weighed(part), termsOf([estimator]), 'user')
      const whole = summed(rows)
      const merged = Moments.merge(
        summed(rows.filter(({ slate }) => slate === 0)),
        summed(rows.filter(({ slate }) => slate > 0)),
      )
      close(valueOf(estimator, merged), valueOf(estimator, whole))
      close(
        standardErrorOf(influenceOf(estimator, merged)) ?? 0,
        standardErrorOf(influenceOf(estimator, whole)) ?? 0,
      )
    }))

  it('counts a slate that stands for three as three slates', () =>
    law(async (rows) => {
      const heavy = rows.map((row) => ({ ...row, times: row.slate === 0 ? 3 : 1 }))
      const most = Math.max(...rows.map(({ slate }) => slate))
      const repeated = [1, 2].flatMap((copy) =>
        rows.filter(({ slate }) => slate === 0).map((row) => ({ ...row, slate: most + copy })),
      )
      close(
        (await evaluate(estimator, heavy)).value,
        (await evaluate(estimator, [...rows, ...repeated])).value,
      )
    }))

  it('is undefined, not 0, for an empty log', async () => {
    expect((await evaluate(estimator, [])).value).toBeUndefined()
  })
})

describe('by hand', () => {
  // Two slates of unequal length, the second with its rows out of order.
  const rows: Row[] = [
    { slate: 0, position: 1, user: 0, r: 1, w: 2, q: 0.5, v: 0.25, times: 1 },
    { slate: 0, position: 2, user: 0, r: 1, w: 0.5, q: 0.5, v: 0.5, times: 1 },
    { slate: 0, position: 3, user: 0, r: 2, w: 3, q: 1, v: 1, times: 1 },
    { slate: 1, position: 2, user: 1, r: 1, w: 4, q: 0, v: 0.5, times: 1 },
    { slate: 1, position: 1, user: 1, r: 0, w: 0.5, q: 1, v: 2, times: 1 },
  ]

  it.each([
    ['iips', 2 + 0.5 + 6, 4],
    ['rips', 2 + 1 + 6, 2],
    ['pi', 3.5 * 4, 3.5],
    ['cascade-dr', 0.25 + 1 + (1 + 0.5) + (1 + 3), 2 - 0.5 + (0.25 + 2)],
  ])('%s', async (name, first, second) => {
    const { value, se, clusters } = await evaluate(estimatorNamed(name), rows, 'user')
    expect(value).toBeCloseTo((first + second) / 2, 12)
    expect(se).toBeCloseTo(Math.abs(first - second) / 2, 12)
    expect(clusters).toBe(2)
  })
})

describe('snrips by hand', () => {
  const slot = (slate: number, position: number, w: number, r: number): Row => ({
    slate,
    position,
    user: slate,
    r,
    w,
    q: 0,
    v: 0,
    times: 1,
  })

  it('divides each slot by the weight of the pages down to it; a shorter page counts as a whole', async () => {
    const rows = [
      slot(0, 1, 2, 1),
      slot(0, 2, 0.5, 1),
      slot(0, 3, 3, 2),
      slot(1, 1, 0.5, 0),
      slot(1, 2, 4, 1),
    ]
    // Weights down to slots 1, 2 and 3: 2, 1 and 3 on one page, 0.5, 2 and (as it has two slots) 2 on the other.
    const { value } = await evaluate(snrips, rows)
    expect(value).toBeCloseTo(2 / 2.5 + (1 + 2) / 3 + 6 / 5, 12)
  })

  it('divides slots from the tenth on by the weight of whole pages', async () => {
    const rows = [0, 1].flatMap((slate) =>
      Array.from({ length: 12 }, (_, k) => slot(slate, k, k === 11 ? 1 + 2 * slate : 1, k >= 9 ? k : 0)),
    )
    const { value } = await evaluate(snrips, rows)
    expect(value).toBeCloseTo((9 + 9 + 10 + 10 + 11 + 3 * 11) / 4, 12)
  })
})

describe('what a page is judged by', () => {
  const rows = weighed(
    [2, 0.5, 3].map((w, position) => ({ slate: 0, position, user: 0, r: 1, w, q: 0, v: 0, times: 1 })),
  )

  it.each([
    ['rips', 3],
    ['snrips', 3],
    ['cascade-dr', 3],
    ['iips', 5.5 / 3],
    ['pi', 3.5],
  ])('%s: its own weight of the page', (name, expected) => {
    const estimator = ESTIMATORS.named(name)
    if (!isOfSlates(estimator)) throw new Error(name)
    const { weight: own, squared } = estimator.judged
    expect(slateValues(rows, own)).toEqual(Float64Array.of(expected))
    expect(slateValues(rows, squared)).toEqual(Float64Array.of(expected ** 2))
  })

  it('has mean 1 where the target is the logging policy', () =>
    law(async (logged) => {
      const onPolicy = weighed(logged.map((row) => ({ ...row, w: 1 })))
      for (const estimator of ESTIMATORS.all.filter(isOfSlates))
        for (const value of slateValues(onPolicy, estimator.judged.weight)) close(value, 1)
    }))

  it('earns what its slots earn', () =>
    law(async (logged) => {
      const total = logged.reduce((sum, { r }) => sum + r, 0)
      close(
        slateValues(weighed(logged), pageReward).reduce((sum, r) => sum + r, 0),
        total,
      )
    }))
})

describe('invalid slates', () => {
  const row: Row = { slate: 0, position: 0, user: 0, r: 0, w: 1, q: 0, v: 0, times: 1 }
  const sum = (...rows: Partial<Row>[]) =>
    slateMoments(weighed(rows.map((part) => ({ ...row, ...part }))), [], 'row')

  it('a position twice', () => {
    expect(() => sum({}, { slate: 1, position: 3 }, { slate: 1, position: 3 })).toThrow(
      'Slate "page 1" has position 3 twice.',
    )
  })

  it('rows of two users', () => {
    expect(() => sum({}, { position: 1, user: 2 })).toThrow(
      'Slate "page 0" has rows of two users, "user 0" and "user 2".',
    )
  })

  it('rows that stand for different numbers of impressions', () => {
    expect(() => sum({ times: 2 }, { position: 1 })).toThrow('Slate "page 0" has rows of weight 2 and 1.')
  })

  it('a log without slates or positions', () => {
    const { slate: _slate, ...noSlate } = weighed([row]).log
    expect(() => slateMoments({ ...weighed([row]), log: noSlate }, [], 'row')).toThrow('no slate column')
    const { position: _position, ...noPosition } = weighed([row]).log
    expect(() => slateMoments({ ...weighed([row]), log: noPosition }, [], 'row')).toThrow(
      'no position column',
    )
  })

  it('a cluster column that is not there, or differs within a slate', () => {
    expect(() => slateMoments(weighed([row]), [], 'column')).toThrow('no cluster column')
    const rows = weighed([row, { ...row, position: 1 }])
    const log = { ...rows.log, cluster: Uint32Array.of(0, 1), clusterIds: ['x', 'y'] }
    expect(() => slateMoments({ ...rows, log }, [], 'row')).toThrow(
      'Slate "page 0" has rows of two clusters.',
    )
  })

  it('a sum over rows is not a sum over slates', () => {
    expect(() => slateMoments(weighed([row]), [weight], 'row')).toThrow('w is a sum over rows')
  })

  it('an unknown estimator', () => {
    expect(() => estimatorNamed('ripps')).toThrow(/no estimator "ripps"/)
  })
})
