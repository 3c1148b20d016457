import { parseAddress } from './address.js'
import type { ConnectOptions, Warehouse } from './warehouse.js'

/** Connects to the warehouse at an address. */
export async function connect(typed: string, options: ConnectOptions): Promise<Warehouse> {
  const address = parseAddress(typed)
  if (address.engine === 'trino') {
    const { connectTrino } = await import('./trino/connect-trino.js')
    return connectTrino(address, options)
  }
  const { connectPostgres } = await import('./postgres/connect-postgres.js')
  return connectPostgres(address, options)
}
