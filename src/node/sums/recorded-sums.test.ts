import { describe, expect, it } from 'vitest'
import { evaluatorOf } from '../../estimate/evaluate.js'
import { type EvaluateSourceOptions, evaluateSource } from '../../estimate/evaluate-source.js'
import { influenceOf, standardErrorOf, termsOf, valueOf } from '../../estimate/estimator.js'
import { snips } from '../../estimate/estimators/importance.js'
import type { Evaluation } from '../../estimate/evaluation.js'
import { exampleLog } from '../../estimate/source/conformance-logs.js'
import { sameAnswers, sameBatch } from '../../estimate/source/as-in-memory.js'
import { askSums, changedIn, known } from '../../estimate/source/example-asks.js'
import { type ClusterBy, type ClusterColumn, JOINT, type Moments } from '../../estimate/source/moments.js'
import { type Known, type Seen, type SumsQuery, factsOf, isLacking } from '../../estimate/source/source.js'
import { recordedSums } from '../../estimate/source/sums-statement.js'
import type { Target } from '../../estimate/target.js'
import type { Log } from '../../log/log.js'
import { one, weight, weightedReward } from '../../estimate/term.js'
import { distributionOf, policyOf } from '../../policy/distribution.js'
import { pow } from '../../portable-math.js'
import { exampleBatch } from '../../queries/example-batch.js'
import type { Answers, Batch, RowNumber } from '../../queries/query.js'
import { randomStream } from '../../random/stream.js'
import { number } from '../../sql/expression.js'
import { policyTarget } from '../../sql/script/policy-steps.js'
import { duckdb } from '../../sql/dialects/duckdb.js'
import { ranStatement } from './example-statement.js'

/** A log of clicks: how many rows, users and days, how heavy its weights, and the ids of its users. */
interface World {
  readonly rows?: number
  readonly users?: number
  readonly days?: number
  readonly tail?: number
  readonly ids?: (user: number) => string
}

function clicks(
  seed: number,
  { rows = 2000, users = 200, days = 0, tail = 1, ids = (k) => `u${k}` }: World = {},
): Log {
  const { uniform } = randomStream(seed, 'recorded')
  const below = (most: number): number => Math.floor(uniform() * most)
  const drawn = Uint32Array.from({ length: rows }, () => below(users))
  const used = [...new Set(drawn)]
  const place = new Map(used.map((id, k) => [id, k]))
  const propensity = Float64Array.from({ length: rows }, () => 0.02 + 0.98 * pow(uniform(), 1 + tail))
  return {
    rows,
    user: drawn.map((id) => place.get(id)!),
    userIds: used.map(ids),
    item: Uint32Array.from({ length: rows }, (_, k) => (k < 20 ? k : below(20))),
    itemIds: Array.from({ length: 20 }, (_, k) => `i${k}`),
    catalogueKnown: false,
    reward: Float64Array.from({ length: rows }, () => (uniform() < 0.3 ? 1 : 0)),
    propensity,
    propensitySource: 'logged',
    target: propensity.map((b) => Math.min(1, b * 2 * uniform())),
    ...(days > 0 && {
      time: Float64Array.from({ length: rows }, () => 1.7e12 + Math.floor(uniform() * days * 86_400e3)),
    }),
  }
}

const column = { kind: 'column', name: 'target' } as const

/** Numbers alike to 1e-9, all else the same. */
function expectAlike(found: unknown, expected: unknown, path = ''): void {
  if (typeof found === 'number' && typeof expected === 'number') {
    if (!(Math.abs(found - expected) <= 1e-9 * Math.max(1e-3, Math.abs(expected))))
      expect(found, path).toBe(expected)
    return
  }
  if (typeof found === 'object' && found !== null && typeof expected === 'object' && expected !== null) {
    expect(Object.keys(found), path).toEqual(Object.keys(expected))
    for (const [name, value] of Object.entries(expected))
      expectAlike((found as Record<string, unknown>)[name], value, `${path}.${name}`)
    return
  }
  expect(found, path).toEqual(expected)
}

