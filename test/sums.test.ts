import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { HindcastError } from '../src/error.js'
import { type Estimator, isTuned, termsOf } from '../src/estimate/estimator.js'
import { ESTIMATORS, estimatorNamed } from '../src/estimate/estimators/index.js'
import { type ColumnTarget, sourceConformance } from '../src/estimate/source/conformance.js'
import { exampleLog } from '../src/estimate/source/conformance-logs.js'
import type { LoggersChoice } from '../src/estimate/loggers/loggers-choice.js'
import { evaluateSource } from '../src/estimate/evaluate-source.js'
import { momentsOf } from '../src/estimate/source/prepared-log.js'
import { sqlSums } from '../src/estimate/source/sql-sums.js'
import type { ClusterBy, Moments } from '../src/estimate/source/moments.js'
import type { WeighedRows } from '../src/estimate/source/sum-terms.js'
import { type Known, factsOf, isLacking } from '../src/estimate/source/source.js'
import { itemMean } from '../src/estimate/reward/reward-model.js'
import { memorySums } from '../src/estimate/source/memory-sums.js'
import type { SqlEngine } from '../src/sql/engine.js'
import { importanceWeights } from '../src/estimate/target.js'
import { type Term, one, reward, weight, weightSquared, weightedReward } from '../src/estimate/term.js'
import type { Log } from '../src/log/log.js'
import { parquetBytes } from '../src/log/write/parquet.js'
import { csvText, ndjsonText } from '../src/log/write/text.js'
import { DuckDbSums, type DuckDbSumsOptions, openDuckDbTable } from '../src/node/sums/duckdb-sums.js'
import { readLogFile } from '../src/node/read-log.js'
import { logOfDays } from '../src/estimate/example-days.js'
import { sameByWays } from './by-ways.js'
import { askSums } from '../src/estimate/source/example-asks.js'

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

const estimators: Estimator[] = ESTIMATORS.all
  .filter(({ rows }) => rows !== 'categories' && rows !== 'slates')
  .flatMap((named) => (isTuned(named) ? [named.with(0.3), named.with(1.5)] : [named]))

const TERMS: readonly Term[] = [
  ...new Map(
    [...termsOf(estimators), one, reward, weight, weightSquared, weightedReward].map((term) => [
      term.name,
      term,
    ]),
  ).values(),
]

/** Enough to tell whether rows were read and weighed: kinds of files differ in nothing else. */
const FEW = [one, reward, weight, weightSquared, weightedReward]

async function fromEngine(
  path: string,
  options: DuckDbSumsOptions,
  clusterBy: ClusterBy,
  terms: readonly Term[] = TERMS,
): Promise<Moments> {
  const source = await DuckDbSums.open(path, options)
  try {
    return summed(await askSums(source, terms, clusterBy))
  } finally {
    source.dispose()
  }
}

/** The sums, where there are some. */
function summed(moments: Known<Moments>): Moments {
  if (isLacking(moments)) throw new Error(moments.lacking)
  return moments
}

