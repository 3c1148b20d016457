import { join } from 'node:path'
import type { MakeSource } from '../../src/estimate/source/conformance.js'
import { SqlSums } from '../../src/estimate/source/sql-sums.js'
import { tablesToJoin } from '../../src/node/warehouse/join-log.js'
import type { SqlColumn } from '../../src/sql/column-kind.js'
import type { SqlEngine } from '../../src/sql/engine.js'
import { joinTables, relationOfJoin } from '../../src/sql/join/join-tables.js'
import { tableRelation } from '../../src/sql/table-relation.js'
import type { MakeJoined } from '../join-conformance.js'
import { categoryTable, eventTable, logTable, type TableFile, writeTable } from './log-files.js'

/** An engine that reads Parquet files. */
export interface FileEngine extends SqlEngine {
  /** Makes the file a table of this name, to be selected from by what is returned. */
  load(name: string, path: string, file: TableFile): Promise<string>
}

let count = 0

/** Makes a table of the engine; what to select it from. */
async function put(engine: FileEngine, folder: string, name: string, file: TableFile): Promise<string> {
  const path = join(folder, name, 'part.parquet')
  await writeTable(path, file)
  return engine.load(name, path, file)
}

/** Sums over logs in an engine, for `sourceConformance`. Above so many clusters by bucket. */
export function engineSums(engine: FileEngine, folder: string, mostClusters?: number): MakeSource {
  return async (log, target, categories, loggers) => {
    const name = `log_${count++}`
    const file = logTable(log)
    const from = await put(engine, folder, name, file)
    const table = await put(engine, folder, `${name}_categories`, categoryTable(log, categories))
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

/** Sums over decisions and outcomes that are joined in an engine, for `joinConformance`. */
export function joinedSums(engine: FileEngine, folder: string): MakeJoined {
  return async ({ decisions, outcomes }, join) => {
    const name = `join_${count++}`
    const [shown, came] = [eventTable(decisions), eventTable(outcomes)]
    const from = await put(engine, folder, `${name}_decisions`, shown)
    const events = await put(engine, folder, `${name}_outcomes`, came)
    const rows = { rows: { query: `SELECT * FROM ${from}` }, outcomes: { query: `SELECT * FROM ${events}` } }
    const columnsOf = async (asked: string): Promise<SqlColumn[]> => [
      ...(asked.includes(events) ? came : shown).columns,
    ]
    const asking = {
      name: engine.name,
      dialect: engine.dialect,
      columnsOf,
      numbers: (query: string) => engine.numbers(query),
      texts: (query: string) => engine.texts(query),
      groups: (...query: Parameters<FileEngine['groups']>) => engine.groups(...query),
    }
    const tables = await tablesToJoin(asking, rows, { join })
    const joined = await joinTables(engine, tables, join)
    return new SqlSums(engine, {
      name,
      relation: relationOfJoin(tables.decisions.relation, joined),
      join: joined.facts,
      target: { kind: 'uniform' },
      propensity: undefined,
      clickFrom: undefined,
      model: undefined,
    })
  }
}
