import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Estimator, termsOf } from '../src/estimate/estimator.js'
import { ESTIMATOR_NAMES, estimatorNamed, tunedFamily } from '../src/estimate/estimators/index.js'
import { memorySource } from '../src/estimate/memory-source.js'
import type { ClusterBy, Moments } from '../src/estimate/moments.js'
import type { WeighedRows } from '../src/estimate/rows.js'
import { importanceWeights } from '../src/estimate/target.js'
import { one, reward, type Term, weight, weightedReward, weightSquared } from '../src/estimate/term.js'
import type { Log } from '../src/log/log.js'
import { parquetBytes } from '../src/log/write/parquet.js'
import { csvText, ndjsonText } from '../src/log/write/text.js'
import { type DuckDbMomentOptions, DuckDbMomentSource } from '../src/node/moments/duckdb-moment-source.js'
import { readLogFile } from '../src/node/read-log.js'
import { randomStream } from '../src/random/stream.js'

/** The two places where rows can live, typed arrays and a file on disk, give the same sums. */
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-moments-'))
})
afterAll(() => rm(folder, { recursive: true }))

const KINDS = ['csv', 'csv.gz', 'ndjson', 'parquet'] as const

let counter = 0
async function written(kind: (typeof KINDS)[number], log: Log): Promise<string> {
  const path = join(folder, `log-${counter++}.${kind}`)
  const text = (): string => [...(kind === 'ndjson' ? ndjsonText(log) : csvText(log))].join('')
  const content = kind === 'parquet' ? await parquetBytes(log) : kind === 'csv.gz' ? gzipSync(text()) : text()
  await writeFile(path, content)
  return path
}

/** A log with every column that sums look at: ids of a kind, clusters that cut across users. */
function madeLog(rows: number, ids: 'numbers' | 'texts'): Log {
  const { uniform } = randomStream(7, 'moments', rows)
  const draw = (below: number): Uint32Array =>
    Uint32Array.from({ length: rows }, () => Math.floor(uniform() ** 2 * below))
  const numbers = (of: () => number): Float64Array => Float64Array.from({ length: rows }, of)
  const names = (what: string, count: number): string[] =>
    Array.from({ length: count }, (_, k) => (ids === 'numbers' ? String(k * 3 - 5) : `${what} '${k}', é`))
  return {
    rows,
    user: draw(40),
    item: draw(12),
    userIds: names('user', 40),
    itemIds: names('item', 12),
    catalogueKnown: false,
    reward: numbers(() => (uniform() < 0.3 ? uniform() * 3 - 0.5 : 0)),
    propensity: numbers(() => 0.001 + 0.999 * uniform() ** 3),
    propensitySource: 'logged',
    target: numbers(() => (uniform() < 0.2 ? 0 : uniform())),
    cluster: draw(15),
    clusterIds: names('cluster', 15),
    weight: numbers(() => 1 + Math.floor(uniform() * 4) / 2),
    q: numbers(uniform),
    v: numbers(uniform),
  }
}

const estimators: Estimator[] = ESTIMATOR_NAMES.flatMap((name) => {
  const family = tunedFamily(name)
  if (!family) return [estimatorNamed(name)]
  return [0.3, family.unchanged === 0 ? 0.8 : 1.5, family.unchanged].map(family.make)
}).filter(({ needs }) => needs !== 'categories')

const TERMS: readonly Term[] = [
  ...new Set([...termsOf(estimators), one, reward, weight, weightSquared, weightedReward]),
]

async function fromEngine(
  path: string,
  options: DuckDbMomentOptions,
  clusterBy: ClusterBy,
  terms: readonly Term[] = TERMS,
): Promise<Moments> {
  const source = await DuckDbMomentSource.open(path, options)
  try {
    return await source.moments(terms, clusterBy)
  } finally {
    source.dispose()
  }
}

async function fromMemory(
  path: string,
  options: DuckDbMomentOptions,
  clusterBy: ClusterBy,
  terms: readonly Term[] = TERMS,
): Promise<Moments> {
  const { log } = await readLogFile(path, options)
  const rows: WeighedRows = {
    log,
    weight: importanceWeights(log, options.target),
    ...(log.q && { prediction: log.q }),
    ...(log.v && { value: log.v }),
  }
  return memorySource(rows).moments(terms, clusterBy)
}

function expectSame(engine: Moments, memory: Moments, terms: readonly Term[] = TERMS): void {
  expect(engine.keys.toSorted()).toEqual(memory.keys.toSorted())
  const placeOf = new Map(Array.from(memory.keys, (key, g) => [key, g]))
  for (const term of terms) {
    const expected = memory.sums(term)
    const wrong = Array.from(engine.sums(term), (sum, g) => [sum, expected[placeOf.get(engine.keys[g]!)!]!])
      .filter(([a, b]) => !(Math.abs(a! - b!) <= 1e-12 * Math.max(1, Math.abs(b!))))
      .map(([a, b]) => `${term.name}: ${a} in the engine, ${b} in memory`)
    expect(wrong).toEqual([])
  }
}

