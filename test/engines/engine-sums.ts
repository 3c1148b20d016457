import { join } from 'node:path'
import type { MakeSource } from '../../src/estimate/source/conformance.js'
import { SqlSums } from '../../src/estimate/source/sql-sums.js'
import type { SqlEngine } from '../../src/sql/engine.js'
import { tableRelation } from '../../src/sql/table-relation.js'
import { categoryTable, logTable, type TableFile, writeTable } from './log-files.js'

/** An engine that reads Parquet files. */
export interface FileEngine extends SqlEngine {
  /** Makes the file a table of this name, to be selected from by what is returned. */
  load(name: string, path: string, file: TableFile): Promise<string>
}

let count = 0

/** Sums over logs in an engine, for `sourceConformance`. Above so many clusters by bucket. */
export function engineSums(engine: FileEngine, folder: string, mostClusters?: number): MakeSource {
  return async (log, target, categories, loggers) => {
    const name = `log_${count++}`
    const put = async (part: string, file: TableFile): Promise<string> => {
      const path = join(folder, part, 'part.parquet')
      await writeTable(path, file)
      return engine.load(part, path, file)
    }
    const file = logTable(log)
    const from = await put(name, file)
    const table = await put(`${name}_categories`, categoryTable(log, categories))
    const { dialect } = engine
    return new SqlSums(engine, {
      name,
      relation: tableRelation(dialect, { from, columns: file.columns, key: 'place' }, file.origins),
      target,
      propensity: undefined,
      clickFrom: undefined,
      model: undefined,
      categories: { table },
      ...(loggers && { loggers }),
      ...(mostClusters !== undefined && { mostClusters }),
    })
  }
}
