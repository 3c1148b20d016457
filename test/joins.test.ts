import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { DuckDBInstance } from '@duckdb/node-api'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { HindcastError } from '../src/error.js'
import { momentsOf } from '../src/estimate/source/prepared-log.js'
import type { Moments } from '../src/estimate/source/moments.js'
import { isLacking } from '../src/estimate/source/source.js'
import { importanceWeights } from '../src/estimate/target.js'
import { one, reward, weightedReward } from '../src/estimate/term.js'
import { bytesInput } from '../src/log/bytes/input.js'
import { type ExampleDecision, type ExampleOutcome, joinedSlowly } from '../src/log/join/example-join.js'
import type { JoinFacts } from '../src/log/join/join-facts.js'
import { COMBINATIONS, type JoinOptions, type LogParts } from '../src/log/join/join-options.js'
import { readLogFile } from '../src/node/read-log.js'
import { DuckDbSums } from '../src/node/sums/duckdb-sums.js'
import type { ReadLog, ReadOptions } from '../src/read/plan.js'
import { readLog } from '../src/read/read-log.js'
import { type EventTable, joinConformance } from './join-conformance.js'
import { askSums } from '../src/estimate/source/example-asks.js'

/** Decisions and outcomes in tables of their own: bytes and DuckDB join them as a slow, obvious join does. */
let folder: string
let counter = 0
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-joins-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function saved(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, `${counter++}-${name}`)
  await writeFile(path, content)
  return path
}

const START = Date.UTC(2026, 2, 1)
const iso = (time: number): string => new Date(START + time).toISOString()

const decisionsCsv = (decisions: readonly ExampleDecision[]): string =>
  [
    'impression_id,user_id,item_id,propensity,timestamp',
    ...decisions.map(({ id, time }, k) => `${quoted(id)},u${k % 3},i${k % 2},0.5,${iso(time)}`),
  ].join('\n')

const outcomesCsv = (outcomes: readonly ExampleOutcome[], withOwn: boolean): string =>
  [
    `impression_id,clicked_at,reward${withOwn ? ',click_id' : ''}`,
    ...outcomes.map(
      ({ id, time, value, own }) => `${quoted(id)},${iso(time)},${value}${withOwn ? `,${own ?? ''}` : ''}`,
    ),
  ].join('\n')

const quoted = (id: string): string => (id === '' ? '' : `"${id}"`)

const bytes = (name: string, text: string): ReturnType<typeof bytesInput> =>
  bytesInput(name, new TextEncoder().encode(text))

const countsOf = (facts: JoinFacts): ReturnType<typeof joinedSlowly>['counts'] => ({
  joined: facts.joined,
  several: facts.several,
  matched: facts.matched,
  withoutId: facts.withoutId,
  late: facts.late.count,
  early: facts.early.count,
  copies: facts.copies.count,
  orphans: facts.orphans.count,
  near: facts.near.count,
  repeated: facts.repeated.count,
})

const TERMS = [one, reward, weightedReward]

const sorted = (moments: Moments): number[][] =>
  Array.from(moments.keys, (key, k) => [key, ...TERMS.map((term) => moments.sums(term)[k]!)]).toSorted(
    ([x], [y]) => x! - y!,
  )

/** Joins files in memory and in DuckDB, which must agree on every row and on what became of the outcomes. */
async function bothWays(parts: LogParts<string>, reading: ReadOptions = {}): Promise<ReadLog> {
  const read = await readLogFile(parts, reading)
  const source = await DuckDbSums.open(parts, { ...reading, target: { kind: 'uniform' } })
  try {
    const moments = await askSums(source, TERMS, 'row')
    if (isLacking(moments)) throw new Error(moments.lacking)
    const { log } = read
    const weight = importanceWeights(log, { kind: 'uniform' })
    expect(sorted(moments)).toEqual(sorted(momentsOf({ log, weight }, TERMS, 'row')))
    expect(source.about.join).toEqual(log.join)
    return read
  } finally {
    source.dispose()
  }
}

