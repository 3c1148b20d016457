import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { DuckDBInstance } from '@duckdb/node-api'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { momentsOf } from '../src/estimate/source/prepared-log.js'
import type { Moments } from '../src/estimate/source/moments.js'
import { isLacking } from '../src/estimate/source/source.js'
import { importanceWeights } from '../src/estimate/target.js'
import { one, reward, weightedReward } from '../src/estimate/term.js'
import { BadRowsError } from '../src/log/bad-rows.js'
import { bytesInput } from '../src/log/bytes/input.js'
import type { Log } from '../src/log/log.js'
import { readLogFile } from '../src/node/read-log.js'
import { DuckDbSums } from '../src/node/sums/duckdb-sums.js'
import type { ReadOptions } from '../src/read/plan.js'
import { readLog } from '../src/read/read-log.js'
import { askSums } from '../src/estimate/source/example-asks.js'

/**
 * Logs whose cells hold more than one value: the bytes, DuckDB, and sums in DuckDB read the same rows from them, or
 * complain about the same records.
 */
let folder: string
let counter = 0
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-shapes-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function saved(content: string | Uint8Array): Promise<{ path: string; bytes: Uint8Array }> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  const path = join(folder, `log-${counter++}`)
  await writeFile(path, bytes)
  return { path, bytes }
}

/** The rows of a log in words: user, item, reward, propensity, slate and position. */
const rowsOf = (log: Log): string[] =>
  Array.from({ length: log.rows }, (_, k) =>
    [
      log.userIds[log.user[k]!],
      log.itemIds[log.item[k]!],
      log.reward[k],
      ...(log.propensity ? [log.propensity[k]] : []),
      ...(log.slate ? [`slate ${log.slateIds![log.slate[k]!]}`, log.position?.[k]] : []),
    ].join(' '),
  )

async function outcome(reading: ReturnType<typeof readLog>): Promise<string[]> {
  try {
    const { log, skipped } = await reading
    return [...rowsOf(log), ...(skipped > 0 ? [`${skipped} skipped`] : [])]
  } catch (error) {
    if (!(error instanceof BadRowsError)) return [(error as Error).message.replaceAll(/\S*log-\d+/g, 'FILE')]
    return error.cells.map(({ line, column, value, reason }) => [line, column, value, reason].join(' | '))
  }
}

/** What the bytes hold, which is also what DuckDB reads and sums. */
async function read(content: string | Uint8Array, options: ReadOptions): Promise<string[]> {
  const { path, bytes } = await saved(content)
  const reading = readLog(bytesInput(path, bytes), options)
  const fromBytes = await outcome(reading)
  expect(await outcome(readLogFile(path, options))).toEqual(fromBytes)
  if (options.onBadRow === undefined) {
    const log = await reading.then(
      ({ log: built }) => built,
      () => undefined,
    )
    const sums = await sumsInPlace(path, options).catch(() => 'none')
    expect(sums).toEqual(log ? sumsOf(log) : 'none')
  }
  return fromBytes
}

const TERMS = [one, reward, weightedReward]

/** The sums of each row, as DuckDB computes them from the file. */
async function sumsInPlace(path: string, options: ReadOptions): Promise<number[][]> {
  const source = await DuckDbSums.open(path, { ...options, target: { kind: 'uniform' } })
  try {
    const moments = await askSums(source, TERMS, 'row')
    if (isLacking(moments)) throw new Error(moments.lacking)
    return sorted(moments)
  } finally {
    source.dispose()
  }
}

const sumsOf = (log: Log): number[][] =>
  sorted(momentsOf({ log, weight: importanceWeights(log, { kind: 'uniform' }) }, TERMS, 'row'))

const sorted = (moments: Moments): number[][] =>
  Array.from(moments.keys, (key, k) => [key, ...TERMS.map((term) => moments.sums(term)[k]!)]).toSorted(
    ([x], [y]) => x! - y!,
  )

