import type { SqlView } from '../../sql/weighed-rows.js'
import type { Engine } from '../duckdb/engine.js'
import { loadItemTable } from './item-table.js'

/** Loads the category of each item into a table of the engine, with numeric ids if those of the log are. */
export async function loadCategories(
  engine: Engine,
  categoryOf: ReadonlyMap<string, string>,
  isInteger: boolean,
): Promise<NonNullable<SqlView['categories']>> {
  const table = 'item_categories'
  await loadItemTable(
    engine,
    {
      table,
      column: 'category',
      what: ['category', 'categories'],
      itemIds: [...categoryOf.keys()],
      values: [...categoryOf.values()],
    },
    isInteger,
  )
  return { table }
}
