import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parquetBytes } from '../../log/write/parquet.js'
import { openDuckDbTable } from '../sums/duckdb-sums.js'
import { readLogFile } from '../read-log.js'
import { Engine, fileLiteral } from './engine.js'

const HEADER = 'user_id,item_id,reward,propensity'
const own = `${HEADER}\nown,a,1,0.5\nown,b,0,0.5\n`
const other = `${HEADER}\nother,a,1,0.5\nother,a,1,0.5\nother,b,1,0.5\n`

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-names-'))
})
afterAll(() => rm(folder, { recursive: true }))

describe('a file name is never a pattern', () => {
  it.each([
    ['a[1].csv', 'a1.csv'],
    ['a*.csv', 'ab.csv'],
    ['a?.csv', 'ax.csv'],
    ['c[!d].csv', 'ce.csv'],
    ['[x]/log.csv', 'x/log.csv'],
    ['back\\slash[1].csv', 'back/slash1.csv'],
    ["quote'.csv", 'quote.csv'],
    ['{a,b}.csv', 'a.csv'],
    ['~.csv', 'home.csv'],
    ['ünï [ç].csv', 'ünï ç.csv'],
  ])('%s is not %s', async (name, neighbour) => {
    for (const [path, text] of [
      [name, own],
      [neighbour, other],
    ] as const) {
      const full = `${folder}/${path}`
      if (path.includes('/')) await mkdir(full.slice(0, full.lastIndexOf('/')), { recursive: true })
      await writeFile(full, text)
    }
    const path = `${folder}/${name}`
    const { log } = await readLogFile(path)
    expect([log.rows, log.userIds]).toEqual([2, ['own']])
    if (name.includes('\\')) return
    const { engine, table, dispose } = await openDuckDbTable(path, { target: { kind: 'logging' } })
    const [[rows]] = (await engine.numbers(`SELECT count(*) FROM ${table.relation.from}`)) as [[number]]
    dispose()
    expect(rows).toBe(2)
  })

  it('a Parquet file neither, and the names of its folders are not columns', async () => {
    const { log } = await readLogFile(join(folder, 'a[1].csv'))
    const there = join(folder, 'reward=9')
    await mkdir(there)
    await writeFile(join(there, 'p[1].parquet'), await parquetBytes(log))
    await writeFile(join(there, 'p1.parquet'), 'not Parquet')
    const read = await readLogFile(join(there, 'p[1].parquet'))
    expect([...read.log.reward]).toEqual([1, 0])
    const text = join(there, 'log.csv')
    await writeFile(text, own)
    expect([...(await readLogFile(text)).log.reward]).toEqual([1, 0])
  })
})

describe('the engine', () => {
  const refused = async (engine: Engine, query: string): Promise<string> =>
    engine.connection.run(query).then(
      () => 'allowed',
      (error: Error) => error.message.split('\n')[0]!,
    )

  it('reads the files it was opened for, and nothing else on this machine', async () => {
    const path = join(folder, 'a[1].csv')
    const engine = await Engine.open({ files: [path] })
    try {
      const rows = await engine.connection.runAndReadAll(`SELECT * FROM read_csv(${fileLiteral(path)})`)
      expect(rows.currentRowCount).toBe(2)
      for (const query of [
        `SELECT * FROM read_csv('${folder}/a1.csv')`,
        `SELECT * FROM read_text('${folder}/*')`,
        `SELECT * FROM glob('${folder}/*')`,
        `COPY (SELECT 1) TO '${folder}/written.csv'`,
        `ATTACH '${folder}/written.db'`,
        `INSTALL httpfs`,
        `LOAD httpfs`,
      ])
        expect(await refused(engine, query), query).toMatch(/^Permission Error/)
      for (const setting of [
        'enable_external_access = true',
        "memory_limit = '1GB'",
        'autoload_known_extensions = true',
      ])
        expect(await refused(engine, `SET ${setting}`)).toMatch(/locked/)
    } finally {
      engine.dispose()
    }
  })

  it('still spills to its own folder where memory runs out', async () => {
    const engine = await Engine.open({ files: [], memoryMegabytes: 64 })
    try {
      await engine.connection.run(
        'CREATE TEMP TABLE large AS SELECT md5(range::VARCHAR) || md5((-range)::VARCHAR) AS id FROM range(800000)',
      )
      const [[rows]] = (
        await engine.connection.runAndReadAll('SELECT count(*) FROM (SELECT id FROM large ORDER BY id)')
      ).getRows() as [[bigint]]
      expect(rows).toBe(800_000n)
      const [[spilled]] = (
        await engine.connection.runAndReadAll('SELECT sum(size) FROM duckdb_temporary_files()')
      ).getRows() as [[bigint]]
      expect(Number(spilled)).toBeGreaterThan(0)
    } finally {
      engine.dispose()
    }
  })
})
