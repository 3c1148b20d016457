import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { evaluate } from '../src/estimate/evaluate.js'
import type { Evaluation } from '../src/estimate/evaluation.js'
import { logOfDays, sumsOf } from '../src/estimate/example-days.js'
import { influenceOf, standardErrorOf, termsOf } from '../src/estimate/estimator.js'
import { snips } from '../src/estimate/estimators/importance.js'
import type { Moments } from '../src/estimate/source/moments.js'
import { momentsOf } from '../src/estimate/source/prepared-log.js'
import { isLacking } from '../src/estimate/source/source.js'
import { influencesOf, spreadOf } from '../src/estimate/spread.js'
import type { Log } from '../src/log/log.js'
import { parquetBytes } from '../src/log/write/parquet.js'
import { evaluateFile } from '../src/node/evaluate-file.js'
import { readLogFile } from '../src/node/read-log.js'
import { exp, log as naturalLog } from '../src/portable-math.js'
import { randomStream } from '../src/random/stream.js'
import { askSums } from '../src/estimate/source/example-asks.js'

/** The same log gets the same answer and the same verdict, whoever sums it. */
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-engines-'))
})
afterAll(() => rm(folder, { recursive: true }))

interface Shape {
  readonly rows: number
  readonly users: number
  /** The shape of the tail of the weights: 0 has none, 1 has no mean. */
  readonly tail: number
  readonly rate: number
}

/** Clicks on items whose weights have a Pareto tail. */
function logOf(seed: number, { rows, users, tail, rate }: Shape): Log {
  const { uniform } = randomStream(seed, 'engines')
  const ids = (letter: string, count: number): string[] =>
    Array.from({ length: count }, (_, k) => `${letter}${String(k).padStart(7, '0')}`)
  const draw = (below: number): Uint32Array =>
    Uint32Array.from({ length: rows }, () => Math.floor(uniform() * below))
  const weights = Float64Array.from(
    { length: rows },
    () => (1 - tail) * exp(-tail * naturalLog(1 - uniform())),
  )
  const largest = weights.reduce((most, w) => Math.max(most, w), 1)
  return {
    rows,
    user: draw(users),
    item: draw(20),
    userIds: ids('u', users),
    itemIds: ids('i', 20),
    catalogueKnown: false,
    reward: Float64Array.from({ length: rows }, () => (uniform() < rate ? 1 : 0)),
    propensity: weights.map((w) => w / largest / (w * w)),
    propensitySource: 'logged',
    target: weights.map((w) => w / largest / w),
  }
}

async function byBoth(
  log: Log,
  name: string,
  cluster = 'user',
): Promise<{ memory: Evaluation; duckdb: Evaluation }> {
  const path = join(folder, name)
  await writeFile(path, await parquetBytes(log))
  const target = { kind: 'column', name: 'target_prob' } as const
  const estimators = ['ips', 'snips', 'clipped-ips', 'sub-gaussian-ips:0.1', 'mips', 'snmips', 'offcem']
  const options = { estimators, cluster }
  const { log: read } = await readLogFile(path)
  const categories = read.itemIds.map((_, item) => `category ${item % 3}`)
  const { evaluation: memory } = await evaluate(read, { target, categories, ...options })
  const categoryOf = new Map(read.itemIds.map((id, item) => [id, categories[item]!]))
  const onDisk = { target, categories: categoryOf }
  const duckdb = await evaluateFile(path, onDisk, options, async ({ evaluation }) => evaluation)
  return { memory, duckdb }
}

function expectSame({ memory, duckdb }: { memory: Evaluation; duckdb: Evaluation }): void {
  expect(duckdb.verdict.level).toBe(memory.verdict.level)
  expect(duckdb.verdict.reasons.map(({ code, message }) => [code, message])).toEqual(
    memory.verdict.reasons.map(({ code, message }) => [code, message]),
  )
  expect(duckdb.log).toEqual({ ...memory.log, meanReward: expect.closeTo(memory.log.meanReward, 12) })
  memory.estimates.forEach(({ value, se, interval, lambda }, k) => {
    const other = duckdb.estimates[k]!
    expect(other.lambda).toEqual(lambda)
    for (const [a, b] of [
      [other.value, value],
      [other.se, se],
      [other.interval?.[0], interval?.[0]],
      [other.interval?.[1], interval?.[1]],
    ])
      if (b === null || b === undefined) expect(a ?? null).toBeNull()
      else expect(Math.abs(a! - b)).toBeLessThanOrEqual(1e-12 * Math.max(1, Math.abs(b)))
  })
}