const TARGETS = [{ kind: 'uniform' }, { kind: 'logging' }, { kind: 'column', name: 'target_prob' }] as const

describe.each(KINDS)('sums over %s are those of memory', (kind) => {
  describe.each(['numbers', 'texts'] as const)('with ids that are %s', (ids) => {
    let path: string
    beforeAll(async () => {
      path = await written(kind, madeLog(500, ids))
    })

    it.each(TARGETS.flatMap((target) => (['user', 'row', 'column'] as const).map((by) => ({ target, by }))))(
      'for the target $target.kind by $by',
      async ({ target, by }) => {
        expectSame(await fromEngine(path, { target }, by), await fromMemory(path, { target }, by))
      },
    )
  })

  it('and in the same order for another target', async () => {
    const path = await written(kind, madeLog(500, 'texts'))
    for (const by of ['user', 'row', 'column'] as const) {
      const [first, second] = await Promise.all(
        TARGETS.slice(0, 2).map((target) => fromEngine(path, { target }, by, [one])),
      )
      expect(first!.keys).toEqual(second!.keys)
    }
  })

  it('without row weights', async () => {
    const { weight: _, ...log } = madeLog(200, 'numbers')
    const path = await written(kind, log)
    const options = { target: { kind: 'uniform' } } as const
    expectSame(await fromEngine(path, options, 'user'), await fromMemory(path, options, 'user'))
  })

  it('with propensities that are assumed, and rewards made from ratings', async () => {
    const path = await written(kind, madeLog(200, 'texts'))
    for (const propensity of [{ kind: 'uniform' }, { kind: 'constant', value: 0.2 }] as const) {
      const options = { target: { kind: 'column', name: 'target_prob' }, propensity, clickFrom: 1 } as const
      expectSame(await fromEngine(path, options, 'user'), await fromMemory(path, options, 'user'))
    }
  })

  it('with columns of other names', async () => {
    const log = madeLog(100, 'texts')
    const path = await written(kind, log)
    const options = {
      target: { kind: 'column', name: 'v' },
      columns: { target: 'q', q: 'target_prob', user: 'item_id', item: 'user_id' },
    } as const
    expectSame(await fromEngine(path, options, 'user'), await fromMemory(path, options, 'user'))
  })

  it('with more rows than buckets, in total', async () => {
    const { cluster: _, clusterIds: __, ...log } = madeLog(70_000, 'numbers')
    const path = await written(kind, log)
    const options = { target: { kind: 'uniform' } } as const
    const engine = await fromEngine(path, options, 'row')
    const memory = await fromMemory(path, options, 'row')
    expect(engine.clusters).toBeGreaterThan(40_000)
    expect(engine.clusters).toBeLessThanOrEqual(65_536)
    for (const term of TERMS) expect(engine.total(term) / memory.total(term)).toBeCloseTo(1, 11)
  })
})

describe('a source', () => {
  const target = { kind: 'uniform' } as const

  it('answers several questions at once', async () => {
    const path = await written('parquet', madeLog(500, 'numbers'))
    const source = await DuckDbMomentSource.open(path, { target })
    const answers = await Promise.all(
      (['user', 'row', 'column'] as const).map((by) => source.moments(TERMS, by)),
    )
    source.dispose()
    for (const [k, by] of (['user', 'row', 'column'] as const).entries())
      expectSame(answers[k]!, await fromMemory(path, { target }, by))
  })

  it.each(KINDS)('counts rows, users and items and finds the largest weight of %s', async (kind) => {
    const path = await written(kind, madeLog(500, 'texts'))
    const { log } = await readLogFile(path)
    const weights = importanceWeights(log, target)
    const heaviest = Math.max(...weights.map((w, row) => w * log.weight![row]!))
    const total = weights.reduce((sum, w, row) => sum + w * log.weight![row]!, 0)
    const source = await DuckDbMomentSource.open(path, { target })
    expect(await source.items()).toBe(log.itemIds.length)
    const { topShare, ...counted } = await source.facts()
    expect(counted).toEqual({ rows: 500, users: log.userIds.length, maxWeight: Math.max(...weights) })
    expect(topShare).toBeCloseTo(heaviest / total, 12)
    source.dispose()
  })
})