async function askBatch(seen: Seen, batch: Batch, by?: ClusterColumn): Promise<Known<Answers>> {
  return (await seen.ask([{ ask: 'batch', batch, ...(by && { by }) }]))[0]
}

/** An evaluation without what says who computed it. */
const told = ({ sums: _sums, ...rest }: Evaluation): unknown => rest

/** Sums with users in buckets, and days as they are. */
function inBuckets(moments: Moments, { by }: SumsQuery): Moments {
  const [first, second] = typeof by === 'string' ? [by] : by
  const own = first === 'day' ? moments : moments.inBuckets
  if (moments.crossed.length === 0) return own
  return own.crossedWith(
    moments.crossed.map(({ sign, moments: other }, k) => ({
      sign,
      moments: k === 0 && second === 'day' ? other : other.inBuckets,
    })),
  )
}

/** The evaluation of a log in memory, of users in buckets: those of a statement always are. */
async function inMemory(log: Log, target: Target, options: EvaluateSourceOptions): Promise<Evaluation> {
  const memory = evaluatorOf(log).source(target)
  const source = changedIn(memory, (query, answer) =>
    query.ask === 'sums' && !isLacking(answer) ? inBuckets(answer as Moments, query) : answer,
  )
  return (await evaluateSource(source, options)).evaluation
}

const tied = clicks(3)
const sparse = clicks(9)
const LOGS: readonly (readonly [string, Log, Target])[] = [
  ['a clean one', clicks(1), column],
  ['uniformly', clicks(1), { kind: 'uniform' }],
  ['as it was logged', clicks(1), { kind: 'logging' }],
  ['a heavy tail', clicks(2, { tail: 6 }), column],
  ['tied weights', { ...tied, propensity: tied.propensity!.map((b) => (b < 0.3 ? 0.1 : 0.5)) }, { kind: 'uniform' }], // prettier-ignore
  ['ten days', clicks(4, { days: 10 }), column],
  ['three days', clicks(5, { days: 3 }), column],
  ['a single user', clicks(6, { users: 1, rows: 200 }), column],
  ['ids in all scripts', clicks(7, { ids: (k) => `Ünïcode 用户 '${k}", \\ ; -- 😀` }), column],
  ['64-bit ids', clicks(8, { ids: (k) => String(9007199254740993n + BigInt(k)) }), column],
  ['numbers of impressions, amounts and predictions', exampleLog(1500, 'texts'), column],
  ['few weights above zero', { ...sparse, target: sparse.target!.map((p, k) => (k % 500 === 0 ? p : 0)) }, column], // prettier-ignore
]