describe('memory and DuckDB agree', () => {
  it('on sixty thousand rows whose weights have a heavy tail', async () => {
    const both = await byBoth(logOf(3, { rows: 60_000, users: 6000, tail: 0.8, rate: 0.1 }), 'heavy.parquet')
    expectSame(both)
    expect(both.memory.diagnostics.paretoK).toBeGreaterThan(0.7)
  })

  it.each(Array.from({ length: 10 }, (_, seed) => seed))('on random log %i', async (seed) => {
    const { uniform } = randomStream(seed, 'shapes')
    const shape: Shape = {
      rows: 200 + Math.floor(3000 * uniform()),
      users: 3 + Math.floor(500 * uniform() ** 2),
      tail: 0.9 * uniform(),
      rate: 0.5 * uniform() ** 2,
    }
    const cluster = seed % 3 === 0 ? 'row' : 'user'
    expectSame(await byBoth(logOf(seed, shape), `log-${seed}.parquet`, cluster))
  })
})

describe('memory and DuckDB agree on users and days', () => {
  it.each(['auto', 'day', 'user+day', 'user+column', 'column+day'])('--cluster %s', async (cluster) => {
    const log = logOfDays(5, { rows: 900, users: 70, days: 9 })
    const both = await byBoth(log, `days-${cluster}.parquet`, cluster)
    expectSame(both)
    expect(both.duckdb).toMatchObject({ cluster: both.memory.cluster, days: 9 })
    if (cluster === 'auto') expect(both.memory.cluster).toBe('user+day')
  })

  it('whatever unit times are in', async () => {
    const log = logOfDays(6, { rows: 500, users: 60, days: 6 })
    const inSeconds = { ...log, time: log.time!.map((at) => Math.floor(at / 1000)) }
    const both = await byBoth(inSeconds, 'seconds.parquet', 'user+day')
    expectSame(both)
    expect([both.memory.days, both.duckdb.days]).toEqual([6, 6])
  })
})

describe('buckets of users', () => {
  const varianceOf = (moments: Moments): number => standardErrorOf(influenceOf(snips, moments))! ** 2

  it('have the standard error of the users, within 1 % for 200,000 users', () => {
    const seen = logOf(1, { rows: 400_000, users: 200_000, tail: 0.3, rate: 0.2 })
    const weight = seen.target!.map((pi, row) => pi / seen.propensity![row]!)
    const moments = momentsOf({ log: seen, weight }, termsOf([snips]), 'user')
    const errorOf = (of: typeof moments): number => standardErrorOf(influenceOf(snips, of))!
    expect(moments.inBuckets.clusters).toBeGreaterThan(60_000)
    expect(errorOf(moments.inBuckets) / errorOf(moments)).toBeCloseTo(1, 1.7)
  })

  it('and of cells have that of users and days, where days differ', async () => {
    const drawn = logOfDays(2, { rows: 150_000, users: 100_000, days: 12 })
    const isGood = (row: number): boolean => Math.floor(drawn.time![row]! / 86_400_000) % 3 === 0
    const log = { ...drawn, reward: drawn.reward.map((click, row) => (isGood(row) ? 1 : click)) }
    const source = sumsOf(log)
    const found = await askSums(source, termsOf([snips]), ['user', 'day'])
    if (isLacking(found)) throw new Error(found.lacking)
    const dealt = found.inBuckets.crossedWith(
      found.crossed.map(({ sign, moments }) => ({ sign, moments: sign < 0 ? moments.inBuckets : moments })),
    )
    const errorOf = (of: Moments): number => spreadOf(influencesOf(snips, of))!
    expect(errorOf(found)).toBeGreaterThan(2 * standardErrorOf(influenceOf(snips, found))!)
    expect(dealt.crossed.map(({ moments }) => moments.by)).toEqual(['cluster', 'bucket'])
    expect(errorOf(dealt) / errorOf(found)).toBeCloseTo(1, 2)
    // Days are most of that; what users add to their cells is small beside them, and stays what it is.
    const [users, cells] = [found, found.crossed[1]!.moments].map(varianceOf)
    const [dealtUsers, dealtCells] = [dealt, dealt.crossed[1]!.moments].map(varianceOf)
    expect((dealtUsers! - dealtCells!) / users!).toBeCloseTo((users! - cells!) / users!, 1.5)
  })
})
