import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { describeLog } from '../src/describe/describe.js'
import { diagnose } from '../src/doctor/diagnose.js'
import type { Diagnosis } from '../src/doctor/finding.js'
import type { Evaluation } from '../src/estimate/evaluation.js'
import { readLogFile } from '../src/node/read-log.js'
import { describeWarehouse, examineWarehouse } from '../src/node/warehouse/describe-warehouse.js'
import type { WarehouseLog } from '../src/node/warehouse/warehouse-log.js'
import type { ReadOptions } from '../src/read/plan.js'
import { diagnosisSchema } from '../src/schemas/description.js'
import { withEnvironment } from './environment.js'
import { hindcast, type Shown } from './hindcast.js'
import { type PostgresServer, postgresServer } from './postgres-server.js'

const server = await postgresServer()
const isThere = typeof server !== 'string'
const there = server as PostgresServer

let folder: string

const TYPES = {
  impression_id: 'int8',
  user_id: 'text',
  item_id: 'int4',
  reward: 'boolean',
  propensity: 'float8',
  percent: 'text',
  timestamp: 'timestamptz',
  device: 'text',
}
type Row = Readonly<Record<keyof typeof TYPES, string | number | null>>

/** Six hundred rows whose ids have letters of other scripts, and whose times have microseconds. */
const rows: readonly Row[] = Array.from({ length: 600 }, (_, row) => ({
  impression_id: row + 1,
  user_id: row % 7 === 0 ? `ü"${row % 49}` : `u${(row * 31) % 40}`,
  item_id: (row * 17) % 8,
  reward: (row * 13) % 5 === 0 ? 'true' : 'false',
  propensity: 0.05 + ((row * 29) % 19) / 21,
  percent: `${5 + ((row * 29) % 19)}.25`,
  timestamp: `2026-03-0${1 + (row % 9)}T12:00:00.${String(100_003 + row)}Z`,
  device: row % 3 === 0 ? 'phone' : 'desk',
}))

const csvOf = (table: readonly Row[]): string =>
  [Object.keys(TYPES), ...table.map((row) => Object.values(row))]
    .map((cells) =>
      cells.map((cell) => (cell === null ? '' : `"${String(cell).replaceAll('"', '""')}"`)).join(','),
    )
    .join('\n')

async function put(name: string, table: readonly Row[]): Promise<string> {
  await there.table(`shop.${name}`, TYPES, table.map(Object.values))
  const file = join(folder, `${name}.csv`)
  await writeFile(file, csvOf(table))
  return file
}

beforeAll(async () => {
  if (!isThere) return
  folder = await mkdtemp(join(tmpdir(), 'hindcast-rows-'))
  await put('impressions', rows)
  const broken = rows.map((row, k) =>
    k === 5
      ? { ...row, propensity: 0 }
      : k === 17
        ? { ...row, reward: null }
        : k === 40
          ? { ...row, user_id: '' }
          : row,
  )
  await put('broken', broken)
  const zones = ['Z', ' UTC', '', '+02', ' -0530']
  const dated = rows.map((row, k) => ({
    ...row,
    timestamp: String(row.timestamp).replace('Z', zones[k % 5]!),
  }))
  await there.table('shop.dated', { ...TYPES, timestamp: 'text' }, dated.map(Object.values))
  await writeFile(join(folder, 'dated.csv'), csvOf(dated))
  await put('written', rows.map((row, k) => (k === 3 ? { ...row, percent: 'none' } : row))) // prettier-ignore
}, 60_000)

const address = (): string => `postgres://reader@127.0.0.1:${there.port}/shop`

const asReader = <Answer>(work: () => Promise<Answer>): Promise<Answer> =>
  withEnvironment({ PGPASSWORD: there.reader.password }, work)

const command = (args: readonly string[]): Promise<Shown> => asReader(() => hindcast(args, { cwd: folder }))

const readTable = (table: string, options: ReadOptions = {}, more: Partial<WarehouseLog> = {}) =>
  asReader(() => readLogFile({ address: address(), rows: { table: `shop.${table}` }, ...more }, options))

const onOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ')

