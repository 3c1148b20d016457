import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Comparison } from '../src/estimate/comparison.js'
import type { Evaluation } from '../src/estimate/evaluation.js'
import { withEnvironment } from './environment.js'
import { hindcast, type Shown } from './hindcast.js'
import { type PostgresServer, postgresServer } from './postgres-server.js'
import { printedVerdicts } from './printed-statement.js'
import {
  alike,
  deviceOf,
  onBoth,
  onOneLine,
  shownAt,
  warehouseWorld,
  type WarehouseWorld,
} from './warehouse-log.js'

const server = await postgresServer()
const isThere = typeof server !== 'string'

let world: WarehouseWorld
let folder: string

beforeAll(async () => {
  if (!isThere) return
  world = await warehouseWorld()
  folder = world.folder
  const types = { impression_id: 'int8', user_id: 'text', item_id: 'text', reward: 'float8', propensity: 'float8', other: 'float8', timestamp: 'timestamptz', device: 'text' } // prettier-ignore
  await server.table('shop.impressions', types, world.impressions.map(Object.values))
  await server.table(
    'shop.policy',
    { item_id: 'text', probability: 'float4' },
    world.policy.map(Object.values),
  )
  await server.table(
    'shop.scores',
    { user_id: 'text', item_id: 'text', score: 'float8' },
    world.scores.map(Object.values),
  )
}, 60_000)

const address = (): string => {
  const { port } = server as PostgresServer
  return `postgres://reader@127.0.0.1:${port}/shop`
}

/** The command line with the password of the reader. */
const asReader = (args: readonly string[]): Promise<Shown> =>
  withEnvironment({ PGPASSWORD: (server as PostgresServer).reader.password }, () =>
    hindcast(args, { cwd: folder }),
  )

const both = <Answer>(command: string, ofFile: readonly string[], ofTable?: readonly string[]) =>
  onBoth<Answer>(
    world,
    (asked, args) => asReader([asked, address(), '--table', 'shop.impressions', ...args]),
    command,
    ofFile,
    ofTable,
  )

