import { parseAddress } from './address.js'
import type { ConnectOptions, Warehouse } from './warehouse.js'
import { counted, formatCount } from '../../number-text.js'
import type { ReadOptions } from '../../read/plan.js'
import { type LogRows, logRows } from './log-rows.js'
import type { WarehouseLog } from './warehouse-log.js'

/** Connects to the warehouse at an address. */
export async function connect(typed: string, options: ConnectOptions): Promise<Warehouse> {
  const address = parseAddress(typed)
  if (address.engine === 'trino') {
    const { connectTrino } = await import('./trino/trino-warehouse.js')
    return connectTrino(address, options)
  }
  const { connectPostgres } = await import('./postgres/postgres-warehouse.js')
  return connectPostgres(address, options)
}

/** How to read a log in a warehouse. */
export interface WarehouseReading extends ReadOptions, Pick<ConnectOptions, 'timeout' | 'askPassword'> {}

/** Connects, finds the rows of a log for some work, and ends the connection after that, however it ends. */
export async function whileConnected<Answer>(
  log: WarehouseLog,
  options: WarehouseReading,
  work: (engine: Warehouse, rows: LogRows) => Promise<Answer>,
): Promise<Answer> {
  const engine = await connect(log.address, options)
  try {
    return await work(engine, await logRows(engine, log)(options))
  } finally {
    await closed(engine, options)
  }
}

/** Ends the connection, and says what came back over it. */
export async function closed(engine: Warehouse, { onNote }: Pick<ConnectOptions, 'onNote'>): Promise<void> {
  const { queries, rows, bytes } = engine.crossed
  await engine.close()
  onNote?.(
    `${counted(queries, 'query', 'queries')} to ${engine.address}: ${counted(rows, 'row')}, ${formatCount(Math.ceil(bytes / 1000))} kB came back.`,
  )
}
