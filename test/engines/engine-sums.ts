import { join } from 'node:path'
import type { MakeSource } from '../../src/estimate/source/conformance.js'
import { sqlSums } from '../../src/estimate/source/sql-sums.js'
import type { SqlTable } from '../../src/estimate/source/sql-table.js'
import type { Log } from '../../src/log/log.js'
import { tablesToJoin } from '../../src/node/warehouse/log-rows.js'
import type { SqlColumn } from '../../src/sql/column-kind.js'
import type { SqlEngine } from '../../src/sql/engine.js'
import { joinTables, relationOfJoin } from '../../src/sql/join/join-tables.js'
import { tableRelation } from '../../src/sql/table-relation.js'
import type { MakeJoined } from '../join-conformance.js'
import { type TableFile, categoryTable, eventTable, logTable, writeTable } from './log-files.js'

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
    return sqlSums(
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

/** Sums over decisions and outcomes that are joined in an engine, for `joinConformance`. */
export function joinedSums(engine: FileEngine, folder: string): MakeJoined {
  return async ({ decisions, outcomes }, join) => {
    const name = `join_${count++}`
    const [shown, came] = [eventTable(decisions), eventTable(outcomes)]
    const from = await putTable(engine, folder, `${name}_decisions`, shown)
    const events = await putTable(engine, folder, `${name}_outcomes`, came)
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
    return sqlSums(engine, {
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
