import { afterAll, beforeAll, describe, it } from 'vitest'
import { sqlSums } from '../src/estimate/source/sql-sums.js'
import { tablesToJoin } from '../src/node/warehouse/log-rows.js'
import type { Warehouse } from '../src/node/warehouse/warehouse.js'
import { joinTables, relationOfJoin } from '../src/sql/join/join-tables.js'
import { type EventTable, hasNumbers, joinConformance } from './join-conformance.js'
import { type PostgresServer, postgresServer } from './postgres-server.js'

const server = await postgresServer()

describe.skipIf(typeof server === 'string')('a join in PostgreSQL is that of memory', () => {
  const { connect, table } = server as PostgresServer
  let warehouse: Warehouse
  beforeAll(async () => {
    warehouse = await connect()
  })
  afterAll(() => warehouse.close())

  const put = (name: string, { names, rows }: EventTable): Promise<string> =>
    table(
      name,
      Object.fromEntries(names.map((column) => [column, hasNumbers(column) ? 'float8' : 'text'])),
      rows,
    )

  it.each(
    joinConformance(async ({ decisions, outcomes }, join) => {
      await warehouse.close()
      await put('joins.decisions', decisions)
      await put('joins.outcomes', outcomes)
      warehouse = await connect()
      const rows = { rows: { table: 'joins.decisions' }, outcomes: { table: 'joins.outcomes' } }
      const tables = await tablesToJoin(warehouse, rows, { join })
      const joined = await joinTables(warehouse, tables, join)
      return sqlSums(warehouse, {
        name: 'joins.decisions',
        relation: relationOfJoin(tables.decisions.relation, joined),
        join: joined.facts,
        target: { kind: 'uniform' },
        propensity: undefined,
        clickFrom: undefined,
        model: undefined,
      })
    }).map(({ name, run }) => [name, run] as const),
  )('%s', (_name, run) => run())
})
