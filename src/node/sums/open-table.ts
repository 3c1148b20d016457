import type { SqlTable } from '../../estimate/source/sql-table.js'
import type { LogParts } from '../../log/join/join-options.js'
import type { SqlEngine } from '../../sql/engine.js'
import { HindcastError } from '../../error.js'
import type { PolicyInWarehouse } from '../warehouse/policy-in-warehouse.js'
import type { ConnectOptions } from '../warehouse/warehouse.js'
import { isWarehouseLog, type WarehouseLog } from '../warehouse/warehouse-log.js'
import { type DuckDbSumsOptions, openDuckDbTable } from './duckdb-sums.js'

/** A log whose rows stay where they are: files on disk, or a table in a warehouse. */
export type LogInPlace = string | LogParts<string> | WarehouseLog

/** How to open one. */
export interface InPlaceOptions
  extends Omit<DuckDbSumsOptions, 'target'>, Pick<ConnectOptions, 'timeout' | 'askPassword'> {
  /** A policy in a file is loaded into the engine, or sent along; one in a table of the warehouse stays there. */
  target: DuckDbSumsOptions['target'] | PolicyInWarehouse
}

/** A table that an engine answers queries about. */
export interface OpenTable {
  readonly engine: SqlEngine
  readonly table: SqlTable
  /** Closes the engine, or the connection. */
  dispose(): void | Promise<void>
}

/** Opens a log where it is. Call `dispose` when done. */
export async function openTable(log: LogInPlace, options: InPlaceOptions): Promise<OpenTable> {
  if (!isWarehouseLog(log)) return openDuckDbTable(log, { ...options, target: targetOnDisk(options.target) })
  const { openWarehouseTable } = await import('../warehouse/open-table.js')
  return openWarehouseTable(log, options)
}

function targetOnDisk(target: InPlaceOptions['target']): DuckDbSumsOptions['target'] {
  if (target.kind !== 'warehouse') return target
  throw new HindcastError(
    'bad-option',
    `The target ${target.name} is a table in a warehouse, and the log is a file.`,
    {
      remedy: 'Save the policy to a file, and name it as table:FILE.',
    },
  )
}
