import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ByteInput, bytesInput } from '../src/log/bytes/input.js'
import { parquetBytes } from '../src/log/write/parquet.js'
import { type Preview, previewLog } from '../src/read/preview.js'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-preview-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** What DuckDB writes for a query: by default a single page for each column of a row group. */
async function written(query: string, options = ''): Promise<Uint8Array> {
  const path = join(folder, 'written.parquet')
  const instance = await DuckDBInstance.create()
  const connection = await instance.connect()
  await connection.run(`copy (${query}) to '${path}' (format parquet${options})`)
  connection.closeSync()
  instance.closeSync()
  return readFile(path)
}

/** A preview, and how many bytes it took. */
async function look(bytes: Uint8Array): Promise<{ preview: Preview; read: number }> {
  let read = 0
  const input = bytesInput('log.parquet', bytes)
  const watched: ByteInput = {
    ...input,
    slice: (start, end = bytes.length) => {
      read += end - start
      return input.slice(start, end)
    },
  }
  return { preview: await previewLog(watched), read }
}
const contents = ({ columns }: Preview): Record<string, string> =>
  Object.fromEntries(columns.map(({ name, content }) => [name, content]))

describe('a preview of Parquet', () => {
  it('reads the first pages of a large file', async () => {
    const rows = 1_000_000
    const each = Uint32Array.from({ length: rows }, (_, k) => k)
    const numbers = Float64Array.from({ length: rows }, (_, k) => (k + 1) / rows)
    const bytes = await parquetBytes({
      rows,
      user: each,
      item: each.map((k) => k % 7),
      userIds: Array.from(each, (k) => `user ${(k * 7919) % rows}`),
      itemIds: Array.from('abcdefg'),
      catalogueKnown: false,
      reward: numbers,
      propensity: numbers,
      propensitySource: 'logged',
    })
    const { preview, read } = await look(bytes)
    expect(preview).toMatchObject({ totalRows: rows, rows: 1000, missing: [] })
    expect(preview.columns.map(({ samples }) => samples.length)).toEqual([5, 5, 5, 5])
    expect(read).toBeLessThan(bytes.length / 2)
  })

  it('reads a column to its end where all of it is one page', async () => {
    const bytes = await written(
      "select md5(i::varchar) as uid, i % 100 as sku, i % 2 as click, 0.25 as p, timestamp '2024-05-01' as ts from range(120000) t(i)",
    )
    const { preview } = await look(bytes)
    expect(contents(preview)).toEqual({
      uid: 'text',
      sku: 'whole-numbers',
      click: 'zeros-and-ones',
      p: 'probabilities',
      ts: 'times',
    })
  })

  it('leaves a column unseen that would take long, and goes by its name', async () => {
    const bytes = await written(
      'select repeat(md5(i::varchar), 6) as uid, i % 100 as sku, i % 2 as click from range(250000) t(i)',
      ', row_group_size 250000',
    )
    const { preview, read } = await look(bytes)
    expect(contents(preview)).toEqual({ uid: 'unseen', sku: 'whole-numbers', click: 'zeros-and-ones' })
    expect(preview.guesses[0]).toEqual({ column: 'user', names: ['uid'], why: 'synonym', sureness: 'likely' })
    expect(read).toBeLessThan(bytes.length / 2)
  })

  it('offers lists and the fields of records, and guesses no single value beside a list', async () => {
    const bytes = await written(
      "select 'u' as user_id, [1, 2] as item, {'a': 1} as reward, 0.5 as propensity from range(20)",
    )
    const { preview } = await look(bytes)
    expect(contents(preview)).toEqual({
      user_id: 'text',
      item: 'whole-numbers',
      'reward.a': 'zeros-and-ones',
      propensity: 'probabilities',
    })
    expect(preview.guesses.map(({ column, names }) => [column, names[0]])).toEqual([
      ['user', 'user_id'],
      ['item', 'item'],
    ])
  })
})
