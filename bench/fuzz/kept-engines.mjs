import { DuckDBInstance } from '@duckdb/node-api'
import { Engine } from '../../dist/node/duckdb/engine.js'

/**
 * Opening DuckDB takes longer than reading a small file. Engines opened in the same way are opened once and handed out
 * empty; `dispose` is left to the end of the process.
 */
export function keepEngines() {
  const open = Engine.open.bind(Engine)
  const create = DuckDBInstance.create.bind(DuckDBInstance)
  // All files have one name, and DuckDB would keep what it read of the last.
  DuckDBInstance.create = (name, settings) =>
    create(name, { ...settings, enable_external_file_cache: 'false' })
  const kept = new Map()
  Engine.open = async (...settings) => {
    const key = JSON.stringify(settings)
    if (!kept.has(key)) kept.set(key, await open(...settings))
    const { connection } = kept.get(key)
    const found = await connection.runAndReadAll(
      `SELECT 'TABLE', table_name FROM duckdb_tables() WHERE temporary UNION ALL SELECT 'VIEW', view_name FROM duckdb_views() WHERE temporary AND NOT internal`,
    )
    for (const [what, name] of found.getRows()) await connection.run(`DROP ${what} "${name}"`)
    return { connection, dispose: () => undefined }
  }
}
