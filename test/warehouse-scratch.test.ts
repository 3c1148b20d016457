import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Evaluation } from '../src/estimate/evaluation.js'
import { withEnvironment } from './environment.js'
import { hindcast, type Shown } from './hindcast.js'
import { type PostgresServer, postgresServer } from './postgres-server.js'

const server = await postgresServer()
const isThere = typeof server !== 'string'
const there = server as PostgresServer

let folder: string
const USERS = 30
const ITEMS = 5

beforeAll(async () => {
  if (!isThere) return
  folder = await mkdtemp(join(tmpdir(), 'hindcast-scratch-'))
  await there.table(
    'shop.shown',
    { user_id: 'int4', item_id: 'text', reward: 'float8', propensity: 'float8' },
    Array.from({ length: 300 }, (_, row) => [
      row % USERS,
      `i${Math.floor(row / USERS) % ITEMS}`,
      (row * 7) % 4 === 0 ? 1 : 0,
      0.2,
    ]),
  )
  await there.admin(
    `DROP SCHEMA IF EXISTS "own room" CASCADE; CREATE SCHEMA "own room"; GRANT USAGE, CREATE ON SCHEMA "own room" TO reader`,
  )
  const pairs = Array.from({ length: USERS * ITEMS }, (_, k) => [Math.floor(k / ITEMS), `i${k % ITEMS}`, k])
  const rows = pairs.map(([user, item, k]) => `${user},${item},${Math.sin(Number(k))}`)
  // A user that the log cannot have, since its ids are whole numbers.
  await writeFile(
    join(folder, 'scores.csv'),
    ['user_id,item_id,score', ...rows, ...[0, 1, 2, 3, 4].map((i) => `x7,i${i},1`)].join('\n'),
  )
}, 60_000)

const command = (args: readonly string[]): Promise<Shown> =>
  withEnvironment({ PGPASSWORD: there.reader.password }, () =>
    hindcast(
      ['evaluate', `postgres://reader@127.0.0.1:${there.port}/shop`, '--table', 'shop.shown', ...args],
      { cwd: folder },
    ),
  )

/** The tables of our own that are there. */
const left = async (): Promise<unknown[]> =>
  there.admin(`SELECT tablename FROM pg_tables WHERE tablename LIKE 'hindcast_scratch%'`)

describe.skipIf(!isThere)('a policy written to a scratch schema', () => {
  it('gives the verdict of one that is sent along, and leaves nothing behind', async () => {
    const target = ['--target', 'scores:scores.csv@softmax=0.5']
    const sent = await command([...target, '--json', 'sent.json'])
    const stored = await command([...target, '--json', 'stored.json', '--scratch', '"own room"'])
    expect(stored.code, stored.stderr).toBe(sent.code)
    const read = async (file: string): Promise<Evaluation> =>
      JSON.parse(await readFile(join(folder, file), 'utf8')) as Evaluation
    const [one, other] = [await read('sent.json'), await read('stored.json')]
    expect(other.verdict).toEqual(one.verdict)
    other.estimates.forEach(({ value }, k) => expect(value).toBeCloseTo(one.estimates[k]!.value!, 12))
    expect(await left()).toEqual([])
  })

  it('is dropped after an error too', async () => {
    const missing = await command(['--target', 'scores:scores.csv@softmax=0.5', '--scratch', 'shop'])
    expect(missing.code).toBe(2)
    expect(missing.stderr).toContain('No table can be written to the schema shop: permission denied')
    expect(await left()).toEqual([])
    const unknown = await command(['--target', 'scores:scores.csv@softmax=0.5', '--scratch', '"own room"', '--cluster', 'row']) // prettier-ignore
    expect(unknown.code).toBe(2)
    expect(await left()).toEqual([])
  })

  it('is dropped after an interruption too, and never there if that comes while it is written', async () => {
    const stop = new AbortController()
    const warehouse = await there.connect({ signal: stop.signal })
    const own = warehouse.scratch!('"own room"')
    const table = await own.store({ item_id: 'text', p: 'number' }, [
      ["a'; --", 0.25],
      [null, 1e-300],
    ])
    expect(await warehouse.numbers(`SELECT p FROM ${table} ORDER BY p`)).toEqual([[1e-300], [0.25]])
    expect(await warehouse.texts(`SELECT item_id FROM ${table}`)).toEqual(["a'; --"])
    expect(await warehouse.texts('SHOW transaction_read_only')).toEqual(['on'])
    expect(await left()).toHaveLength(1)
    function* many(): Generator<[string, number]> {
      for (let row = 0; row < 50_000; row++) {
        if (row === 30_000) stop.abort()
        yield [`i${row}`, row]
      }
    }
    await expect(own.store({ item_id: 'text', p: 'number' }, many())).rejects.toMatchObject({
      code: 'interrupted',
    })
    expect(await left()).toHaveLength(1)
    await warehouse.close()
    expect(await left()).toEqual([])
    // A server takes a moment to end what was closed.
    await expect.poll(() => there.connections()).toBe(0)
  })

  it('is for warehouses', async () => {
    const wrong = await hindcast(['evaluate', '--target', 'uniform', 'log.csv', '--scratch', 'x'], {
      cwd: folder,
    })
    expect(wrong.stderr).toContain('--scratch is for logs in a warehouse.')
  })
})
