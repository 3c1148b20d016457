import { HindcastError } from '../../error.js'
import type { Engine } from '../duckdb/engine.js'

/** A value of each item, to be looked up by the rows that show it. */
export interface ItemTable<Value extends string | number> {
  /** The names of the table and of its column of values, which stands beside `id`. */
  readonly table: string
  readonly column: string
  /** What the values are, one and several. */
  readonly what: readonly [one: string, several: string]
  readonly itemIds: readonly string[]
  /** In the order of `itemIds`. */
  readonly values: ArrayLike<Value>
}

/** Loads values of items into a table of the engine, with numeric ids if those of the log are. */
export async function loadItemTable<Value extends string | number>(
  { connection }: Engine,
  { table, column, what: [one, several], itemIds, values }: ItemTable<Value>,
  isInteger: boolean,
): Promise<void> {
  if (itemIds.length !== values.length || new Set(itemIds).size !== itemIds.length)
    throw new HindcastError(
      'bad-option',
      `There are ${values.length} ${several} for ${new Set(itemIds).size} different items.`,
      { remedy: `Give one ${one} per item.` },
    )
  const isText = typeof values[0] === 'string'
  await connection.run(
    `CREATE TEMP TABLE ${table}_texts (id VARCHAR, ${column} ${isText ? 'VARCHAR' : 'DOUBLE'})`,
  )
  const appender = await connection.createAppender(`${table}_texts`)
  itemIds.forEach((id, k) => {
    const value = values[k]!
    appender.appendVarchar(id)
    if (typeof value === 'string') appender.appendVarchar(value)
    else appender.appendDouble(value)
    appender.endRow()
  })
  appender.closeSync()
  // An id like 007 is not a number in the log, though a cast would make it one.
  const asNumber = 'TRY_CAST(id AS HUGEINT)'
  await connection.run(
    isInteger
      ? `CREATE TEMP TABLE ${table} AS SELECT ${asNumber} AS id, ${column} FROM ${table}_texts WHERE ${asNumber}::VARCHAR = id`
      : `CREATE TEMP TABLE ${table} AS FROM ${table}_texts`,
  )
}