const ids = fc.constantFrom('a', 'b', 'A', ' b', '7', '7.0', 'c', 'd', 'ß', 'long-id-of-a-decision')
const decision = fc.record({ id: ids, time: fc.integer({ min: 0, max: 20 }).map((t) => t * 1000) })
const outcome = fc.record({
  id: fc.oneof({ weight: 8, arbitrary: ids }, { weight: 1, arbitrary: fc.constant('') }),
  time: fc.integer({ min: -5, max: 40 }).map((t) => t * 1000),
  value: fc.constantFrom(1, 2, 0.5),
  own: fc.constantFrom('x', 'y', 'z'),
})
const options: fc.Arbitrary<JoinOptions> = fc.record(
  {
    wait: fc.constantFrom(0, 5000, 1e9),
    defaultReward: fc.constantFrom(0, -1, 0.25),
    several: fc.constantFrom(...COMBINATIONS),
    matchIds: fc.constantFrom('exact' as const, 'loose' as const),
  },
  { requiredKeys: [] },
)

describe('a join', () => {
  it('gives each decision what a slow, obvious join gives it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(decision, { minLength: 1, maxLength: 8 }),
        fc.array(outcome, { maxLength: 12 }),
        fc.boolean(),
        options,
        async (decisions, all, withOwn, joining) => {
          const outcomes = withOwn ? all : all.map(({ id, time, value }) => ({ id, time, value }))
          const expected = joinedSlowly(decisions, outcomes, joining)
          const parts = {
            decisions: bytes('shown.csv', decisionsCsv(decisions)),
            outcomes: bytes('clicks.csv', outcomesCsv(outcomes, withOwn)),
          }
          const { log } = await readLog(parts, { join: joining })
          expect(Array.from(log.reward)).toEqual(expected.rewards)
          expect(countsOf(log.join!)).toEqual(expected.counts)
        },
      ),
      { numRuns: 200 },
    )
  })
  it('is the same inside DuckDB', { timeout: 30_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(decision, { minLength: 1, maxLength: 8 }),
        fc.array(outcome, { maxLength: 12 }),
        fc.boolean(),
        options,
        async (decisions, all, withOwn, joining) => {
          const parts = {
            decisions: await saved('shown.csv', decisionsCsv(decisions)),
            outcomes: await saved('clicks.csv', outcomesCsv(all, withOwn)),
          }
          await bothWays(parts, { join: joining })
        },
      ),
      { numRuns: 12 },
    )
  })
})

describe('a join in DuckDB is that of memory', () => {
  const csv = ({ names, rows }: EventTable): string =>
    [names, ...rows.map((row) => row.map((cell) => (cell === null ? '' : `"${cell}"`)))]
      .map((cells) => `${cells.join(',')}\n`)
      .join('')
  it.each(
    joinConformance(async ({ decisions, outcomes }, joining) => {
      const parts = {
        decisions: await saved('shown.csv', csv(decisions)),
        outcomes: await saved('clicks.csv', csv(outcomes)),
      }
      return DuckDbSums.open(parts, { join: joining, target: { kind: 'uniform' } })
    }).map(({ name, run }) => [name, run] as const),
  )('%s', { timeout: 30_000 }, (_name, run) => run())
})

const shown = [
  { impression_id: 'a', user_id: 'u1', item_id: 'x', propensity: 0.5, timestamp: '2026-03-01T00:00:00Z' },
  { impression_id: 'b', user_id: 'u2', item_id: 'y', propensity: 0.5, timestamp: '2026-03-01T00:01:00Z' },
  { impression_id: 'c', user_id: 'u1', item_id: 'x', propensity: 0.5, timestamp: '2026-03-01T00:02:00Z' },
]
const clicks = [
  { impression_id: 'b', clicked_at: '2026-03-01T00:01:30Z' },
  { impression_id: 'c', clicked_at: '2026-03-01T02:00:00Z' },
]
const wait = 60_000

