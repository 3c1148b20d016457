import type { WarehouseAddress } from '../address.js'
import type { ConnectOptions, Warehouse } from '../warehouse.js'
import { loadPg } from './load-pg.js'
import { Logins } from './logins.js'
import { PostgresWarehouse } from './postgres-warehouse.js'
import { targetOf } from './target.js'

/** Connects to a database of PostgreSQL 12 or later, to read it. Call `close` when done. */
export async function connectPostgres(
  address: WarehouseAddress,
  options: ConnectOptions = {},
): Promise<Warehouse> {
  const pg = await loadPg()
  const crossed = { queries: 0, rows: 0, bytes: 0 }
  const logins = new Logins(pg, await targetOf(address), options, (bytes) => {
    crossed.rows++
    crossed.bytes += bytes
  })
  return new PostgresWarehouse(logins, await logins.open(), crossed, options)
}
