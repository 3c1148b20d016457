import { HindcastError } from '../../error.js'
import type { SqlTable } from '../../estimate/source/sql-table.js'
import { formatOf } from '../../read/plan.js'
import type { Relation } from '../../sql/relation.js'
import type { InPlaceOptions, OpenLog } from '../sums/open-log.js'
import { withLoggers } from '../sums/with-loggers.js'
import { closed, connect } from './connect.js'
import { type LogRows, logRows } from './log-rows.js'
import { policyInWarehouse } from './policy-in-warehouse.js'
import { sendPolicy } from './send-policy.js'
import type { Scratch, Warehouse } from './warehouse.js'
import type { WarehouseLog } from './warehouse-log.js'

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
  const { propensity, catalogue, mostClusters, loggers } = options
  return {
    name,
    ...(await targetFor(engine, relation, options, scratch)),
    propensity,
    clickFrom: options.clickFrom ?? formatOf(options).clickFrom,
    model: undefined,
    ...(mostClusters !== undefined && { mostClusters }),
    ...(join && { join }),
    ...(loggers && { loggers }),
    ...(options.rewards && { rewards: options.rewards }),
    ...(options.slatePropensities && { slatePropensities: options.slatePropensities }),
    ...(catalogue && { catalogue }),
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
