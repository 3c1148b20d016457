import { join } from 'node:path'
import type { MakeSource } from '../../src/estimate/source/conformance.js'
import { SqlSums } from '../../src/estimate/source/sql-sums.js'
import type { SqlTable } from '../../src/estimate/source/sql-table.js'
import type { Log } from '../../src/log/log.js'
import type { SqlEngine } from '../../src/sql/engine.js'
import { tableRelation } from '../../src/sql/table-relation.js'
import { categoryTable, logTable, type TableFile, writeTable } from './log-files.js'

/** An engine that reads Parquet files. */
export interface FileEngine extends SqlEngine {
  /** Makes the file a table of this name, to be selected from by what is returned. */
  load(name: string, path: string, file: TableFile): Promise<string>
  /** The cells of a statement that is sent as it is, as texts. */
  cells(statement: string): Promise<(string | null)[][]>
}

let count = 0

/** Writes a table to a file of the folder, and makes it one of the engine. */
export async function putTable(
  engine: FileEngine,
  folder: string,
  name: string,
  file: TableFile,
): Promise<string> {
  const path = join(folder, name, 'part.parquet')
  await writeTable(path, file)
  return engine.load(name, path, file)
}

/** A log in an engine, as a target sees it. */
export async function engineTable(
  engine: FileEngine,
  folder: string,
  log: Log,
  asked: Pick<SqlTable, 'target'> & Partial<SqlTable>,
): Promise<SqlTable> {
  const name = `log_${count++}`
  const file = logTable(log)
  const from = await putTable(engine, folder, name, file)
  const source = { from, columns: file.columns, key: 'place' }
  return {
    name,
    relation: tableRelation(engine.dialect, source, file.origins),
    propensity: undefined,
    clickFrom: undefined,
    model: undefined,
    ...asked,
  }
}

/** Sums over logs in an engine, for `sourceConformance`. Above so many clusters by bucket. */
export function engineSums(engine: FileEngine, folder: string, mostClusters?: number): MakeSource {
  return async (log, target, categories, loggers) => {
    const file = categoryTable(log, categories)
    const table = await putTable(engine, folder, `categories_${count++}`, file)
    return new SqlSums(
      engine,
      await engineTable(engine, folder, log, {
        target,
        categories: { table },
        ...(loggers && { loggers }),
        ...(mostClusters !== undefined && { mostClusters }),
      }),
    )
  }
}
