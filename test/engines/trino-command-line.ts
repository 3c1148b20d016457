import { spawn } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Comparison } from '../../src/estimate/comparison.js'
import type { Evaluation } from '../../src/estimate/evaluation.js'
import type { Warehouse } from '../../src/node/warehouse/warehouse.js'
import { trino } from '../../src/sql/dialects/trino.js'
import { type Ended, hindcast, program, type Shown } from '../hindcast.js'
import {
  alike,
  deviceOf,
  onBoth,
  onOneLine,
  shownAt,
  warehouseWorld,
  type WarehouseWorld,
} from '../warehouse-log.js'

/** A server, and a connection that may write to it. */
export interface TrinoForCommands {
  readonly port: number
  readonly warehouse: Warehouse
}

/** Who asks on the command line, so that its queries are known from others. */
const ASKER = 'analyst'
/** A log of six billion rows: any question about it takes minutes. */
const SLOW_LOG =
  'SELECT CAST(orderkey AS VARCHAR) AS user_id, CAST(partkey AS VARCHAR) AS item_id, CASE WHEN sin(orderkey) > 0.5 THEN 1 ELSE 0 END AS reward, 0.5e0 AS propensity FROM tpch.sf1000.lineitem'
/** The queries of the command line that have not ended. */
const RUNNING = `SELECT CAST(count(*) AS DOUBLE) FROM system.runtime.queries WHERE "user" = '${ASKER}' AND state NOT IN ('FINISHED', 'FAILED')`

const addressOf = (port: number, path = '/memory/shop'): string => `trino://${ASKER}@127.0.0.1:${port}${path}`

/** A command in a process of its own, begun on a log that keeps Trino busy; resolves when it does. */
export async function begunOnTrino({
  port,
  warehouse,
}: TrinoForCommands): Promise<{ interrupt(): void; ended: Promise<Ended> }> {
  const child = spawn(process.execPath, [
    program,
    'evaluate',
    addressOf(port),
    '--target',
    'uniform',
    '--query',
    SLOW_LOG,
  ])
  const ended: Ended = { code: 0, stdout: '', stderr: '' }
  child.stdout.on('data', (text) => (ended.stdout += text))
  child.stderr.on('data', (text) => (ended.stderr += text))
  const whole = new Promise<Ended>((resolve) => {
    child.once('close', (code) => resolve({ ...ended, code: code ?? -1 }))
  })
  const busy = RUNNING.replace('state NOT IN', "query LIKE '%lineitem%' AND state NOT IN")
  await vi.waitFor(async () => expect(await warehouse.numbers(busy)).toEqual([[1]]), {
    timeout: 60_000,
    interval: 200,
  })
  return { interrupt: () => child.kill('SIGINT'), ended: whole }
}