describe('sums that one statement computed give the evaluation of the log in memory', () => {
  it.each(LOGS)('%s', async (_name, log, target) => {
    const options = { estimators: ['ips', 'snips', ...(log.q ? ['dm', 'dr'] : ['clipped-ips:3'])] }
    const { source } = await ranStatement(log, { target: target as typeof column, ...options })
    const { evaluation } = await evaluateSource(source, { ...options, checks: false })
    expectAlike(told(evaluation), told(await inMemory(log, target, { ...options, checks: false })))
  })

  it.each([
    ['ten days', clicks(4, { days: 10 })],
    ['items shown more often than their propensities say', { ...clicks(20, { days: 6 }), propensity: clicks(20, { days: 6 }).propensity!.map((b, k) => (k % 3 === 0 ? b / 4 : b)) }], // prettier-ignore
  ])('with all checks of the rows: %s', async (_name, log) => {
    const options = { estimators: ['snips'] }
    const { source } = await ranStatement(log, { target: column, ...options })
    const { evaluation } = await evaluateSource(source, options)
    expectAlike(told(evaluation), told(await inMemory(log, column, options)))
  })

  it('by other clusters', async () => {
    const log = exampleLog(800, 'texts')
    const options = { estimators: ['ips', 'snips'], cluster: 'column', checks: false }
    const { source } = await ranStatement(log, { target: column, cluster: 'column' })
    const { evaluation } = await evaluateSource(source, options)
    expectAlike(told(evaluation), told(await inMemory(log, column, options)))
  })

  it.each(['user', 'user+day', 'day+user', 'column', 'column+day', 'user+column'])(
    'by %s: the same buckets',
    async (cluster) => {
      const own = exampleLog(900, 'texts')
      const time = clicks(19, { rows: own.rows, days: 12 }).time!
      // A day before 1970 is one like any other.
      const log = { ...own, time: time.with(5, -1e9) }
      const { source } = await ranStatement(log, { target: column, cluster })
      const memory = evaluatorOf(log).source(column)
      const terms = [one, weight, weightedReward]
      for (const by of [...cluster.split('+'), cluster.replace('+', JOINT)] as ClusterBy[]) {
        const queries = [{ ask: 'sums', terms, by }, { ask: 'facts' }] as const
        const found = await source.ask(queries)
        expect(known(found[0]).clusters).toBeGreaterThan(1)
        sameAnswers(queries, found, await memory.ask(queries), () => false)
      }
    },
  )
})

describe('a batch that one statement answered', () => {
  const shape = { hasTimes: true, hasPositions: false, hasPropensities: true }
  const { again: _, ...forgetful } = duckdb
  it.each([
    ['by user', clicks(14, { days: 9 }), shape, 'user'],
    ['by other clusters, of rows that stand for several', exampleLog(700, 'numbers'), { ...shape, hasTimes: false }, 'column'], // prettier-ignore
    ['of a policy in a table', clicks(15, { days: 9, users: 20 }), shape, 'user'],
    ['in an engine that computes steps wherever they are named', clicks(18, { days: 9 }), shape, 'user'],
  ] as const)('has the answers of the log in memory: %s', async (name, log, has, cluster) => {
    const batch = exampleBatch(has)
    const inTable = name.includes('table')
    const listed = log.itemIds.map((item) => `('${item}', ${duckdb.number(1 / log.itemIds.length)})`)
    const policy = { from: 'policy', item: 'item_id', probability: 'p', missing: 'error' } as const
    const { source } = await ranStatement(
      log,
      { target: inTable ? policyTarget('shop.policy', policy) : column, ...(inTable && { policy }), checks: batch, cluster, ...(name.includes('engine') && { dialect: forgetful }) }, // prettier-ignore
      `CREATE TABLE policy AS SELECT * FROM (VALUES ${listed.join(', ')}) AS t(item_id, p)`,
    )
    const target = inTable ? ({ kind: 'uniform' } as const) : column
    const memory = evaluatorOf(log).source(target)
    sameBatch(known(await askBatch(source, batch, cluster)), known(await askBatch(memory, batch, cluster)))
  })

  it('is lacking where the statement asked another, or for other clusters', async () => {
    const batch = exampleBatch({ ...shape, hasTimes: false })
    const { source } = await ranStatement(clicks(16), { target: column, checks: batch })
    expect(isLacking(await askBatch(source, batch))).toBe(false)
    expect(isLacking(await askBatch(source, batch, 'column'))).toBe(true)
    expect(isLacking(await askBatch(source, { ...batch, factors: {} }))).toBe(false)
    const { sizes } = batch.sums
    for (const other of [{ by: [] }, { sums: { rows: number(2) } }, { least: { more: number(1) } }])
      expect(isLacking(await askBatch(source, { ...batch, sums: { sizes: { ...sizes!, ...other } } }))).toBe(
        true,
      )
    const { source: silent } = await ranStatement(clicks(16), { target: column })
    expect(isLacking(await askBatch(silent, batch))).toBe(true)
  })

  it('answers any part of it', async () => {
    const batch = exampleBatch(shape)
    const log = clicks(19, { days: 9 })
    const { source } = await ranStatement(log, { target: column, checks: batch })
    const [[name, query]] = Object.entries(batch.sums).slice(-1) as [[string, Batch['sums'][string]]]
    const [[sum, of]] = Object.entries(query.sums) as [[string, RowNumber]]
    const part = {
      ...batch,
      sums: { [name]: { by: query.by, sums: { [sum]: of } } },
      factors: {},
      largest: {},
    }
    const memory = evaluatorOf(log).source(column)
    sameBatch(known(await askBatch(source, part)), known(await askBatch(memory, part)))
  })

  it('comes back whole where rows cannot be used, which are named', async () => {
    const log = clicks(17, { days: 9 })
    const broken = { ...log, reward: log.reward.with(3, NaN), propensity: log.propensity!.with(4, 0) }
    const { source } = await ranStatement(broken, { target: column, checks: exampleBatch(shape) })
    expect((await factsOf(source)).broken.rows).toBe(2)
  })
})