describe.skipIf(!isThere)('the rows of a table in PostgreSQL', () => {
  it('are the log that the same table in a file is', async () => {
    const options: ReadOptions = {
      labels: ['device'],
      columns: { propensity: 'percent / 100', q: 'log(percent)' },
    }
    const [inTable, inFile] = [
      await readTable('impressions', options, { key: 'impression_id' }),
      await readLogFile(join(folder, 'impressions.csv'), options),
    ]
    expect(inTable.log).toEqual(inFile.log)
    expect(inTable.log.time![0]! % 1).not.toBe(0)
    expect(inTable.log.userIds).toContain('ü"0')
  })

  it('have times that are written as texts, as a file has', async () => {
    const inTable = await readTable('dated', {}, { key: 'impression_id' })
    const inFile = await readLogFile(join(folder, 'dated.csv'))
    expect(inTable.log).toEqual(inFile.log)
    // Under a common name that is not the log's own, the first rows decide, as in a file.
    const dated =
      'SELECT user_id, item_id, reward, propensity, timestamp AS served_at, device AS created_at FROM shop.dated'
    const notes: string[] = []
    const found = await asReader(() =>
      readLogFile(
        { address: address(), rows: { query: dated } },
        { onNote: (note) => void notes.push(note) },
      ),
    )
    expect(found.log.time).toEqual(inFile.log.time)
    expect(notes.join(' ')).toContain('served_at is read as the time')
    const [since, until] = ['2026-03-02', '2026-03-05']
    const isWithin = (at: number): boolean => at >= Date.parse(since) && at < Date.parse(until)
    const period = await readTable('dated', {}, { key: 'impression_id', since, until })
    expect(period.log.time).toEqual(inFile.log.time!.filter(isWithin))
    const evaluated = async (...log: readonly string[]): Promise<Evaluation> => {
      const { stdout, stderr } = await command(['evaluate', ...log, '--target', 'uniform', '--json', '-'])
      expect(stdout, stderr).toMatch(/^\{/)
      return JSON.parse(stdout) as Evaluation
    }
    const summed = await evaluated(address(), '--table', 'shop.dated', '--key', 'impression_id')
    const { cluster, days, estimates } = await evaluated('dated.csv')
    expect([summed.cluster, summed.days]).toEqual([cluster, days])
    expect(cluster).toBe('user+day')
    expect(summed.estimates[0]!.se).toBeCloseTo(estimates[0]!.se!, 10)
  })

  it('are in the order of the key, or as they lie there', async () => {
    const { log } = await readTable('impressions', {}, { key: 'timestamp' })
    expect(log.time).toEqual(log.time!.toSorted())
    const lying = await readTable('impressions')
    expect(lying.log.reward).toEqual((await readLogFile(join(folder, 'impressions.csv'))).log.reward)
  })

  it('are a query, a part or a period', async () => {
    const query = 'SELECT *, propensity AS p FROM shop.impressions ORDER BY impression_id -- all of them;'
    const part: WarehouseLog = {
      address: address(),
      rows: { query },
      where: "device = 'phone'",
      since: '2026-03-02',
      until: '2026-03-05',
    }
    const { log } = await asReader(() => readLogFile(part))
    const kept = rows.filter(
      ({ device, timestamp }) =>
        device === 'phone' && String(timestamp) >= '2026-03-02' && String(timestamp) < '2026-03-05',
    )
    expect(log.rows).toBe(kept.length)
    expect(Array.from(log.propensity!)).toEqual(kept.map(({ propensity }) => propensity))
  })

  it('that break a rule are named by their keys, or by their users and items', async () => {
    const error = async (more: Partial<WarehouseLog>): Promise<string> =>
      String(((await readTable('broken', {}, more).catch((one: unknown) => one)) as Error).message)
    expect(await error({ key: 'impression_id' })).toBe(
      [
        'shop.broken: 3 rows cannot be used.',
        '  key 6, column propensity = "0": must be a probability above 0 and at most 1',
        '  key 18, column reward: missing',
        '  key 41, column user_id: missing',
      ].join('\n'),
    )
    expect(await error({})).toContain(
      '  user u35, item 5, column propensity = "0": must be a probability above 0 and at most 1',
    )
    const written = await readTable(
      'written',
      { columns: { propensity: 'percent / 100' } },
      { key: 'impression_id' },
    ).catch((one: unknown) => one as Error)
    expect((written as Error).message).toContain(
      'key 4, column percent / 100 = "percent = none": percent is not a number',
    )
  })

  it('that break a rule are left out and saved as those of a file are', async () => {
    const inTable = await readTable('broken', { onBadRow: 'skip' })
    const inFile = await readLogFile(join(folder, 'broken.csv'), { onBadRow: 'skip' })
    expect(inTable.log).toEqual(inFile.log)
    expect(inTable.skipped).toBe(3)
    const saved: string[] = []
    await readTable('broken', {
      onBadRow: 'skip',
      onSkipped: (bad) => void saved.push(...bad.map(({ raw }) => `${raw.named}: ${raw.cells['timestamp']}`)),
    })
    expect(saved[0]).toBe(`user u35, item 5: ${String(rows[5]!.timestamp).slice(0, 23)}Z`)
  })

  it('leave no connection behind, and are counted before they cross', async () => {
    const counted: unknown[] = []
    await asReader(() =>
      readLogFile(
        { address: address(), rows: { table: 'shop.impressions' } },
        { onCounted: (counts) => void counted.push(counts) },
      ),
    )
    const { log } = await readTable('impressions')
    expect(counted).toEqual([
      {
        rows: 600,
        users: log.userIds.length,
        items: 8,
        clicks: log.reward.filter((reward) => reward > 0).length,
        columns: { ids: 2, numbers: 3 },
      },
    ])
    // A server takes a moment to end what was closed.
    await expect.poll(() => there.connections()).toBe(0)
  })
})

/** Equal but for the last digits of numbers. */
function alike(found: unknown, expected: unknown, where = ''): void {
  if (typeof expected === 'number') expect(found, where).toBeCloseTo(expected, 9)
  else if (expected !== null && typeof expected === 'object')
    for (const key of new Set([...Object.keys(expected), ...Object.keys(found as object)]))
      alike((found as Record<string, unknown>)[key], (expected as Record<string, unknown>)[key], `${where}.${key}`) // prettier-ignore
  else expect(found, where).toEqual(expected)
}

describe.skipIf(!isThere)('hindcast describe on a table in PostgreSQL', () => {
  const read = async (file: string): Promise<unknown> =>
    JSON.parse(await readFile(join(folder, file), 'utf8')) as unknown

  it('describes what the file describes, and says what crossed', async () => {
    const shown = await command(['describe', address(), '--table', 'shop.impressions', '--json', 'there.json', '--report', 'there.html']) // prettier-ignore
    expect(shown.code, shown.stderr).toBe(0)
    expect(onOneLine(shown.stderr)).toContain('600 rows of shop.impressions crossed to this machine.')
    await command(['describe', 'impressions.csv', '--json', 'here.json'])
    expect(await read('there.json')).toEqual(await read('here.json'))
    expect(await readFile(join(folder, 'there.html'), 'utf8')).toContain('shop.impressions')
    const bad = await command(['describe', address(), '--table', 'shop.broken'])
    expect(bad.code).toBe(2)
    expect(bad.stderr).toContain('shop.broken: 3 rows cannot be used.')
  })

  it.each([
    ['all', {}],
    ['with ratings', { clickFrom: 1 }],
    ['with a catalogue', { catalogue: ['0', '1', '77', '78'] }],
    ['with weights', { columns: { weight: 'percent * 1' } }],
    ['without propensities', { propensity: { kind: 'none' } }],
    ['with assumed propensities', { propensity: { kind: 'uniform' } }],
    ['without rows that break a rule', { onBadRow: 'skip' }],
  ] satisfies [string, ReadOptions][])(
    'sums a large table to the same: %s',
    async (what, options: ReadOptions) => {
      const table = what.includes('break') ? 'broken' : 'impressions'
      const { log } = await readLogFile(join(folder, `${table}.csv`), options)
      const there = { address: address(), rows: { table: `shop.${table}` } }
      const answer = await asReader(() => describeWarehouse(there, { ...options, mostStreamed: 100 }))
      expect(answer.read).toBeUndefined()
      alike(answer.description, describeLog(log))
    },
  )

  it('refuses rows that break a rule in a large table too', async () => {
    const there = { address: address(), rows: { table: 'shop.broken' } }
    await expect(asReader(() => describeWarehouse(there, { mostStreamed: 100 }))).rejects.toThrow(
      /shop\.broken: 3 rows cannot be used: 1 with a propensity out of range, 1 without a valid reward and 1 without a valid user/,
    )
  })
})

describe.skipIf(!isThere)('hindcast doctor on a table in PostgreSQL', () => {
  const ofTable = new Set(['rows-without-order', 'examined-in-part', 'timestamps-out-of-order'])
  const codes = (findings: readonly { code: string; column: string | null }[]): string[] =>
    findings
      .filter(({ code }) => !ofTable.has(code))
      .map(({ code, column }) => `${code} ${column ?? ''}`)
      .toSorted()

  const diagnosed = async (args: readonly string[]): Promise<Diagnosis> => {
    const { stdout, stderr } = await command(['doctor', ...args, '--json', '-'])
    expect(stdout, stderr).not.toBe('')
    return diagnosisSchema.parse(JSON.parse(stdout))
  }

  it.each(['impressions', 'broken', 'written'])('finds in %s what it finds in the file', async (table) => {
    const columns = table === 'written' ? ['--columns', 'propensity=percent'] : []
    const inTable = await diagnosed([address(), '--table', `shop.${table}`, '--key', 'impression_id', ...columns]) // prettier-ignore
    const inFile = await diagnosed([`${table}.csv`, ...columns])
    expect(codes(inTable.findings)).toEqual(codes(inFile.findings))
    expect(inTable.findings.map(({ code }) => code)).toContain('rows-without-order')
    if (table === 'broken')
      expect(inTable.findings.find(({ code }) => code === 'missing-ids')?.examples).toEqual(['key 41'])
  })

  it('names rows by user and item without a key, and ends with 1 for a problem', async () => {
    const shown = await command(['doctor', address(), '--table', 'shop.broken'])
    expect(shown.code).toBe(1)
    expect(shown.stdout).toMatch(/where {2}user u35, item 5, time \d+/)
  })

  it('takes all rows of some users of a large table, counts broken rows among all, and says so', async () => {
    const there = { address: address(), rows: { table: 'shop.broken' } }
    const { read, of, further } = await asReader(() =>
      examineWarehouse(there, { mostStreamed: 100, sampled: 60 }),
    )
    expect(of).toBe(600)
    expect(read.log.rows).toBeGreaterThan(10)
    expect(read.log.rows).toBeLessThan(301)
    const users = new Set(Array.from(read.log.user, (user) => read.log.userIds[user]!))
    const inFile = (await readLogFile(join(folder, 'broken.csv'), { onBadRow: 'keep' })).log
    const theirs = Array.from(inFile.user, (user) => inFile.userIds[user]!).filter((id) => users.has(id))
    expect(read.log.rows).toBe(theirs.length)
    expect(further.map(({ code }) => code)).toEqual([
      'unusable-rows',
      'examined-in-part',
      'rows-without-order',
    ])
    expect(further[0]!.seen).toContain(
      'Of all 600 rows, 3 rows cannot be used: 1 with a propensity that is out of range, 1 without a valid reward and 1 without a valid user. For example: user u35, item 5',
    )
    const diagnosis = await diagnose(read, { of: of!, further })
    expect(diagnosis).toMatchObject({ rows: read.log.rows, of: 600, clean: false })
  })

  it('mends nothing there, and says which columns would', async () => {
    const shown = await command(['doctor', address(), '--table', 'shop.impressions', '--columns', 'propensity=percent', '--fix', '--out', 'mended.csv']) // prettier-ignore
    expect(shown.code).toBe(2)
    expect(onOneLine(shown.stderr)).toContain('A warehouse is only read: --fix writes nothing there.')
    expect(onOneLine(shown.stderr)).toContain('--columns "propensity=percent / 100"')
  })
})

describe.skipIf(!isThere)('rows that are interrupted on their way', () => {
  it('end within two seconds, with the query really gone', async () => {
    const stop = new AbortController()
    const query = `SELECT k % 100 AS user_id, k % 7 AS item_id, 0 AS reward, 0.5 AS propensity, pg_sleep(0) /* streamed */ FROM generate_series(1, 300000) AS k`
    let stopped = 0
    const progress = (): void => {
      stopped ||= performance.now()
      stop.abort()
    }
    const reading = asReader(() =>
      readLogFile({ address: address(), rows: { query } }, { progress, signal: stop.signal }),
    )
    await expect(reading).rejects.toMatchObject({ code: 'interrupted' })
    expect(performance.now() - stopped).toBeLessThan(2000)
    expect(stopped).toBeGreaterThan(0)
    const running = await there.admin(
      `SELECT pid FROM pg_stat_activity WHERE query LIKE '%streamed%' AND pid <> pg_backend_pid()`,
    )
    expect(running).toEqual([])
  }, 60_000)
})

describe.skipIf(!isThere)('hindcast train on a table in PostgreSQL', () => {
  const settings = ['--epochs', '2', '--dim', '8', '--k', '3', '--no-baselines', '--seed', '4']

  it('trains the model that the file trains, to its last bit, and says what it takes', async () => {
    const query = 'SELECT * FROM shop.impressions'
    const trained = await command([
      'train',
      address(),
      '--query',
      query,
      '--key',
      'impression_id',
      '--out',
      'there',
      ...settings,
    ])
    expect(trained.code, trained.stderr).toBe(0)
    expect(onOneLine(trained.stderr)).toMatch(
      /the query: 600 rows of \d+ users and 8 items, 120 clicks\. Training takes about [\d.]+ GB of memory, of [\d.]+ GB\./,
    )
    expect(onOneLine(trained.stderr)).toMatch(/came back\./)
    const here = await command(['train', 'impressions.csv', '--out', 'here', ...settings])
    expect(here.code, here.stderr).toBe(0)
    const weights = (run: string): Promise<Buffer> => readFile(join(folder, run, 'embeddings.safetensors'))
    expect((await weights('there')).equals(await weights('here'))).toBe(true)
  })

  it('says what it was given instead of a table, and names unknown ones', async () => {
    const without = await command(['train', address(), '--out', 'nowhere'])
    expect(without.stderr).toContain('A log in a warehouse needs --table or --query.')
    const unknown = await command(['train', address(), '--table', 'shop.impression', '--out', 'nowhere'])
    expect(unknown.stderr).toContain('shop.impressions')
  })
})
