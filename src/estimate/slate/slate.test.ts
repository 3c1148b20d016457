import { describe, expect, it } from 'vitest'
import { influenceOf, standardErrorOf, termsOf, valueOf } from '../estimator.js'
import { estimatorNamed } from '../estimators/index.js'
import { memorySource } from '../memory-source.js'
import { Moments } from '../moments.js'
import { weight } from '../term.js'
import { SLATE_ESTIMATOR_NAMES, slateEstimatorNamed } from './index.js'
import { slateSource } from './slate-source.js'
import { type Row, weighed, evaluate, close, law, slatesIn } from './example-slates.js'

describe.each(SLATE_ESTIMATOR_NAMES)('%s', (name) => {
  const estimator = slateEstimatorNamed(name)

  it('is the mean reward of a slate when the target is the logging policy', () =>
    law(async (rows) => {
      const onPolicy = rows.map((row) => ({ ...row, w: 1, v: row.q }))
      const total = rows.reduce((sum, { r }) => sum + r, 0)
      close((await evaluate(estimator, onPolicy)).value, total / slatesIn(rows))
    }))

  it('is IPS, or DR, when every slate has one slot', () =>
    law(async (rows) => {
      const single = rows.map((row, slate) => ({ ...row, slate, position: 0 }))
      const plain = estimatorNamed(name === 'cascade-dr' ? 'dr' : 'ips')
      const moments = await memorySource(weighed(single)).moments(termsOf([plain]), 'user')
      const found = await evaluate(estimator, single, 'user')
      close(found.value, valueOf(plain, moments))
      close(found.se ?? 0, standardErrorOf(influenceOf(plain, moments)) ?? 0)
      const asRows = await memorySource(weighed(single)).moments(termsOf([estimator]), 'user')
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
      const momentsOf = (part: Row[]): Promise<Moments> =>
        slateSource(weighed(part)).moments(termsOf([estimator]), 'user')
      const whole = await momentsOf(rows)
      const merged = Moments.merge(
        await momentsOf(rows.filter(({ slate }) => slate === 0)),
        await momentsOf(rows.filter(({ slate }) => slate > 0)),
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
    const { value, se, clusters } = await evaluate(slateEstimatorNamed(name), rows, 'user')
    expect(value).toBeCloseTo((first + second) / 2, 12)
    expect(se).toBeCloseTo(Math.abs(first - second) / 2, 12)
    expect(clusters).toBe(2)
  })
})

describe('slates that are none', () => {
  const row: Row = { slate: 0, position: 0, user: 0, r: 0, w: 1, q: 0, v: 0, times: 1 }
  const source = (...rows: Partial<Row>[]) => slateSource(weighed(rows.map((part) => ({ ...row, ...part }))))

  it('a position twice', () => {
    expect(() => source({}, { slate: 1, position: 3 }, { slate: 1, position: 3 })).toThrow(
      'Slate "page 1" has position 3 twice.',
    )
  })

  it('rows of two users', () => {
    expect(() => source({}, { position: 1, user: 2 })).toThrow(
      'Slate "page 0" has rows of two users, "user 0" and "user 2".',
    )
  })

  it('rows that stand for different numbers of impressions', () => {
    expect(() => source({ times: 2 }, { position: 1 })).toThrow('Slate "page 0" has rows of weight 2 and 1.')
  })

  it('a log without slates or positions', () => {
    const { slate: _slate, ...noSlate } = weighed([row]).log
    expect(() => slateSource({ ...weighed([row]), log: noSlate })).toThrow('no slate column')
    const { position: _position, ...noPosition } = weighed([row]).log
    expect(() => slateSource({ ...weighed([row]), log: noPosition })).toThrow('no position column')
  })

  it('a cluster column that is not there, or differs within a slate', async () => {
    await expect(source({}).moments([], 'column')).rejects.toThrow('no cluster column')
    const rows = weighed([row, { ...row, position: 1 }])
    const log = { ...rows.log, cluster: Uint32Array.of(0, 1), clusterIds: ['x', 'y'] }
    expect(() => slateSource({ ...rows, log })).toThrow('Slate "page 0" has rows of two clusters.')
  })

  it('a sum over rows is not a sum over slates', async () => {
    await expect(source({}).moments([weight], 'row')).rejects.toThrow('w is a sum over rows')
  })

  it('an estimator that nobody knows', () => {
    expect(() => slateEstimatorNamed('ripps')).toThrow(/no slate estimator "ripps"/)
  })
})
