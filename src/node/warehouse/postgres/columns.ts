import type { SqlColumn } from '../../../sql/column-kind.js'
import { postgresql } from '../../../sql/dialects/postgresql.js'
import type { Session } from './session.js'

/** The columns of a table, or of a query in parentheses with a name, with their types as PostgreSQL writes them. */
export async function columnsOfTable(session: Session, from: string): Promise<SqlColumn[]> {
  const fields = await session.ask(`SELECT * FROM ${from} LIMIT 0`)
  if (fields.length === 0) return []
  const asked = fields.map(
    ({ dataTypeID, dataTypeModifier }, k) => `(${k}, ${dataTypeID}, ${dataTypeModifier})`,
  )
  const types: string[] = []
  await session.ask(
    `SELECT format_type(CAST(type AS oid), modifier) FROM (VALUES ${asked.join(', ')}) AS asked(place, type, modifier) ORDER BY place`,
    ([type]) => types.push(type!),
  )
  return fields.map(({ name }, k) => ({ name, type: types[k]!, kind: postgresql.kindOf(types[k]!) }))
}
