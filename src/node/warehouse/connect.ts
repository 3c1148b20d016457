import { parseAddress } from './address.js'
import type { ConnectOptions, Scratch, Warehouse } from './warehouse.js'
import { counted, formatCount } from '../../number-text.js'
import { formatOf, type ReadOptions } from '../../read/plan.js'
import { type LogRows, logRows } from './log-rows.js'
import type { WarehouseLog } from './warehouse-log.js'
import { HindcastError } from '../../error.js'
import type { SqlTable } from '../../estimate/source/sql-table.js'
import { given } from '../../given.js'
import type { Relation } from '../../sql/relation.js'
import type { InPlaceOptions, OpenLog } from '../sums/open-log.js'
import { withLoggers } from '../sums/with-loggers.js'
import { policyInWarehouse } from './policy-in-warehouse.js'
import { sendPolicy } from './send-policy.js'

/** Connects to the warehouse at an address. */
async function connect(typed: string, options: ConnectOptions): Promise<Warehouse> {
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
async function closed(engine: Warehouse, { onNote }: Pick<ConnectOptions, 'onNote'>): Promise<void> {
  const { queries, rows, bytes } = engine.crossed
  await engine.close()
  onNote?.(
    `${counted(queries, 'query', 'queries')} to ${engine.address}: ${counted(rows, 'row')}, ${formatCount(Math.ceil(bytes / 1000))} kB came back.`,
  )
}

/** Opens a log in a warehouse, over one connection: sums stay there, and at most 65,536 rows of them come back at a time. */
export async function openWarehouse(log: WarehouseLog, options: InPlaceOptions): Promise<OpenLog> {
  const engine = await connect(log.address, options)
  const rowsFor = logRows(engine, log)
  return {
    tableFor: async (reading) => ({
      engine,
      table: await tableOf(engine, log, await rowsFor(withLoggers(reading)), reading),
    }),
    dispose: () => closed(engine, options),
  }
}

async function tableOf(
  engine: Warehouse,
  { scratch }: WarehouseLog,
  { name, relation, join }: LogRows,
  options: InPlaceOptions,
): Promise<SqlTable> {
  const { propensity, catalogue, mostClusters, loggers, rewards, slatePropensities } = options
  return {
    name,
    ...(await targetFor(engine, relation, options, scratch)),
    propensity,
    clickFrom: options.clickFrom ?? formatOf(options).clickFrom,
    model: undefined,
    ...given({ mostClusters, join, loggers, rewards, slatePropensities, catalogue }),
  }
}

/** The target as the engine sees it, over the rows of the log. */
async function targetFor(
  engine: Warehouse,
  relation: Relation,
  { target, catalogue }: InPlaceOptions,
  schema: string | undefined,
): Promise<Pick<SqlTable, 'target' | 'relation'>> {
  if (target.kind === 'warehouse') return policyInWarehouse(engine, relation, target)
  if (target.kind !== 'file') return { relation, target }
  const scratch = schema === undefined ? undefined : scratchOf(engine, schema)
  return { relation, target: await sendPolicy(engine, relation, target, { catalogue, scratch }) }
}

function scratchOf(engine: Warehouse, schema: string): Pick<Scratch, 'store'> {
  if (engine.scratch) return engine.scratch(schema)
  throw new HindcastError('bad-option', `Hindcast writes no tables of its own to ${engine.dialect.label}.`, {
    remedy: 'Load the policy as a table, and name that as the target: warehouse:TABLE.',
  })
}
