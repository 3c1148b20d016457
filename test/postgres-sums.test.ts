import { afterAll, beforeAll, describe, it } from 'vitest'
import { sourceConformance } from '../src/estimate/source/conformance.js'
import { SqlSums } from '../src/estimate/source/sql-sums.js'
import type { Warehouse } from '../src/node/warehouse/warehouse.js'
import { tableOfLog } from './postgres-log.js'
import { type PostgresServer, postgresServer } from './postgres-server.js'

const server = await postgresServer()

describe.skipIf(typeof server === 'string')('sums in PostgreSQL are those of memory', () => {
  const { connect } = server as PostgresServer
  let warehouse: Warehouse
  beforeAll(async () => {
    warehouse = await connect()
  })
  afterAll(() => warehouse.close())

  it.each(
    sourceConformance(async (log, target, categories, loggers) => {
      // A connection sees the tables as they were at its first query.
      await warehouse.close()
      warehouse = await connect()
      const table = await tableOfLog(server as PostgresServer, warehouse, log, {
        target,
        categories,
        loggers,
      })
      return new SqlSums(warehouse, table)
    }).map(({ name, run }) => [name, run] as const),
  )('%s', (_name, run) => run())
})
