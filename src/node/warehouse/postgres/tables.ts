import type { Session } from './session.js'

/** Tables and views that can be read, without those of the system and parts of others. */
const READABLE = `SELECT CASE WHEN pg_table_is_visible(c.oid) THEN '' ELSE n.nspname || '.' END || c.relname
FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'v', 'm', 'f', 'p') AND NOT c.relispartition
  AND n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname !~ '^pg_(toast|temp)'
  AND has_schema_privilege(n.oid, 'USAGE') AND has_any_column_privilege(c.oid, 'SELECT')
ORDER BY 1 LIMIT 10000`

/** The tables that can be read as one types them: with their schema where a name alone does not find them. */
export async function tablesOf(session: Session): Promise<string[]> {
  const names: string[] = []
  await session.ask(READABLE, ([name]) => names.push(name!))
  return names
}