describe('users in buckets', () => {
  it.each([
    [300, 1e-3],
    [3000, 5e-3],
    [20_000, 5e-3],
  ])('have nearly the standard errors of %d users, and the same values', async (users, most) => {
    const log = clicks(10, { rows: 2 * users, users, tail: 2 })
    const { source } = await ranStatement(log, { target: column })
    const terms = [one, ...termsOf([snips])]
    const found = known(await askSums(source, terms, 'user'))
    const exact = known(await askSums(evaluatorOf(log).source(column), terms, 'user'))
    expect(found.by).toBe('bucket')
    expect(valueOf(snips, found)).toBeCloseTo(valueOf(snips, exact)!, 12)
    const errorOf = (moments: Moments): number => standardErrorOf(influenceOf(snips, moments))!
    expect(Math.abs(errorOf(found) / errorOf(exact) - 1)).toBeLessThan(most)
  })
})

describe('what comes back', () => {
  it('has no id of a user, and says how many rows each part has', async () => {
    const log = clicks(11, { days: 6, ids: (k) => `secret-${k}` })
    const { rows } = await ranStatement(log, { target: column })
    expect(JSON.stringify(rows)).not.toContain('secret')
    expect(rows.length).toBeLessThan(4 * log.rows)
    for (const part of new Set(rows.map((row) => row.part)))
      expect(rows.filter((row) => row.part === part)).toHaveLength(
        rows.find((row) => row.part === part)!.partRows!,
      )
  })

  it('is refused where rows are missing, numbers were rounded, or it is of another version', async () => {
    const { rows } = await ranStatement(clicks(12), { target: column })
    const read = (changed: typeof rows) => () => recordedSums('sums.csv', changed)
    expect(read(rows)).not.toThrow()
    for (const part of ['setting', 'answer', 'fact', 'fault'])
      expect(read(rows.toSpliced(rows.findIndex((row) => row.part === part), 1)), part).toThrow(/whole result/) // prettier-ignore
    expect(read([])).toThrow(/no rows/)
    const rounded = rows.map((row) => (row.id === 'exact' ? { ...row, numbers: [0.333333] } : row))
    expect(read(rounded)).toThrow(/rounded/)
    const older = rows.map((row) => (row.id?.startsWith('format=') ? { ...row, id: 'format=0' } : row))
    expect(read(older)).toThrow(/version 0/)
    const other = rows.map((row) => (row.id?.startsWith('batch=') ? { ...row, id: 'batch=0' } : row))
    expect(read(other)).toThrow(/another version/)
    expect(read(rows.filter(({ part }) => part !== 'answer'))).toThrow(/"answer" is missing/)
  })
})