describe('predictions by item', () => {
  it.each(KINDS)('are those of memory over %s', async (kind) => {
    for (const ids of ['numbers', 'texts'] as const) {
      const { q: _, v: __, ...log } = madeLog(300, ids)
      const predictions = Float64Array.from(log.itemIds, (_id, k) => 0.1 + k / 20)
      const path = await written(kind, log)
      const target = { kind: 'uniform' } as const
      const engine = await fromEngine(
        path,
        { target, items: log.itemIds.length, model: { itemIds: log.itemIds, predictions, value: 0.4 } },
        'user',
      )
      const memory = await memorySource({
        log,
        weight: importanceWeights(log, target),
        prediction: Float64Array.from(log.item, (item) => predictions[item]!),
        value: new Float64Array(log.rows).fill(0.4),
      }).moments(TERMS, 'user')
      expectSame(engine, memory)
    }
  })

  it('must be there for every item', async () => {
    const log = madeLog(300, 'numbers')
    const path = await written('parquet', log)
    const model = { itemIds: log.itemIds.slice(1), predictions: new Float64Array(11), value: 0 }
    await expect(fromEngine(path, { target: { kind: 'logging' }, model }, 'user')).rejects.toThrow(
      /rows show an item without a prediction/,
    )
    const short = { ...model, predictions: new Float64Array(3) }
    await expect(fromEngine(path, { target: { kind: 'logging' }, model: short }, 'user')).rejects.toThrow(
      '3 predictions were given for 11 different items',
    )
  })
})

describe('what cannot be summed is refused', () => {
  const header = 'user_id,item_id,reward,propensity,target_prob,timestamp,weight'
  const good = '1,a,0,0.5,0.1,2024-05-01,1\n2,b,1,0.25,0.2,2024-05-02,2\n'
  const target = { kind: 'column', name: 'target_prob' } as const
  const csv = async (text: string): Promise<string> => {
    const path = join(folder, `bad-${counter++}.csv`)
    await writeFile(path, text)
    return path
  }

  it.each([
    ['without a user', ',a,0,0.5,0.1,2024-05-01,1'],
    ['without an item', '1,,0,0.5,0.1,2024-05-01,1'],
    ['without a reward', '1,a,,0.5,0.1,2024-05-01,1'],
    ['with an infinite reward', '1,a,inf,0.5,0.1,2024-05-01,1'],
    ['with a reward that is no number', '1,a,nan,0.5,0.1,2024-05-01,1'],
    ['with a propensity of 0', '1,a,0,0,0.1,2024-05-01,1'],
    ['with a propensity above 1', '1,a,0,1.01,0.1,2024-05-01,1'],
    ['with a negative target probability', '1,a,0,0.5,-0.1,2024-05-01,1'],
    ['with a date that is none', '1,a,0,0.5,0.1,2024-13-01,1'],
    ['with a weight of 0', '1,a,0,0.5,0.1,2024-05-01,0'],
  ])('a row %s', async (_name, row) => {
    const path = await csv(`${header}\n${good}${row}\n`)
    await expect(fromMemory(path, { target }, 'user', [one])).rejects.toThrow('1 row cannot be used')
    for (const by of ['user', 'row'] as const)
      await expect(fromEngine(path, { target }, by, [one])).rejects.toMatchObject({
        code: 'bad-rows',
        message: expect.stringContaining('1 row cannot be used'),
        remedy: expect.stringContaining('without --engine duckdb'),
      })
  })

  it('good rows are not', async () => {
    const moments = await fromEngine(await csv(`${header}\n${good}`), { target }, 'user', [one, weight])
    expect(moments.total(one)).toBe(3)
    expect(moments.total(weight)).toBeCloseTo(0.2 + 2 * 0.8, 12)
  })

  it('all bad rows are counted', async () => {
    const path = await csv(`${header}\n${good}${'1,a,x,7,0.1,2024-05-01,1\n'.repeat(1234)}`)
    await expect(fromEngine(path, { target }, 'user', [one])).rejects.toThrow('1,234 rows cannot be used')
  })

  it.each([
    ['a table that is cut off', `${header}\n${good}3,c`, /cannot be read in place/],
    ['a table without rows', `${header}\n`, /has no rows/],
    ['a weight beyond all numbers', `${header}\n1,a,1,5e-324,1,2024-05-01,1\n`, /sum of w is not finite/],
  ])('%s', async (_name, text, message) => {
    await expect(fromEngine(await csv(text), { target }, 'user', [weight])).rejects.toThrow(message)
  })

  it('terms of a model that is not there', async () => {
    const source = await DuckDbMomentSource.open(await csv(`${header}\n${good}`), { target })
    expect(source.hasModel).toBe(false)
    expect(source.propensitySource).toBe('logged')
    await expect(source.moments(termsOf([estimatorNamed('dr')]), 'user')).rejects.toThrow(
      /columns|predictions/,
    )
    await expect(source.moments(termsOf([estimatorNamed('mips')]), 'user')).rejects.toThrow(/categories/)
    await expect(source.moments([one], 'column')).rejects.toThrow('The log has no cluster column.')
    source.dispose()
  })

  it('a pass that is interrupted', async () => {
    const ending = new AbortController()
    const path = await written('csv', madeLog(1000, 'texts'))
    const source = await DuckDbMomentSource.open(path, { target, signal: ending.signal })
    ending.abort()
    await expect(source.moments([one], 'user')).rejects.toMatchObject({ code: 'interrupted' })
    source.dispose()
  })
})