async function parquet(query: string): Promise<Uint8Array> {
  const path = join(folder, `written-${counter++}.parquet`)
  const instance = await DuckDBInstance.create()
  const connection = await instance.connect()
  await connection.run(`copy (${query}) to '${path}' (format parquet)`)
  connection.closeSync()
  instance.closeSync()
  return readFile(path)
}

const lines = (...records: readonly object[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('')

describe('paths into nested records', () => {
  const columns = { user: 'USER.ID', item: 'shown.item.id', reward: 'outcome.clicked', propensity: 'shown.p' }
  const records = [
    { USER: { ID: 'u1' }, shown: { item: { id: 7 }, p: 0.5 }, outcome: { clicked: true } },
    { USER: { ID: 'u2' }, shown: { item: { id: 8 }, p: 0.25 }, outcome: { clicked: false } },
  ]
  const expected = ['u1 7 1 0.5', 'u2 8 0 0.25']

  it('NDJSON, gzipped or not', async () => {
    expect(await read(lines(...records), { columns })).toEqual(expected)
    expect(await read(gzipSync(lines(...records)), { columns })).toEqual(expected)
  })

  it('structs of Parquet', async () => {
    const query = `select {'ID': 'u' || k} as "USER", {'item': {'id': 6 + k}, 'p': 1 / (2 * k)} as shown,
      {'clicked': k = 1} as outcome from range(1, 3) t(k)`
    expect(await read(await parquet(query), { columns })).toEqual(expected)
  })

  it('JSON in a column of text, in CSV, in Parquet and in NDJSON', async () => {
    const mapped = Object.fromEntries(
      Object.entries(columns).map(([name, path]) => [name, `payload.${path}`]),
    )
    const quoted = records.map((record) => `1,"${JSON.stringify(record).replaceAll('"', '""')}"\n`)
    expect(await read(`id,payload\n${quoted.join('')}`, { columns: mapped })).toEqual(expected)
    const values = records.map((record) => `('${JSON.stringify(record)}')`).join(', ')
    expect(await read(await parquet(`from (values ${values}) t(payload)`), { columns: mapped })).toEqual(
      expected,
    )
    const json = `select payload::JSON as payload from (values ${values}) t(payload)`
    expect(await read(await parquet(json), { columns: mapped })).toEqual(expected)
    const texts = records.map((record) => ({ payload: JSON.stringify(record) }))
    expect(await read(lines(...texts), { columns: mapped })).toEqual(expected)
  })

  it('names the record and the path of a value that is missing or wrong', async () => {
    const bad = [
      { ...records[0]!, shown: { p: 0.5 } },
      { ...records[1]!, shown: { item: { id: 8 }, p: 2 } },
    ]
    expect(await read(lines(records[0]!, ...bad), { columns })).toEqual([
      '2 | shown.item.id |  | missing',
      '3 | shown.p | 2 | must be a probability above 0 and at most 1',
    ])
    expect(await read(lines(records[0]!, ...bad), { columns, onBadRow: 'skip' })).toEqual([
      'u1 7 1 0.5',
      '2 skipped',
    ])
  })

  it('a column whose name has a period is that column', async () => {
    const text = lines({ 'a.b': 'x', a: { b: 'y' }, i: 1, r: 0, p: 1 })
    expect(await read(text, { columns: { user: 'a.b', item: 'i', reward: 'r', propensity: 'p' } })).toEqual([
      'x 1 0 1',
    ])
  })

  it('suggests the path that was meant', async () => {
    const { bytes } = await saved(lines(...records))
    const asked = { ...columns, item: 'shown.item.ID' }
    await expect(readLog(bytesInput('log', bytes), { columns: asked })).rejects.toMatchObject({
      code: 'missing-column',
      remedy: expect.stringContaining('item=shown.item.id'),
    })
  })

  it('whole numbers beyond 2^53 stay as they are written', async () => {
    const text =
      '{"u":{"id":9007199254740993},"i":184467440737095516159,"r":0,"p":1}\n{"u":{"id":9007199254740992},"i":-9007199254740993,"r":1,"p":1}\n'
    const big = { user: 'u.id', item: 'i', reward: 'r', propensity: 'p' }
    expect(await read(text, { columns: big })).toEqual([
      '9007199254740993 184467440737095516159 0 1',
      '9007199254740992 -9007199254740993 1 1',
    ])
  })

  it('labels by path', async () => {
    const { path, bytes } = await saved(lines(...records))
    const options = { columns, labels: ['shown.item.id'] }
    const expectedLabels = { 'shown.item.id': { ids: ['7', '8'], index: Uint32Array.of(0, 1) } }
    expect((await readLog(bytesInput(path, bytes), options)).log.labels).toEqual(expectedLabels)
    expect((await readLogFile(path, options)).log.labels).toEqual(expectedLabels)
  })
})

describe('the element of a list that another column names', () => {
  const columns = { user: 'u', item: 'a', reward: 'r', propensity: 'ps[a]' }

  it('in NDJSON, Parquet and JSON in a column of text', async () => {
    const records = [
      { u: 'x', a: 1, r: 0, ps: [0.5, 0.25] },
      { u: 'y', a: 0, r: 1, ps: [0.125] },
    ]
    const rows = ['x 1 0 0.25', 'y 0 1 0.125']
    expect(await read(lines(...records), { columns })).toEqual(rows)
    const query = `from (values ('x', 1, 0, [0.5, 0.25]::DOUBLE[]), ('y', 0, 1, [0.125])) t(u, a, r, ps)`
    expect(await read(await parquet(query), { columns })).toEqual(rows)
    expect(await read('u,a,r,ps\nx,1,0,"[0.5,0.25]"\ny,0,1,[0.125]\n', { columns })).toEqual(rows)
  })

  it('is missing where the list is shorter, or the number is none', async () => {
    const text = lines(...[2, -1, 0.5, 'b'].map((a) => ({ u: 'x', w: 'y', a, r: 0, ps: [0.5, 0.25] })))
    expect(await read(text, { columns: { ...columns, item: 'w' } })).toEqual(
      [1, 2, 3, 4].map((line) => `${line} | ps[a] |  | missing`),
    )
  })
})

describe('values computed from what cells hold', () => {
  it('from paths and from an element of a list', async () => {
    const records = [
      { u: 'x', shown: { item: 'a', percent: 50 }, ps: [50, 25], k: 1, stars: { given: 4 } },
      { u: 'y', shown: { item: 'b', percent: 12.5 }, ps: [12.5], k: 0, stars: { given: 3 } },
    ]
    const columns = { user: 'u', item: 'shown.item', reward: 'stars.given >= 4' }
    const text = lines(...records)
    expect(await read(text, { columns: { ...columns, propensity: 'shown.percent / 100' } })).toEqual([
      'x a 1 0.5',
      'y b 0 0.125',
    ])
    expect(await read(text, { columns: { ...columns, propensity: 'ps[k] / 100' } })).toEqual([
      'x a 1 0.25',
      'y b 0 0.125',
    ])
  })

  it('from the lists of a page, and from what all its items share', async () => {
    const pages = [
      { u: 'x', items: ['a', 'b'], stars: [3, 5], ps: [50, 25], scale: 100 },
      { u: 'y', items: ['c'], stars: [4], ps: [1], scale: 8 },
    ]
    const columns = { user: 'u', item: 'items', reward: 'stars >= 4', propensity: 'ps / scale' }
    expect(await read(lines(...pages), { columns })).toEqual([
      'x a 0 0.5 slate 1 1',
      'x b 1 0.25 slate 1 2',
      'y c 1 0.125 slate 2 1',
    ])
    const query = `from (values ('x', ['a', 'b'], [3, 5], [50, 25]::DOUBLE[], 100), ('y', ['c'], [4], [1], 8)) t(u, items, stars, ps, scale)`
    expect(await read(await parquet(query), { columns })).toEqual([
      'x a 0 0.5 slate 1 1',
      'x b 1 0.25 slate 1 2',
      'y c 1 0.125 slate 2 1',
    ])
  })

  it('with decimal commas inside objects', async () => {
    const records = [
      { u: 'x', shown: { item: 'a', p: '0,5' }, r: 0 },
      { u: 'y', shown: { item: 'b', p: '0,25' }, r: 1 },
    ]
    const columns = { user: 'u', item: 'shown.item', reward: 'r', propensity: 'shown.p' }
    expect(await read(lines(...records), { columns })).toEqual(['x a 0 0.5', 'y b 1 0.25'])
  })
})

describe('pages, one record each', () => {
  const columns = { user: 'u', item: 'items', reward: 'clicks', propensity: 'ps' }
  const pages = [
    { u: 'x', items: ['a', 'b'], clicks: [0, 1], ps: [0.5, 0.25] },
    { u: 'y', items: ['c'], clicks: [1], ps: [0.125] },
  ]
  const expected = ['x a 0 0.5 slate 1 1', 'x b 1 0.25 slate 1 2', 'y c 1 0.125 slate 2 1']

  it('lists of NDJSON', async () => {
    expect(await read(lines(...pages), { columns })).toEqual(expected)
  })

  it('lists of Parquet', async () => {
    const query = `from (values ('x', ['a', 'b'], [0, 1], [0.5, 0.25]::DOUBLE[]), ('y', ['c'], [1], [0.125])) t(u, items, clicks, ps)`
    expect(await read(await parquet(query), { columns })).toEqual(expected)
  })

  it('lists as JSON in a column of text', async () => {
    const rows = [`x,"[""a"",""b""]","[0,1]","[0.5,0.25]"`, `y,"[""c""]",[1],[0.125]`]
    expect(await read(`u,items,clicks,ps\n${rows.join('\n')}\n`, { columns })).toEqual(expected)
    const query = `from (values ('x', '["a","b"]', '[0,1]', '[0.5,0.25]'), ('y', '["c"]', '[1]', '[0.125]')) t(u, items, clicks, ps)`
    expect(await read(await parquet(query), { columns })).toEqual(expected)
  })

  it('lists of records', async () => {
    const mapped = {
      user: 'u.id',
      item: 'page.shown.id',
      reward: 'page.shown.click',
      propensity: 'page.shown.p',
    }
    const records = pages.map(({ u, items, clicks, ps }) => ({
      u: { id: u },
      page: { shown: items.map((id, k) => ({ id, click: clicks[k], p: ps[k] })) },
    }))
    expect(await read(lines(...records), { columns: mapped })).toEqual(expected)
    const query = `select {'id': u} as u, {'shown': list_transform(range(1, len(items) + 1), lambda k: {'id': items[k], 'click': clicks[k], 'p': ps[k]})} as page
      from (values ('x', ['a', 'b'], [0, 1], [0.5, 0.25]::DOUBLE[]), ('y', ['c'], [1], [0.125])) t(u, items, clicks, ps)`
    expect(await read(await parquet(query), { columns: mapped })).toEqual(expected)
  })

  it('ids of pages and positions that the file has', async () => {
    const records = pages.map((page, k) => ({
      ...page,
      id: `p${k}`,
      at: page.items.map((_, place) => 10 + place),
    }))
    const mapped = { ...columns, slate: 'id', position: 'at' } as const
    expect(await read(lines(...records), { columns: mapped })).toEqual([
      'x a 0 0.5 slate p0 10',
      'x b 1 0.25 slate p0 11',
      'y c 1 0.125 slate p1 10',
    ])
  })

  it('a list of the items that were clicked', async () => {
    const records = [
      { u: 'x', items: ['a', 'b'], clicked: ['b'], ps: [0.5, 0.25] },
      { u: 'y', items: ['c'], clicked: [], ps: [0.125] },
    ]
    const mapped = { ...columns, reward: 'in(clicked)' }
    const rows = ['x a 0 0.5 slate 1 1', 'x b 1 0.25 slate 1 2', 'y c 0 0.125 slate 2 1']
    expect(await read(lines(...records), { columns: mapped })).toEqual(rows)
    const query = `from (values ('x', ['a', 'b'], ['b'], [0.5, 0.25]::DOUBLE[]), ('y', ['c'], [], [0.125])) t(u, items, clicked, ps)`
    expect(await read(await parquet(query), { columns: mapped })).toEqual(rows)
    const strange = lines(records[0]!, { ...records[1]!, clicked: ['z'] })
    expect(await read(strange, { columns: mapped })).toEqual([
      '2 |  |  | has z for in(clicked), which items does not show',
    ])
  })

  it('names the record of a page whose lists differ, are missing or are empty', async () => {
    const [page, other] = pages as [(typeof pages)[0], (typeof pages)[0]]
    const bad = lines(
      page,
      { ...page, ps: [0.5] },
      other,
      { ...page, clicks: 1 },
      { ...page, items: [], clicks: [], ps: [] },
      { u: 'z' },
    )
    expect(await read(bad, { columns })).toEqual([
      '2 |  |  | has 2 in items but 1 in ps',
      '4 |  |  | has no list in clicks',
      '5 |  |  | shows no items: items is empty',
      '6 |  |  | has no list in items',
    ])
    expect(await read(bad, { columns, onBadRow: 'skip' })).toEqual([
      ...expected.slice(0, 2),
      'y c 1 0.125 slate 3 1',
      '4 skipped',
    ])
    const query = `from (values ('x', ['a', 'b'], [0, 1], [0.5, 0.25]::DOUBLE[]), ('y', ['c'], [1], [])) t(u, items, clicks, ps)`
    expect(await read(await parquet(query), { columns })).toEqual(['2 |  |  | has 1 in items but 0 in ps'])
  })

  it('names the record of a bad value within a page, and the value', async () => {
    const [page, other] = pages as [(typeof pages)[0], (typeof pages)[0]]
    const bad = lines(other, { ...page, ps: [0.5, 7] })
    expect(await read(bad, { columns })).toEqual(['2 | ps | 7 | must be a probability above 0 and at most 1'])
    const query = `from (values ('y', ['c'], [1], [0.125]::DOUBLE[]), ('x', ['a', 'b'], [0, 1], [0.5, 7])) t(u, items, clicks, ps)`
    expect(await read(await parquet(query), { columns })).toEqual([
      '2 | ps | 7 | must be a probability above 0 and at most 1',
    ])
  })

  it('does not spread one propensity or reward over the items of a page', async () => {
    const [message] = await read(lines({ ...pages[0], ps: 0.5 }), { columns })
    expect(message).toBe('FILE: item (items) holds a list per record, but propensity (ps) holds one value.')
  })

  it('takes a text in brackets for an id where the reward is a number', async () => {
    const text = 'u,items,r,p\nx,"[1,2]",1,0.5\ny,"[3]",0,0.5\n'
    expect(await read(text, { columns: { user: 'u', item: 'items', reward: 'r', propensity: 'p' } })).toEqual(
      ['x [1,2] 1 0.5', 'y [3] 0 0.5'],
    )
  })

  it('gives the rows that a table with a row per item gives', async () => {
    const page = fc.record({
      u: fc.constantFrom('x', 'y', 'z'),
      rows: fc.array(
        fc.tuple(fc.integer({ min: 0, max: 9 }), fc.constantFrom(0, 1), fc.constantFrom(0.1, 0.5, 1)),
        { minLength: 1, maxLength: 4 },
      ),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(page, { minLength: 1, maxLength: 6 }), async (drawn) => {
        const nested = drawn.map(({ u, rows }) => ({
          u,
          items: rows.map(([item]) => item),
          clicks: rows.map(([, click]) => click),
          ps: rows.map(([, , p]) => p),
        }))
        const flat = drawn.flatMap(({ u, rows }, k) =>
          rows.map(([item, click, p], place) => `${u},${item},${click},${p},${k + 1},${place + 1}\n`),
        )
        const table = `user_id,item_id,reward,propensity,slate_id,position\n${flat.join('')}`
        expect(await read(lines(...nested), { columns })).toEqual(await read(table, {}))
      }),
      { numRuns: 3, seed: 14 },
    )
  })
})
