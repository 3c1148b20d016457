import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parquetBytes } from '../log/write/parquet.js'
import { readLogFile } from './read-log.js'
import { openDuckDbTable } from './sums/duckdb-sums.js'

const HEADER = 'user_id,item_id,reward,propensity'
const rows = Array.from({ length: 90 }, (_, k) => `u${(k * 7) % 11},${k % 5},${k % 3 === 0 ? 1 : 0},0.2`)
const csv = (part: readonly string[]): string => `${[HEADER, ...part].join('\n')}\n`

let folder: string
const at = (name: string): string => join(folder, name)
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-glob-'))
  await writeFile(at('whole.csv'), csv(rows))
  for (const [name, from, to] of [
    ['part-1.csv', 0, 40],
    ['part-2.csv', 40, 41],
    ['part-3.csv', 41, 90],
  ] as const)
    await writeFile(at(name), csv(rows.slice(from, to)))
})
afterAll(() => rm(folder, { recursive: true }))

describe('the files that match a pattern', () => {
  it('are the log that they were cut from, whoever reads them', async () => {
    const whole = await readLogFile(at('whole.csv'))
    const notes: string[] = []
    const parts = await readLogFile(at('part-*.csv'), { glob: true, onNote: (note) => notes.push(note) })
    expect(parts.log).toEqual(whole.log)
    expect(notes).toEqual([`Reading 3 files: ${[1, 2, 3].map((k) => at(`part-${k}.csv`)).join(', ')}.`])
    const summed = async (path: string, glob: boolean): Promise<unknown> => {
      const { engine, table, dispose } = await openDuckDbTable(path, { target: { kind: 'logging' }, glob })
      const { from, ids, numbers } = table.relation
      const query = `SELECT sum(md5_number_lower(${ids.user!.text} || '|' || ${ids.item!.text}) % 1000), sum(${numbers.reward}), count(*) FROM ${from}`
      return engine.numbers(query).finally(dispose)
    }
    expect(await summed(at('part-?.csv'), true)).toEqual(await summed(at('whole.csv'), false))
  })

  it('are named by a folder that an engine wrote, with folders of its own, and by no other', async () => {
    for (const [k, part] of [rows.slice(0, 30), rows.slice(30)].entries()) {
      await mkdir(at(`table/date=2024-01-0${k}`), { recursive: true })
      await writeFile(at(`table/date=2024-01-0${k}/part-0.csv`), csv(part))
    }
    await writeFile(at('table/_SUCCESS'), '')
    expect((await readLogFile(at('table'))).log).toEqual((await readLogFile(at('whole.csv'))).log)
    await mkdir(at('mixed'))
    for (const name of ['train.csv', 'test.csv']) await writeFile(at(join('mixed', name)), csv(rows))
    await expect(readLogFile(at('mixed'))).rejects.toMatchObject({
      remedy: expect.stringContaining(`${at('mixed')}/*.csv in quotes`) as string,
    })
  })

  it('may be Parquet, and are in the order of their names', async () => {
    for (const name of ['part-2', 'part-3']) {
      const { log } = await readLogFile(at(`${name}.csv`))
      await writeFile(at(`${name}.parquet`), await parquetBytes(log))
    }
    const { log } = await readLogFile(at('part-[23].parquet'), { glob: true })
    expect(log.rows).toBe(50)
    expect(log.itemIds[log.item[0]!]).toBe('0')
    expect(log.userIds[log.user[0]!]).toBe(`u${(40 * 7) % 11}`)
  })

  it('each name their own bad rows', async () => {
    await writeFile(at('bad-1.csv'), csv([...rows.slice(0, 3), 'u1,i1,1,7']))
    await writeFile(at('bad-2.csv'), csv([rows[0]!, 'u1,i1,x,0.5', 'u1,i1,1,0.5']))
    const reading = readLogFile(at('bad-?.csv'), { glob: true })
    await expect(reading).rejects.toThrow(`${at('bad-1.csv')}, line 5, column propensity = "7": `)
    await expect(reading).rejects.toThrow(`${at('bad-2.csv')}, line 3, column reward = "x": `)
    const skipped: unknown[] = []
    const { log, linesOf } = await readLogFile(at('bad-?.csv'), {
      glob: true,
      onBadRow: 'skip',
      onSkipped: (bad) => void skipped.push(...bad.map(({ cell }) => [cell.file, cell.line])),
    })
    expect([log.rows, skipped]).toEqual([
      5,
      [
        [at('bad-1.csv'), 5],
        [at('bad-2.csv'), 3],
      ],
    ])
    // Counted over all files.
    expect(await linesOf([2, 3, 4])).toEqual([3, 5, 7])
  })

  it('must be laid out alike, and there must be some', async () => {
    await writeFile(at('odd-1.csv'), csv(rows.slice(0, 2)))
    await writeFile(at('odd-2.csv'), `${HEADER},timestamp\n${rows[0]},1700000000\n`)
    await expect(readLogFile(at('odd-*.csv'), { glob: true })).rejects.toThrow(
      /odd-2\.csv is not laid out as .*odd-1\.csv: time is timestamp there, and missing here/,
    )
    await expect(readLogFile(at('none-*.csv'), { glob: true })).rejects.toMatchObject({
      code: 'not-found',
      message: `No file matches ${at('none-*.csv')}.`,
    })
    await expect(readLogFile(at('part-*.csv'))).rejects.toMatchObject({
      code: 'not-found',
      remedy: 'Check the path. To read all files that match it as one log, use glob.',
    })
  })
})