const table = (records: readonly object[], delimiter: string): string =>
  [Object.keys(records[0]!), ...records.map(Object.values)].map((row) => `${row.join(delimiter)}\n`).join('')
const lines = (records: readonly object[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('')

async function parquet(records: readonly object[]): Promise<string> {
  const [from, to] = [await saved('rows.ndjson', lines(records)), join(folder, `${counter++}.parquet`)]
  const instance = await DuckDBInstance.create()
  const connection = await instance.connect()
  await connection.run(`copy (select * from read_json('${from}', format = 'newline_delimited')) to '${to}'`)
  connection.closeSync()
  instance.closeSync()
  return to
}

const FORMATS: readonly (readonly [string, (records: readonly object[]) => Promise<string>])[] = [
  ['CSV', (records) => saved('x.csv', table(records, ','))],
  ['TSV', (records) => saved('x.tsv', table(records, '\t'))],
  ['compressed NDJSON', (records) => saved('x.ndjson.gz', gzipSync(lines(records)))],
  ['Parquet', parquet],
]

const rewards = ({ log }: ReadLog): number[] => Array.from(log.reward)

describe('decisions and outcomes', () => {
  it.each(
    FORMATS.flatMap(([a, left], k) => [
      [a, FORMATS[(k + 1) % 4]![0], left, FORMATS[(k + 1) % 4]![1]] as const,
    ]),
  )('may be %s and %s', async (_a, _b, left, right) => {
    const parts = { decisions: await left(shown), outcomes: await right(clicks) }
    expect(rewards(await bothWays(parts, { join: { wait } }))).toEqual([0, 1, 0])
  })

  it.each(FORMATS)('may be events of one stream: %s', async (_name, write) => {
    const events = [
      ...shown.map((one) => ({ ...one, kind: 'view', worth: null })),
      { ...shown[0]!, impression_id: 'elsewhere', kind: 'scroll', worth: null },
      ...clicks.map(({ impression_id, clicked_at }) => ({
        ...shown[0]!,
        impression_id,
        timestamp: clicked_at,
        kind: 'order',
        worth: 2.5,
      })),
    ]
    const kinds = { column: 'kind', decisions: ['view'], outcomes: ['order', 'click'] }
    const reading = { join: { wait, outcomeColumns: { reward: 'worth' } } }
    expect(rewards(await bothWays({ events: await write(events), kinds }, reading))).toEqual([0, 2.5, 0])
  })

  it('may be told apart by a path, and have their ids behind one', async () => {
    const events = lines([
      { type: { name: 'shown' }, what: { decision_id: 'a' }, u: 1, i: 2, p: 0.5 },
      { type: { name: 'clicked' }, what: { decision_id: 'a' } },
      { type: { name: 'shown' }, what: { decision_id: 'b' }, u: 1, i: 2, p: 0.5 },
    ])
    const kinds = { column: 'type.name', decisions: ['shown'], outcomes: ['clicked'] }
    const columns = { user: 'u', item: 'i', propensity: 'p' }
    expect(rewards(await bothWays({ events: await saved('x.ndjson', events), kinds }, { columns }))).toEqual([
      1, 0,
    ])
  })

  it('may have clocks that count in other units', async () => {
    const later = clicks.map(({ impression_id, clicked_at }) => ({
      impression_id,
      ts: Date.parse(clicked_at) / 1000,
    }))
    const parts = {
      decisions: await saved('d.csv', table(shown, ',')),
      outcomes: await saved('o.csv', table(later, ',')),
    }
    const read = await bothWays(parts, { join: { wait } })
    expect(rewards(read)).toEqual([0, 1, 0])
    expect(read.log.join!.delays).toEqual({ least: 30_000, twentieth: 30_000, median: 30_000 })
  })

  it('may be pages, whose items tell the outcomes apart', async () => {
    const pages = lines([
      { page_id: 'p', user: 'u', items: ['x', 'y'], b: [0.5, 0.25] },
      { page_id: 'q', user: 'u', items: ['y', 'z'], b: [0.5, 0.25] },
    ])
    const parts = {
      decisions: await saved('pages.ndjson', pages),
      outcomes: await saved('o.csv', 'page_id,sku\np,y\nq,y\nq,other\n'),
    }
    const read = await bothWays(parts, {
      columns: { user: 'user', item: 'items', propensity: 'b' },
      join: { decision: 'page_id', outcomeColumns: { item: 'sku' } },
    })
    expect(rewards(read)).toEqual([0, 1, 1, 0])
    expect(read.log.join!.orphans).toEqual({ count: 1, places: [2] })
  })
})

describe('a join that cannot be made', () => {
  const failing = async (
    decisions: string,
    outcomes: string,
    reading: ReadOptions = {},
  ): Promise<{ message: string; remedy: string }> => {
    const parts = { decisions: await saved('d.csv', decisions), outcomes: await saved('o.csv', outcomes) }
    const told = async (work: Promise<unknown>): Promise<{ message: string; remedy: string }> => {
      const error = (await work.then(
        () => new Error('no error'),
        (thrown: unknown) => thrown,
      )) as HindcastError
      const short = (text: string): string => text.replaceAll(/\S*\d+-([do]\.csv)/g, '$1')
      return { message: short(error.message), remedy: short(error.remedy ?? '') }
    }
    const inMemory = await told(readLogFile(parts, reading))
    expect(await told(DuckDbSums.open(parts, { ...reading, target: { kind: 'uniform' } }))).toEqual(inMemory)
    return inMemory
  }

  it('asks about rewards that decisions have already', async () => {
    const own = table(
      shown.map((one) => ({ ...one, reward: 0 })),
      ',',
    )
    const { message, remedy } = await failing(own, table(clicks, ','))
    expect(message).toBe(
      'd.csv has rewards of its own (reward), and outcomes are to be joined: which of them counts?',
    )
    expect(remedy).toContain("columns: 'reward=outcomes'")
    const parts = { decisions: await saved('d.csv', own), outcomes: await saved('o.csv', table(clicks, ',')) }
    expect(rewards(await bothWays(parts, { columns: { reward: 'outcomes' } }))).toEqual([0, 1, 1])
  })

  it('asks about rewards under a common name too', async () => {
    const own = table(
      shown.map((one) => ({ ...one, is_click: 0 })),
      ',',
    )
    const { message } = await failing(own, table(clicks, ','))
    expect(message).toContain('d.csv has rewards of its own (is_click)')
  })

  it('names the column of ids that is missing', async () => {
    const { message } = await failing(table(shown, ','), 'who,clicked_at\na,2026-03-01T00:01:30Z\n')
    expect(message).toBe(
      'o.csv has no column that seems to hold the ids of decisions, such as impression_id.',
    )
    const named = await failing(table(shown, ','), table(clicks, ','), { join: { decision: 'impresion_id' } })
    expect(named.remedy).toContain('decision=impression_id')
  })

  it('needs times to wait', async () => {
    const { message } = await failing(table(shown, ','), 'impression_id\na\n', { join: { wait } })
    expect(message).toBe('wait needs the times of decisions and outcomes, and o.csv has none.')
  })

  it('names outcomes and decisions that cannot be read', async () => {
    const { message } = await failing(table(shown, ','), 'impression_id,clicked_at\na,yesterday\n')
    expect(message).toContain('o.csv: 1 row cannot be used.\n  line 2, column clicked_at = "yesterday"')
    const missing = await failing(table(shown, ',').replace('\nb,', '\n,'), table(clicks, ','))
    expect(missing.message).toContain(
      'd.csv: 1 row cannot be used.\n  line 3: has no id of its decision (impression_id)',
    )
  })
})
