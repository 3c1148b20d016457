import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Evaluation } from '../src/estimate/evaluation.js'
import { hindcast } from './hindcast.js'

const COLUMNS = 'user=user_id,item=item_id,reward=reward,propensity=propensity'
let folder: string

const json = async (name: string): Promise<Evaluation> =>
  JSON.parse(await readFile(join(folder, name), 'utf8')) as Evaluation

/** Runs a printed statement as a person would, in an engine of its own, and saves its result. */
async function run(statement: string, out: string): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  await connection.run(`SET file_search_path = '${folder}'`)
  await connection.run(`COPY (${statement}) TO '${join(folder, out)}' (HEADER)`)
  instance.closeSync()
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-script-'))
  const made = ['simulate', 'toy', '--seed', '7', '--users', '200', '--out', 'toy.csv']
  expect((await hindcast(made, { cwd: folder })).code).toBe(0)
})

describe('hindcast sql', () => {
  it('prints a statement whose result gets the verdict of the log', async () => {
    const printed = await hindcast(
      ['sql', '--target', 'uniform', '--dialect', 'duckdb', '--table', '"toy.csv"', '--columns', COLUMNS],
      {
        cwd: folder,
      },
    )
    expect(printed.code, printed.stderr).toBe(0)
    await run(printed.stdout, 'sums.csv')
    const told = await hindcast(
      ['evaluate', '--sums', 'sums.csv', '--json', 'sums.json', '--report', 'sums.html'],
      {
        cwd: folder,
      },
    )
    expect(told.code, told.stderr).toBe(0)
    await hindcast(
      ['evaluate', '--target', 'uniform', 'toy.csv', '--estimators', 'ips,snips', '--json', 'rows.json'],
      {
        cwd: folder,
      },
    )
    const [fromSums, fromRows] = [await json('sums.json'), await json('rows.json')]
    const said = ({ verdict }: Evaluation): unknown => [
      verdict.level,
      verdict.reasons.map(({ message }) => message),
    ]
    expect(said(fromSums)).toEqual(said(fromRows))
    for (const [k, { value, interval }] of fromRows.estimates.entries()) {
      expect(fromSums.estimates[k]!.value).toBeCloseTo(value!, 12)
      for (const end of [0, 1]) expect(fromSums.estimates[k]!.interval![end]).toBeCloseTo(interval![end]!, 12)
    }
  })

  it('refuses a result that is not whole, or of something else', async () => {
    const lines = (await readFile(join(folder, 'sums.csv'), 'utf8')).trimEnd().split('\n')
    await writeFile(join(folder, 'cut.csv'), lines.slice(0, -40).join('\n'))
    const cut = await hindcast(['evaluate', '--sums', 'cut.csv'], { cwd: folder })
    expect(cut.code).toBe(2)
    const other = await hindcast(['evaluate', '--sums', 'toy.csv'], { cwd: folder })
    expect(other.code).toBe(2)
    expect(other.stderr).not.toContain('unexpected error')
  })

  it('is a model of dbt, with only some rows, in any dialect', async () => {
    const printed = await hindcast(
      ['sql', '--target', 'uniform', '--dialect', 'bigquery', '--table', 'shop.impressions', '--columns', `${COLUMNS},time=shown_at`, '--where', "country = 'DE'", '--since', '2026-03-01', '--target', 'warehouse:shop.policy', '--dbt'], // prettier-ignore
      { cwd: folder },
    )
    expect(printed.code, printed.stderr).toBe(0)
    for (const part of [
      "{{ source('shop', 'impressions') }}",
      "{{ source('shop', 'policy') }}",
      "country = 'DE'",
    ])
      expect(printed.stdout).toContain(part)
    const unknown = await hindcast(
      ['sql', '--target', 'uniform', '--dialect', 'bigqery', '--table', 'x', '--columns', COLUMNS],
      {
        cwd: folder,
      },
    )
    expect(unknown.stderr).toContain('bigquery')
  })
})
