import { DuckDBInstance } from '@duckdb/node-api'
import type { Log } from '../../log/log.js'
import { NUMBER_COLUMNS } from '../../log/columns.js'
import type { SqlColumn } from '../../sql/column-kind.js'
import { duckdb } from '../../sql/dialects/duckdb.js'
import type { Relation } from '../../sql/relation.js'
import { tableRelation } from '../../sql/table-relation.js'
import type { RecordedRow } from '../../estimate/source/recorded-rows.js'
import { type StatementAsked, recordedSums, sumsStatement } from '../../estimate/source/sums-statement.js'
import type { SumSource } from '../../estimate/source/source.js'

/** The columns of a log in a table: ids as text, numbers as doubles. */
function columnsOf(log: Log): { columns: SqlColumn[]; relation: Relation } {
  const numbers = NUMBER_COLUMNS.filter((column) => log[column] !== undefined)
  const ids = ['user', 'item', ...(log.cluster ? ['cluster' as const] : [])] as const
  const columns: SqlColumn[] = [
    ...ids.map((name) => ({ name, type: 'text', kind: 'text' as const })),
    ...numbers.map((name) => ({ name, type: 'double', kind: 'number' as const })),
  ]
  const origins = Object.fromEntries(columns.map(({ name }) => [name, [name]]))
  return { columns, relation: tableRelation(duckdb, { from: 'impressions', columns }, origins) }
}

/** One for all: starting it takes longer than a statement. */
const instance = DuckDBInstance.create(':memory:', { threads: '1' })

/** The rows of a log in a DuckDB, and what a statement over them returns. */
export async function ranStatement(
  log: Log,
  asked: Pick<StatementAsked, 'target'> & Partial<StatementAsked>,
  before?: string,
): Promise<{ sql: string; rows: RecordedRow[]; source: SumSource }> {
  const { columns, relation } = columnsOf(log)
  const connection = await (await instance).connect()
  try {
    if (before !== undefined) await connection.run(before.replace('CREATE TABLE', 'CREATE OR REPLACE TABLE'))
    const types = columns.map(({ name, kind }) => `"${name}" ${kind === 'text' ? 'VARCHAR' : 'DOUBLE'}`)
    await connection.run(`CREATE OR REPLACE TABLE impressions (${types.join(', ')})`)
    const appender = await connection.createAppender('impressions')
    for (let row = 0; row < log.rows; row++) {
      appender.appendVarchar(log.userIds[log.user[row]!]!)
      appender.appendVarchar(log.itemIds[log.item[row]!]!)
      if (log.cluster) appender.appendVarchar(log.clusterIds![log.cluster[row]!]!)
      for (const column of NUMBER_COLUMNS) {
        const values = log[column]
        if (values) appender.appendDouble(values[row]!)
      }
      appender.endRow()
    }
    appender.closeSync()
    const { sql } = sumsStatement({ dialect: duckdb, relation, table: 'impressions', ...asked })
    const answer = (await connection.runAndReadAll(sql)).getRows()
    const rows = answer.map(([part, id, partRows, ...numbers]): RecordedRow => ({
      part: String(part),
      id: id === null ? null : String(id),
      partRows: Number(partRows),
      numbers: numbers.map((value) => (value === null ? null : Number(value))),
    }))
    return { sql, rows, source: recordedSums('sums.csv', rows, asked.checks).source }
  } finally {
    connection.closeSync()
  }
}
