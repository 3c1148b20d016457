import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { double, impressions, plainest } from './world.mjs'

/** DuckDB over a Parquet file that it made itself. */
export async function start(rows) {
  const folder = mkdtempSync(join(tmpdir(), 'hindcast-engines-'))
  const file = join(folder, 'impressions.parquet')
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: '4GB', temp_directory: folder })
  const connection = await instance.connect()
  const made = impressions(rows, {
    from: `SELECT random() AS u, random() AS x FROM range(${rows})`,
    double: (value) => `CAST(${value} AS DOUBLE)`,
    whole: (value) => `CAST(${value} AS BIGINT)`,
    random: 'random()',
  })
  await connection.run('SELECT setseed(0.5)')
  await connection.run(`COPY (${made}) TO '${file}' (FORMAT parquet)`)
  const table = `'${file}'`
  return {
    log: file,
    dialect: 'duckdb',
    table,
    plain: () => connection.runAndReadAll(plainest(table, double)),
    statement: async (sql) => (await connection.runAndReadAll(sql)).currentRowCount,
    stop: async () => {
      instance.closeSync()
      rmSync(folder, { recursive: true })
    },
  }
}
