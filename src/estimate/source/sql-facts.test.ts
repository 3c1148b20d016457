import { DuckDBInstance } from '@duckdb/node-api'
import { expect, it } from 'vitest'
import { duckdb } from '../../sql/dialects/duckdb.js'
import type { SqlView } from '../../sql/weighed-rows.js'
import type { SeenTable } from './seen-table.js'
import { medianIn } from './sql-facts.js'

it('finds the median in a step that came out a little smaller when they were counted', async () => {
  const connection = await (await DuckDBInstance.create()).connect()
  await connection.run(
    'CREATE TABLE shown AS SELECT * FROM (VALUES (1, 0.3), (2, 0.3), (3, 0.3), (4, 0.2)) AS given(u, p)',
  )
  const id = { text: 'CAST(u AS VARCHAR)' }
  const view = {
    dialect: duckdb,
    relation: {
      from: 'shown',
      ids: { user: id, item: id },
      numbers: { reward: '0.0::DOUBLE', propensity: '1.0::DOUBLE', target: 'p::DOUBLE' },
    },
    target: { kind: 'column', name: 'p' },
    items: 4,
    largest: 1e300,
    smallest: 1e-300,
  } as unknown as SqlView
  const smaller = 0.3 - 2 ** -54
  const steps = [{ step: 0, count: 4, sum: 1.1, least: 0.2, most: smaller }]
  const seen = {
    count: () => Promise.resolve({ steps }),
    soundView: () => Promise.resolve(view),
    row: async (query: string) => (await connection.runAndReadAll(query)).getRows()[0],
  } as unknown as SeenTable
  expect(await medianIn(seen)).toBe(0.3)
  connection.closeSync()
})
