import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Evaluation } from '../src/estimate/evaluation.js'
import { hindcast } from './hindcast.js'
import { csvOf, isoTime, type JoinWorld, joinWorld, type Shown } from './join-world.js'

/** Five logs as warehouses and applications have them: each leads to a verdict with one command and no other tool. */
const world = joinWorld(11, 3000)
const clicked = new Map(world.clicks.map(({ of, time }) => [of, time]))
const meanReward = world.clicks.length / world.shown.length

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-five-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** What a log is made of: its files, and the words of the command that reads it. */
interface Kept {
  readonly files: Readonly<Record<string, string | Uint8Array>>
  readonly words: readonly string[]
  /** The target policy (default uniform). */
  readonly target?: string
}

const lines = (records: readonly object[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('')

/** `2026-03-01 00:01:17.250000 UTC`. */
const warehouseTime = (time: number): string => isoTime(time).replace('T', ' ').replace('Z', '000 UTC')

const warehouse = ({ shown }: JoinWorld): Kept => ({
  files: {
    'warehouse.csv': csvOf(
      shown.map(({ id, user, item, propensity, time }) => ({
        impression_id: id,
        customer_id: user,
        served_at: warehouseTime(time),
        sku: item,
        action_prob: propensity,
        is_click: String(clicked.has(id)),
      })),
    ),
  },
  words: [
    'warehouse.csv',
    '--columns',
    'user=customer_id,item=sku,reward=is_click,propensity=action_prob,time=served_at',
  ],
})

const nested = ({ shown }: JoinWorld): Kept => ({
  files: {
    'nested.ndjson': lines(
      shown.map(({ id, user, item, propensity, time }) => ({
        event: { id, at: Math.floor(time / 1000) },
        USER: { ID: user },
        shown: { item: { id: item }, logp: Math.log(propensity) },
        outcome: { clicked: clicked.has(id) },
      })),
    ),
  },
  words: [
    'nested.ndjson',
    '--columns',
    'user=USER.ID,item=shown.item.id,reward=outcome.clicked,propensity=exp(shown.logp),time=event.at',
  ],
})

const separateClicks = ({ shown, clicks }: JoinWorld): Kept => ({
  files: {
    'shown.ndjson.gz': gzipSync(
      lines(
        shown.map(({ id, user, item, propensity, time }) => ({
          impression_id: id,
          user_id: user,
          item_id: item,
          propensity,
          timestamp: isoTime(time),
        })),
      ),
    ),
    // Their clock counts milliseconds; a few were sent twice, and a few belong to another page.
    'clicks.ndjson.gz': gzipSync(
      lines([
        ...clicks.map(({ id, of, time }) => ({ click_id: id, impression_id: of, ts: time })),
        ...clicks.slice(0, 3).map(({ id, of, time }) => ({ click_id: id, impression_id: of, ts: time })),
        { click_id: 'elsewhere', impression_id: 'elsewhere', ts: clicks[0]!.time },
      ]),
    ),
  },
  words: ['--decisions', 'shown.ndjson.gz', '--outcomes', 'clicks.ndjson.gz', '--wait', '10m'],
})

const stream = ({ shown, clicks }: JoinWorld): Kept => ({
  files: {
    'events.ndjson': lines(
      [
        ...shown.map(({ id, user, item, propensity, time }) => ({
          event: 'impression',
          impression_id: id,
          user_id: user,
          item_id: item,
          propensity,
          timestamp: isoTime(time),
        })),
        ...clicks.map(({ of, time }) => ({ event: 'click', impression_id: of, timestamp: isoTime(time) })),
        { event: 'scroll', timestamp: isoTime(shown[0]!.time) },
      ].toSorted((a, b) => (a.timestamp < b.timestamp ? -1 : 1)),
    ),
  },
  words: ['--events', 'events.ndjson', '--kind', 'event:impression=decision,click=outcome', '--wait', '10m'],
})

/** Pages of two items each, the second from a catalogue of its own, with the probabilities of another policy. */
const pages = ({ shown }: JoinWorld): Kept => {
  const pairs = shown.flatMap((one, k): [Shown, Shown][] => (k % 2 === 0 ? [[one, shown[k + 1]!]] : []))
  return {
    files: {
      'pages.ndjson': lines(
        pairs.map((page) => ({
          user: page[0].user,
          at: isoTime(page[0].time),
          items: page.map(({ item }, place) => `${item}-${place}`),
          propensities: page.map(({ propensity }) => propensity),
          new_policy: page.map(() => 0.25),
          clicked: page.flatMap(({ id, item }, place) => (clicked.has(id) ? [`${item}-${place}`] : [])),
        })),
      ),
    },
    words: [
      'pages.ndjson',
      '--columns',
      'user=user,item=items,propensity=propensities,reward=in(clicked),time=at',
      '--slate-propensities',
      'marginal',
    ],
    target: 'column:new_policy',
  }
}

/** Parquet as a warehouse writes it: strings in dictionaries, decimals, and no reward at all where there was no click. */
async function writeParquet({ shown }: JoinWorld, path: string): Promise<void> {
  const table = join(folder, 'for-parquet.csv')
  await writeFile(
    table,
    csvOf(
      shown.map(({ id, user, item, propensity, time }) => ({
        user,
        item,
        propensity,
        time: isoTime(time),
        amount: clicked.has(id) ? '1.00' : '',
      })),
    ),
  )
  const instance = await DuckDBInstance.create()
  const connection = await instance.connect()
  await connection.run(
    `copy (select "user" as user_key, item as product, propensity::DECIMAL(9, 6) as show_prob, amount::DECIMAL(10, 2) as amount,
       "time"::TIMESTAMPTZ as served, null::VARCHAR as note from read_csv('${table}', types = {'amount': 'DECIMAL(10, 2)'}))
     to '${path}' (format parquet, dictionary_size_limit 100000)`,
  )
  connection.closeSync()
  instance.closeSync()
}

async function evaluated(
  { words, target: policy = 'uniform' }: Kept,
  more: readonly string[] = [],
): Promise<Evaluation> {
  const target = ['--target', policy, '--policy-made', 'elsewhere', '--estimators', 'ips,snips']
  const { stdout, stderr, code } = await hindcast(['evaluate', ...words, ...target, ...more, '--json', '-'], {
    cwd: folder,
  })
  expect(stderr).not.toContain('hindcast:')
  expect(code).toBe(0)
  return JSON.parse(stdout) as Evaluation
}

/** A verdict without its numbers, whose last bits depend on the order in which rows are summed. */
const saidIn = ({ verdict: { level, reasons } }: Evaluation): string[] => [
  level,
  ...reasons.map(({ code, message }) => `${code}: ${message}`),
]

/** The verdict and the estimates, in memory and with DuckDB, which must agree. */
async function verdictOf(kept: Kept): Promise<{ level: string; meanReward: number; rows: number }> {
  for (const [name, content] of Object.entries(kept.files)) await writeFile(join(folder, name), content)
  const inMemory = await evaluated(kept)
  const onDisk = await evaluated(kept, ['--engine', 'duckdb'])
  expect(saidIn(onDisk)).toEqual(saidIn(inMemory))
  inMemory.estimates.forEach((estimate, k) =>
    expect(onDisk.estimates[k]!.value).toBeCloseTo(estimate.value!, 12),
  )
  expect(onDisk.log.rows).toBe(inMemory.log.rows)
  return { level: inMemory.verdict.level, meanReward: inMemory.log.meanReward, rows: inMemory.log.rows }
}

const whole = { level: 'trust', meanReward, rows: 3000 }

describe('one command takes to a verdict', () => {
  it('a table of a warehouse, with its times in UTC', async () => {
    expect(await verdictOf(warehouse(world))).toEqual(whole)
  })

  it('nested records', async () => {
    expect(await verdictOf(nested(world))).toEqual(whole)
  })

  it('impressions with clicks in a second file, both compressed', async () => {
    expect(await verdictOf(separateClicks(world))).toEqual(whole)
  })

  it('impressions and clicks in one stream', async () => {
    expect(await verdictOf(stream(world))).toEqual(whole)
  })

  it('Parquet with dictionaries, decimals and nulls', async () => {
    await writeParquet(world, join(folder, 'warehouse.parquet'))
    const words = [
      'warehouse.parquet',
      '--columns',
      'user=user_key,item=product,reward=filled(amount, 0),propensity=show_prob,time=served',
    ]
    expect(await verdictOf({ files: {}, words })).toEqual(whole)
  })

  it('pages as lists', async () => {
    expect(await verdictOf(pages(world))).toEqual(whole)
  })

  it.each(['describe', 'doctor', 'compare', 'plan', 'train'])('%s takes two files too', async (command) => {
    const { files, words } = separateClicks(world)
    for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
    const more: Readonly<Record<string, readonly string[]>> = {
      compare: ['--targets', 'logging', 'uniform', '--bootstrap', '100'],
      plan: ['--target', 'uniform', '--bootstrap', '100'],
      train: ['--out', 'model', '--epochs', '1', '--dim', '4'],
    }
    const { stdout, stderr, code } = await hindcast([command, ...words, ...(more[command] ?? [])], {
      cwd: folder,
    })
    expect(stderr).toMatch(/Joined [\d,]+ outcomes of clicks\.ndjson\.gz\s+to 3,000 decisions/)
    expect(stdout).toContain('shown.ndjson.gz')
    expect(code).toBe(0)
  })
})
