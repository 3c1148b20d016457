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
  const types: { type: string; isEnum: boolean }[] = []
  await session.ask(
    `SELECT format_type(CAST(type AS oid), modifier), known.typtype = 'e' FROM (VALUES ${asked.join(', ')}) AS asked(place, type, modifier) LEFT JOIN pg_catalog.pg_type AS known ON known.oid = CAST(type AS oid) ORDER BY place`,
    ([type, isEnum]) => types.push({ type: type!, isEnum: isEnum === 't' }),
  )
  return fields.map(({ name }, k) => {
    const { type, isEnum } = types[k]!
    // The words of an enumeration are read as text.
    return { name, type, kind: isEnum ? 'text' : postgresql.kindOf(type) }
  })
}