/** The command line on a log in Trino: the verdict of a file with the same rows. */
export function commandLineOnTrino(server: () => TrinoForCommands): void {
  describe('a log in Trino, on the command line', () => {
    let world: WarehouseWorld
    beforeAll(async () => {
      world = await warehouseWorld()
      await load(server().warehouse, world)
    })
    afterAll(() => rm(world.folder, { recursive: true, force: true }))

    const asked = (args: readonly string[]): Promise<Shown> => hindcast(args, { cwd: world.folder })
    const onTable = (command: string, args: readonly string[]): Promise<Shown> =>
      asked([command, addressOf(server().port), '--table', 'impressions', ...args])
    const both = <Answer>(command: string, ofFile: readonly string[], ofTable?: readonly string[]) =>
      onBoth<Answer>(world, onTable, command, ofFile, ofTable)
    const written = async (name: string): Promise<Evaluation> =>
      JSON.parse(await readFile(join(world.folder, name), 'utf8')) as Evaluation

    it.each([
      ['uniform', 'uniform'],
      ['logging', 'logging'],
      ['popularity@softmax=2', 'popularity@softmax=2'],
      ['column:other', 'column:other'],
      ['table:policy.csv', 'warehouse:policy'],
      ['table:policy.csv', 'table:policy.csv'],
      ['scores:scores.csv@softmax=0.5', 'warehouse:memory.shop.scores@softmax=0.5'],
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
      expect(divided.inFile.segments).toBeDefined()
      alike(divided.inTable.segments, divided.inFile.segments)
    })

    it('is a query, with values by expression', async () => {
      const query =
        'SELECT user_id, item_id, reward, propensity * 100 AS percent, "timestamp" FROM memory.shop.impressions -- all of them'
      const { code, stderr } = await asked([
        'evaluate',
        '--target',
        'uniform',
        addressOf(server().port, '/tpch/tiny'),
        '--query',
        query,
        '--columns',
        'propensity=percent / 100',
        '--json',
        'query.json',
      ])
      expect(code, stderr).toBe(0)
      alike(await written('query.json'), (await both<Evaluation>('evaluate', ['--target', 'uniform'])).inFile)
    })

    it('is a part or a period', async () => {
      const period = ['--since', '2026-03-05', '--until', '2026-03-12T12:00Z']
      const { code, stderr } = await onTable('evaluate', [
        '--target',
        'uniform',
        '--where',
        "device = 'phone'",
        ...period,
        '--json',
        'part.json',
      ])
      expect(code, stderr).toBeLessThan(2)
      const kept = world.impressions.filter(
        (_, row) =>
          deviceOf(row) === 'phone' &&
          shownAt(row) >= new Date('2026-03-05') &&
          shownAt(row) < new Date('2026-03-12T12:00Z'),
      )
      expect((await written('part.json')).log.rows).toBe(kept.length)
    })

    it('names broken rows by their ids, and what is missing or misspelt', async () => {
      const broken =
        'SELECT user_id, item_id, reward, CASE WHEN impression_id = 7 THEN 0 WHEN impression_id = 9 THEN NULL WHEN impression_id = 11 THEN nan() ELSE propensity END AS propensity FROM impressions'
      const found = await asked([
        'evaluate',
        '--target',
        'uniform',
        addressOf(server().port),
        '--query',
        broken,
      ])
      expect(found.code).toBe(2)
      expect(found.stderr).toContain(
        '3 rows cannot be used: 2 without a valid propensity and 1 with a propensity out of',
      )
      expect(found.stderr).toMatch(/user \d+, item \d+, reward [01], propensity (0|missing|NaN)\n/)
      const wrong: [path: string, args: string[], words: string][] = [
        ['/memory/shop', ['--table', 'impresions'], 'Did you mean impressions?'],
        ['/memory/shop', ['--table', 'memory.shpo.impressions'], 'Did you mean shop?'],
        ['/memroy/shop', ['--table', 'impressions'], 'Did you mean memory?'],
        [
          '/memory/shop',
          ['--table', 'impressions', '--columns', 'user=usr_id'],
          'Did you mean user=user_id?',
        ],
        [
          '/memory/shop',
          ['--table', 'impressions', '--where', 'devise = 1'],
          'Trino does not know the column devise.',
        ],
        ['/memory/shop', ['--query', 'SELEC 1'], 'Trino cannot read the SQL'],
        ['/memory/shop', ['--table', 'impressions', '--target', 'warehouse:polcy'], 'Did you mean policy?'],
      ]
      for (const [path, args, words] of wrong) {
        const { code, stderr } = await asked([
          'evaluate',
          addressOf(server().port, path),
          ...(args.includes('--target') ? args : [...args, '--target', 'uniform']),
        ])
        expect(code).toBe(2)
        expect(onOneLine(stderr)).toContain(words)
      }
    })

    it('is cancelled by Ctrl-C within two seconds, in the engine too', async () => {
      const { interrupt, ended } = await begunOnTrino(server())
      const begun = Date.now()
      interrupt()
      const { code, stderr } = await ended
      expect(Date.now() - begun).toBeLessThan(2000)
      expect(code).toBe(130)
      expect(stderr).not.toContain(' at ')
      await vi.waitFor(async () => expect(await server().warehouse.numbers(RUNNING)).toEqual([[0]]), 2000)
    })

    it('is only ever read', async () => {
      const sent = await server().warehouse.texts(
        `SELECT DISTINCT regexp_extract(query, '\\w+') FROM system.runtime.queries WHERE "user" = '${ASKER}'`,
      )
      expect(sent.filter((word) => !['SELECT', 'SELEC'].includes(word))).toEqual([])
      expect(sent).toContain('SELECT')
    })
  })
}

/** The tables of the world, in a schema of the catalog that keeps what is created. */
async function load(warehouse: Warehouse, { impressions, policy, scores }: WarehouseWorld): Promise<void> {
  const { literal, number } = trino
  const make = (name: string, columns: string, rows: readonly string[]): Promise<unknown> =>
    warehouse.numbers(
      `CREATE TABLE memory.shop.${name} AS SELECT * FROM (VALUES ${rows.join(', ')}) AS given (${columns})`,
    )
  await warehouse.numbers('CREATE SCHEMA memory.shop')
  await make(
    'impressions',
    'impression_id, user_id, item_id, reward, propensity, other, "timestamp", device',
    impressions.map((row) => {
      const cells = [
        `BIGINT '${row.impression_id}'`,
        ...[row.user_id, row.item_id].map(literal),
        ...[row.reward, row.propensity, row.other].map(number),
        `TIMESTAMP '${row.timestamp.replace('T', ' ').replace('Z', ' UTC')}'`,
        literal(row.device),
      ]
      return `(${cells.join(', ')})`
    }),
  )
  await make(
    'policy',
    'item_id, probability',
    policy.map((row) => `(${literal(row.item_id)}, CAST(${number(row.probability)} AS REAL))`),
  )
  await make(
    'scores',
    'user_id, item_id, score',
    scores.map((row) => `(${literal(row.user_id)}, ${literal(row.item_id)}, ${number(row.score)})`),
  )
}