describe.skipIf(!isThere)('a log in PostgreSQL', () => {
  it.each([
    ['uniform', 'uniform'],
    ['logging', 'logging'],
    ['popularity@softmax=2', 'popularity@softmax=2'],
    ['column:other', 'column:other'],
    ['table:policy.csv', 'warehouse:shop.policy'],
    ['table:policy.csv', 'table:policy.csv'],
    ['scores:scores.csv@softmax=0.5', 'warehouse:shop.scores@softmax=0.5'],
    ['scores:scores.csv@softmax=0.5', 'scores:scores.csv@softmax=0.5'],
    ['scores:scores.csv@best', 'warehouse:shop.scores@best'],
    ['scores:scores.csv@rank', 'warehouse:shop.scores@rank'],
    ['popularity@best', 'popularity@best'],
    ['scores:scores.csv@top=3', 'warehouse:shop.scores@top=3'],
    ['scores:scores.csv@epsilon=0.2', 'warehouse:shop.scores@epsilon=0.2'],
  ])('gets the verdict of the file: %s, as %s', async (inFile, inTable) => {
    const missing = inFile.startsWith('scores') ? ['--missing-user', 'logging'] : []
    const answers = await both<Evaluation>(
      'evaluate',
      ['--target', inFile, ...missing],
      ['--target', inTable, ...missing],
    )
    alike(answers.inTable, answers.inFile)
    expect(answers.inTable.sums).not.toEqual(answers.inFile.sums)
  })

  it('gets the comparison, the plan and the segments of the file', async () => {
    const compared = await both<Comparison>('compare', ['--targets', 'logging', 'uniform', 'column:other'])
    alike(compared.inTable, compared.inFile)
    const planned = await both<object>('plan', ['--target', 'uniform'])
    alike(planned.inTable, planned.inFile)
    const divided = await both<Evaluation>('evaluate', ['--target', 'uniform', '--by', 'device'])
    alike(divided.inTable.segments, divided.inFile.segments)
  })

  it('is a query, a part or a period, with values by expression', async () => {
    const query =
      'SELECT user_id, item_id, reward, propensity * 100 AS percent, "timestamp" FROM shop.impressions -- all of them'
    const asked = await asReader([
      'evaluate',
      '--target',
      'uniform',
      address(),
      '--query',
      query,
      '--columns',
      'propensity=percent / 100',
      '--json',
      'query.json',
    ])
    expect(asked.code, asked.stderr).toBe(0)
    const whole = await both<Evaluation>('evaluate', ['--target', 'uniform'])
    alike(JSON.parse(await readFile(join(folder, 'query.json'), 'utf8')), whole.inFile)
    const part = [
      '--where',
      "device = 'phone'",
      '--since',
      '2026-03-05',
      '--until',
      '2026-03-12T12:00Z',
      '--json',
      'part.json',
      '--target',
      'uniform',
    ]
    await asReader(['evaluate', address(), '--table', 'shop.impressions', ...part])
    const kept = Array.from({ length: 600 }, (_, row) => row).filter(
      (row) =>
        deviceOf(row) === 'phone' &&
        shownAt(row) >= new Date('2026-03-05') &&
        shownAt(row) < new Date('2026-03-12T12:00Z'),
    )
    const { log } = JSON.parse(await readFile(join(folder, 'part.json'), 'utf8')) as Evaluation
    expect(log.rows).toBe(kept.length)
  })

  it('gets the verdict of the file from the statement that is printed for it', async () => {
    const { admin } = server as PostgresServer
    await printedVerdicts(world, {
      dialect: 'postgresql',
      log: 'shop.impressions',
      policy: 'shop.policy',
      columns: {
        user: ['user_id', 'text'],
        item: ['item_id', 'text'],
        reward: ['reward', 'number'],
        propensity: ['propensity', 'number'],
        time: ['timestamp', 'instant'],
      },
      cells: async (statement) =>
        (await admin(statement)).map((row) =>
          Object.values(row).map((cell) => (cell === null ? null : String(cell))),
        ),
    })
  })

  it('may be clustered by row where a column identifies rows', async () => {
    const without = await asReader([
      'evaluate',
      '--target',
      'uniform',
      address(),
      '--table',
      'shop.impressions',
      '--cluster',
      'row',
    ])
    expect(without.stderr).toContain('Name it with --key impression_id')
    const { inFile, inTable } = await both<Evaluation>(
      'evaluate',
      ['--target', 'uniform', '--cluster', 'row'],
      ['--target', 'uniform', '--cluster', 'row', '--key', 'impression_id'],
    )
    alike(inTable, inFile)
  })

  it('names broken rows by their ids, and what is missing or misspelt', async () => {
    const broken =
      'SELECT user_id, item_id, reward, CASE WHEN impression_id = 7 THEN 0 WHEN impression_id = 9 THEN NULL ELSE propensity END AS propensity FROM shop.impressions'
    const found = await asReader(['evaluate', '--target', 'uniform', address(), '--query', broken])
    expect(found.code).toBe(2)
    expect(found.stderr).toContain(
      '2 rows cannot be used: 1 without a valid propensity and 1 with a propensity out of',
    )
    expect(found.stderr).toMatch(/user \d+, item \d+, reward [01], propensity (0|missing)/)
    const table = await asReader(['evaluate', '--target', 'uniform', address(), '--table', 'shop.impresions'])
    expect(table.stderr).toContain('Did you mean shop.impressions?')
    const column = await asReader([
      'evaluate',
      '--target',
      'uniform',
      address(),
      '--table',
      'shop.impressions',
      '--columns',
      'user=usr_id',
    ])
    expect(column.stderr).toContain('Did you mean user=user_id?')
  })

  it('notices a query that gives other rows each time', async () => {
    const query = 'SELECT * FROM shop.impressions WHERE random() < 0.5'
    const { code, stderr } = await asReader(['evaluate', '--target', 'uniform', address(), '--query', query])
    expect(code).toBe(2)
    expect(onOneLine(stderr)).toMatch(/the query returned \d+ rows for one query and \d+ for the next/)
  })

  it('says what an option is for', async () => {
    const wrong: [string[], string][] = [
      [['evaluate', '--target', 'uniform', 'log.csv', '--table', 'x'], '--table is for logs in a warehouse.'],
      [['evaluate', '--target', 'uniform', address()], 'A log in a warehouse needs --table or --query.'],
      [
        ['evaluate', '--target', 'uniform', address(), '--table', 'a', '--query', 'b'],
        '--table and --query exclude each other.',
      ],
      [
        ['evaluate', '--target', 'uniform', address(), '--table', 'a', '--engine', 'duckdb'],
        '--engine is for files',
      ],
      [
        ['evaluate', '--target', 'uniform', 'mysql://x/y', '--table', 'a'],
        'mysql:// is not the address of a warehouse that Hindcast connects to.',
      ],
      [
        ['evaluate', '--target', 'uniform', 'postgres://me:secret@h/d', '--table', 'a'],
        'has a password in it',
      ],
      [['describe', address()], 'A log in a warehouse needs --table or --query.'],
      [['preview', address()], 'hindcast preview shows files, and this is an address.'],
    ]
    for (const [args, message] of wrong) {
      const { code, stderr } = await asReader(args)
      expect(code).toBe(2)
      expect(onOneLine(stderr)).toContain(message)
      expect(stderr).not.toContain('secret')
    }
  })

  it('leaves no connection open, and no password behind', async () => {
    const { connections, reader } = server as PostgresServer
    const before = await connections()
    const shown = await asReader([
      'evaluate',
      '--target',
      'uniform',
      address(),
      '--table',
      'shop.impressions',
      '--json',
      '-',
      '--report',
      'report.html',
    ])
    expect(shown.shown + (await readFile(join(folder, 'report.html'), 'utf8'))).not.toContain(reader.password)
    // A server takes a moment to end what was closed.
    await expect.poll(() => connections()).toBe(before)
  })
})