async function fromMemory(
  path: string,
  options: DuckDbSumsOptions,
  clusterBy: ClusterBy,
  terms: readonly Term[] = TERMS,
): Promise<Moments> {
  const { log } = await readLogFile(path, options)
  const rows: WeighedRows = {
    log,
    weight: importanceWeights(log, options.target as ColumnTarget),
    ...(log.q && { prediction: log.q }),
    ...(log.v && { value: log.v }),
  }
  return momentsOf(rows, terms, clusterBy)
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

describe.each(KINDS)('sums over %s are those of memory', (kind) => {
  const make = async (
    log: Log,
    target: ColumnTarget,
    categories: readonly string[],
    loggers?: LoggersChoice,
  ): Promise<DuckDbSums> => {
    const categoryOf = new Map(log.itemIds.map((id, item) => [id, categories[item]!]))
    return DuckDbSums.open(await written(kind, log), {
      target,
      categories: categoryOf,
      ...(loggers && { loggers }),
    })
  }
  const checks = sourceConformance(make).map(({ name, run }) => [name, run] as const)
  // Kinds differ in how cells are read, not in how they are summed. What the types of Parquet do shows in the sums of a
  // log of each kind of ids, in loggers and in broken rows; compressed text and NDJSON need a log of each kind of ids.
  const checksOf: Record<typeof kind, typeof checks> = {
    csv: checks,
    parquet: checks.filter(([name], k) => k === 2 || k === 3 || /^(the rows|rows) /.test(name)),
    'csv.gz': [checks[0]!, checks[5]!],
    ndjson: [checks[0]!, checks[5]!],
  }
  it.each(checksOf[kind])('%s', (_name, run) => run())

  it('with propensities that are assumed, and rewards made from ratings', async () => {
    const path = await written(kind, exampleLog(200, 'texts'))
    for (const propensity of [{ kind: 'uniform' }, { kind: 'constant', value: 0.2 }] as const) {
      const options = { target: { kind: 'column', name: 'target_prob' }, propensity, clickFrom: 1 } as const
      expectSame(
        await fromEngine(path, options, 'user', FEW),
        await fromMemory(path, options, 'user', FEW),
        FEW,
      )
    }
  })

  it('with columns of other names', async () => {
    const log = exampleLog(100, 'texts')
    const path = await written(kind, log)
    const options = {
      target: { kind: 'column', name: 'v' },
      columns: { target: 'q', q: 'target_prob', user: 'item_id', item: 'user_id' },
    } as const
    expectSame(await fromEngine(path, options, 'user'), await fromMemory(path, options, 'user'))
  })

  it('by the same buckets where there are more clusters than it may answer with', async () => {
    const log = exampleLog(800, 'texts')
    const path = await written(kind, log)
    for (const by of ['user', 'row', 'column'] as const) {
      const options = { target: { kind: 'uniform' }, mostClusters: 10 } as const
      const engine = await fromEngine(path, options, by, FEW)
      expect(engine.by).toBe('bucket')
      expectSame(engine, (await fromMemory(path, options, by, FEW)).inBuckets, FEW)
    }
  })
})

describe('batches about rows that stay in the engine', () => {
  const checks = sourceConformance(async (log, target) => {
    const { engine, table, dispose } = await openDuckDbTable(await written('parquet', log), { target })
    const far: SqlEngine = {
      name: engine.name,
      dialect: engine.dialect,
      numbers: (query) => engine.numbers(query),
      texts: (query) => engine.texts(query),
      groups: (...asked) => engine.groups(...asked),
    }
    return Object.assign(sqlSums(far, table), { dispose })
  })
  it.each(checks.filter(({ name }) => name.startsWith('a batch')).map(({ name, run }) => [name, run]))(
    'are answered by its SQL: %s',
    (_name, run) => (run as () => Promise<void>)(),
  )
})

describe('users, days and the cells of both', () => {
  // 40 users on 7 days.
  it.each([
    [10, ['bucket', 'cluster', 'bucket']],
    [100, ['cluster', 'cluster', 'bucket']],
    [1000, ['cluster', 'cluster', 'cluster']],
  ])('are those of memory where at most %i clusters come back', async (mostClusters, by) => {
    for (const shape of ['texts', 'numbers'] as const) {
      const log = logOfDays(8, { rows: 900, users: 40, days: 7 })
      const userIds = shape === 'texts' ? log.userIds : log.userIds.map((_, k) => String(k * 3 - 5))
      const path = await written('parquet', { ...log, userIds })
      const target = { kind: 'column', name: 'target_prob' } as const
      const memory = memorySums((await readLogFile(path)).log, { target, seed: 0, rewardModel: itemMean })
      const { engine, table, dispose } = await openDuckDbTable(path, { target, mostClusters })
      let passes = 0
      const counting: SqlEngine = {
        name: engine.name,
        dialect: engine.dialect,
        numbers: (query) => engine.numbers(query),
        texts: (query) => engine.texts(query),
        groups: (...query) => {
          passes++
          return engine.groups(...query)
        },
      }
      expect(await sameByWays(sqlSums(counting, table), memory)).toEqual(by)
      expect(passes).toBe(mostClusters === 1000 ? 3 : 1)
      dispose()
    }
  })

  it('have the same buckets when cells are asked for by themselves', async () => {
    const path = await written('parquet', logOfDays(9, { rows: 900, users: 40, days: 7 }))
    const options = { target: { kind: 'uniform' }, mostClusters: 10 } as const
    for (const by of ['user×day', 'day×user', 'user×column', 'column×day'] as const) {
      const engine = await fromEngine(path, options, by, [one, reward, weight])
      expect(engine.by).toBe('bucket')
      expectSame(engine, (await fromMemory(path, options, by, [one, reward, weight])).inBuckets, [
        one,
        reward,
      ])
    }
  })
})

describe('a source', () => {
  const target = { kind: 'uniform' } as const

  it('answers several questions at once', async () => {
    const path = await written('parquet', exampleLog(500, 'numbers'))
    const source = await DuckDbSums.open(path, { target })
    const answers = await Promise.all(
      (['user', 'row', 'column'] as const).map((by) => askSums(source, TERMS, by)),
    )
    source.dispose()
    for (const [k, by] of (['user', 'row', 'column'] as const).entries())
      expectSame(summed(answers[k]!), await fromMemory(path, { target }, by))
  })

  it.each(KINDS)('knows the catalogue of %s as memory does', async (kind) => {
    const path = await written(kind, exampleLog(500, 'texts'))
    const catalogue = ['never shown', 'nor this', "item '3', é"]
    const { log } = await readLogFile(path, { catalogue })
    const memory = memorySums(log, { target, seed: 0, rewardModel: itemMean })
    const source = await DuckDbSums.open(path, { target, catalogue })
    const { items, unsupportedMass } = await factsOf(memory)
    expect(await factsOf(source)).toMatchObject({ items, unsupportedMass })
    expect(unsupportedMass).toBeCloseTo(2 / items, 12)
    source.dispose()
  })
})

describe('predictions by item', () => {
  it.each(KINDS)('are those of memory over %s', async (kind) => {
    for (const ids of ['numbers', 'texts'] as const) {
      const { q: _, v: __, ...log } = exampleLog(300, ids)
      const predictions = Float64Array.from(log.itemIds, (_id, k) => 0.1 + k / 20)
      const path = await written(kind, log)
      const target = { kind: 'uniform' } as const
      const engine = await fromEngine(
        path,
        { target, catalogue: log.itemIds, model: { itemIds: log.itemIds, predictions, value: 0.4 } },
        'user',
      )
      const memory = momentsOf(
        {
          log,
          weight: importanceWeights(log, target),
          prediction: Float64Array.from(log.item, (item) => predictions[item]!),
          value: new Float64Array(log.rows).fill(0.4),
        },
        TERMS,
        'user',
      )
      expectSame(engine, memory)
    }
  })

  it('must be there for every item', async () => {
    const log = exampleLog(300, 'numbers')
    const path = await written('parquet', log)
    const model = { itemIds: log.itemIds.slice(1), predictions: new Float64Array(11), value: 0 }
    await expect(fromEngine(path, { target: { kind: 'logging' }, model }, 'user')).rejects.toThrow(
      /without a prediction/,
    )
    const short = { ...model, predictions: new Float64Array(3) }
    await expect(fromEngine(path, { target: { kind: 'logging' }, model: short }, 'user')).rejects.toThrow(
      '3 predictions for 11 different items',
    )
  })
})

describe('categories of items', () => {
  const target = { kind: 'column', name: 'target_prob' } as const
  const terms = termsOf(['mips', 'snmips', 'offcem'].map((name) => estimatorNamed(name)))
  const categoriesOf = (log: Log): string[] => log.itemIds.map((_, item) => `c${item % 3}`)
  const byId = (log: Log): Map<string, string> =>
    new Map(categoriesOf(log).map((category, item) => [log.itemIds[item]!, category]))

  it.each(['numbers', 'texts'] as const)('give the sums of memory, with ids that are %s', async (ids) => {
    const log = exampleLog(600, ids)
    const memory = memorySums(log, {
      target,
      seed: 0,
      rewardModel: itemMean,
      categories: categoriesOf(log),
    })
    const source = await DuckDbSums.open(await written('parquet', log), { target, categories: byId(log) })
    for (const by of ['user', 'row', 'column'] as const)
      expectSame(
        summed(await askSums(source, terms, by, 'categories')),
        summed(await askSums(memory, terms, by, 'categories')),
        terms,
      )
    source.dispose()
  })

  it('leave OffCEM without a value where there is no model, and MIPS with one', async () => {
    const { q: _q, v: _v, ...log } = exampleLog(300, 'texts')
    const source = await DuckDbSums.open(await written('parquet', log), { target, categories: byId(log) })
    const { evaluation } = await evaluateSource(source, { estimators: ['mips', 'offcem'] })
    source.dispose()
    expect(evaluation.estimates[0]!.value).toBeGreaterThan(0)
    expect(evaluation.estimates[1]).toMatchObject({
      value: null,
      reason: 'it needs a reward model, and none is given',
    })
  })

  it('must be there for every item', async () => {
    const log = exampleLog(300, 'texts')
    const categories = byId(log)
    categories.delete(log.itemIds[log.item[0]!]!)
    const source = await DuckDbSums.open(await written('parquet', log), { target, categories })
    await expect(askSums(source, terms, 'user', 'categories')).rejects.toThrow(
      /rows have an item without a category/,
    )
    source.dispose()
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
    ['with a reward that is not a number', '1,a,nan,0.5,0.1,2024-05-01,1'],
    ['with a propensity of 0', '1,a,0,0,0.1,2024-05-01,1'],
    ['with a propensity above 1', '1,a,0,1.01,0.1,2024-05-01,1'],
    ['with a negative target probability', '1,a,0,0.5,-0.1,2024-05-01,1'],
    ['with a date that is none', '1,a,0,0.5,0.1,2024-13-01,1'],
    ['with a weight of 0', '1,a,0,0.5,0.1,2024-05-01,0'],
  ])('a row %s', async (_name, row) => {
    const path = await csv(`${header}\n${good}${row}\n`)
    const inMemory = await fromMemory(path, { target }, 'user', [one]).catch((error: unknown) => error)
    const { message, remedy } = inMemory as HindcastError
    expect(message).toMatch(/: 1 row cannot be used\.\n  line \d, column /)
    for (const by of ['user', 'row'] as const)
      await expect(fromEngine(path, { target }, by, [one])).rejects.toMatchObject({
        code: 'bad-rows',
        message,
        remedy,
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
    ['a table that is cut off', `${header}\n${good}3,c`, /line 4: has 2 fields where 7 are expected/],
    ['a table without rows', `${header}\n`, /has no rows/],
    [
      'a weight beyond all numbers',
      `${header}\n1,a,1,5e-324,1,2024-05-01,1\n`,
      /1 row cannot be used: 1 with a propensity below 1e-50 and 1 with an importance weight beyond 1e\+50 \(row 1\)/,
    ],
  ])('%s', async (_name, text, message) => {
    await expect(fromEngine(await csv(text), { target }, 'user', [weight])).rejects.toThrow(message)
  })

  it('terms of a model that is not there: it says what it lacks', async () => {
    const source = await DuckDbSums.open(await csv(`${header}\n${good}`), { target })
    const model = await askSums(source, termsOf([estimatorNamed('dr')]), 'user', 'model')
    expect(model).toEqual({ lacking: expect.stringContaining('columns q and v') })
    const categories = await askSums(source, termsOf([estimatorNamed('mips')]), 'user', 'categories')
    expect(categories).toEqual({ lacking: 'the categories of the items are unknown' })
    await expect(askSums(source, [one], 'column')).rejects.toThrow('The log has no cluster column.')
    source.dispose()
  })

  it('a pass that is interrupted', async () => {
    const ending = new AbortController()
    const path = await written('csv', exampleLog(1000, 'texts'))
    const source = await DuckDbSums.open(path, { target, signal: ending.signal })
    ending.abort()
    await expect(askSums(source, [one], 'user')).rejects.toMatchObject({ code: 'interrupted' })
    source.dispose()
  })
})