describe('rows that cannot be used', () => {
  const log = clicks(13, { days: 3 })
  const faults: readonly (readonly [string, Log])[] = [
    ['rewards', { ...log, reward: log.reward.with(3, NaN).with(4, Infinity).with(5, 1e308) }],
    ['propensities', { ...log, propensity: log.propensity!.with(3, NaN).with(4, 0).with(5, Infinity).with(6, -1).with(7, 1e-300) }], // prettier-ignore
    ['targets', { ...log, target: log.target!.with(3, 2).with(4, NaN) }],
    ['times', { ...log, time: log.time!.with(3, NaN).with(4, Infinity) }],
  ]
  it.each(faults)('are counted and named: %s', async (_name, broken) => {
    const { source } = await ranStatement(broken, { target: column })
    const { broken: expected } = await factsOf(evaluatorOf(broken).source(column))
    const { broken: found } = await factsOf(source)
    const { examples, ...counts } = found
    expect(counts).toEqual({ rows: expected.rows, faults: expected.faults })
    expect(examples).toHaveLength(expected.rows)
    for (const row of [3, 4])
      expect(examples).toContainEqual(expect.stringContaining(`user ${log.userIds[log.user[row]!]}, item ${log.itemIds[log.item[row]!]}, `)) // prettier-ignore
    await expect(evaluateSource(source)).rejects.toThrow(/cannot be used/)
  })

  it('are named by at most five, and none is in a sound log', async () => {
    const { source } = await ranStatement({ ...log, reward: log.reward.map(() => NaN) }, { target: column })
    expect((await factsOf(source)).broken.examples).toHaveLength(5)
    expect((await factsOf((await ranStatement(log, { target: column })).source)).broken).toEqual({ rows: 0, faults: [] }) // prettier-ignore
  })
})

describe('a policy in a table of the engine', () => {
  const log = clicks(30, { rows: 800, users: 30 })
  const policy = {
    from: 'policy',
    user: 'user_id',
    item: 'item_id',
    probability: 'p',
    missing: 'error',
  } as const
  const target = policyTarget('shop.policy', policy)
  const chance = (user: number, item: number): number => (1 + ((user * 7 + item) % 5)) / 60
  const sumOf = (user: number): number => log.itemIds.reduce((sum, _, item) => sum + chance(user, item), 0)
  const rows = log.userIds.flatMap((id, user) =>
    log.itemIds.map((item, k) => `('${id}', '${item}', ${duckdb.number(chance(user, k) / sumOf(user))})`),
  )
  const table = (values: readonly string[]): string =>
    `CREATE TABLE policy AS SELECT * FROM (VALUES ${values.join(', ')}) AS t(user_id, item_id, p)`

  it('is joined there', async () => {
    const { source } = await ranStatement(log, { target, policy }, table(rows))
    const options = { estimators: ['ips', 'snips'], checks: false }
    const { evaluation } = await evaluateSource(source, options)
    const inMemory = policyOf('warehouse:shop.policy', log.itemIds.length, (user) =>
      distributionOf(Float64Array.from(log.itemIds, (_, k) => chance(user, k) / sumOf(user))),
    )
    const { evaluation: expected } = await evaluatorOf(log, options).evaluate({ kind: 'policy', policy: inMemory }) // prettier-ignore
    expectAlike(told(evaluation), told(expected))
  })

  it('is refused where it lists a pair twice, sums to less than 1, or lacks users', async () => {
    const facts = async (values: readonly string[]) =>
      factsOf((await ranStatement(log, { target, policy }, table(values))).source)
    await expect(facts([...rows, rows[0]!])).rejects.toThrow(/more than once/)
    await expect(facts(rows.slice(1))).rejects.toThrow(/1 user do not sum to 1 \(the largest sum is 0\.\d+\)/)
    await expect(facts(rows.slice(20))).rejects.toThrow(/does not have 1 user/)
    await expect(facts(rows.with(0, `('u0', 'i0', -1)`))).rejects.toThrow(/no valid probability/)
  })
})
