import { HindcastError } from '../../error.js'
import type { SqlTable } from '../../estimate/source/sql-table.js'
import type { LogParts } from '../../log/join/join-options.js'
import type { SqlEngine } from '../../sql/engine.js'
import type { PolicyInWarehouse } from '../warehouse/policy-in-warehouse.js'
import type { ConnectOptions } from '../warehouse/warehouse.js'
import { isWarehouseLog, type WarehouseLog } from '../warehouse/warehouse-log.js'
import { type DuckDbSumsOptions, type DuckDbTable, openDuckDbTable } from './duckdb-sums.js'

/** A log whose rows stay where they are: files on disk, or a table in a warehouse. */
export type LogInPlace = string | LogParts<string> | WarehouseLog

/** How to see one from a target. */
export interface InPlaceOptions
  extends Omit<DuckDbSumsOptions, 'target'>, Pick<ConnectOptions, 'timeout' | 'askPassword'> {
  /** A policy in a file is loaded into the engine, or sent along; one in a table of the warehouse stays there. */
  target: DuckDbSumsOptions['target'] | PolicyInWarehouse
}

/** A table that an engine answers queries about. */
interface TableInPlace {
  readonly engine: SqlEngine
  readonly table: SqlTable
}

/** A log that is open for one target after another. */
export interface OpenLog {
  tableFor(reading: InPlaceOptions): Promise<TableInPlace>
  /** Closes engines and connections. */
  dispose(): Promise<void>
}

/** Opens a log where it is; `options` say how to connect. Call `dispose` when done. */
export async function openLog(log: LogInPlace, options: InPlaceOptions): Promise<OpenLog> {
  if (!isWarehouseLog(log)) return onDisk(log)
  const { openWarehouse } = await import('../warehouse/connect.js')
  return openWarehouse(log, options)
}

/** Files are opened once for each target, which may need other columns. */
function onDisk(log: string | LogParts<string>): OpenLog {
  const opened: DuckDbTable[] = []
  return {
    async tableFor({ target, ...reading }) {
      const table = await openDuckDbTable(log, { ...reading, target: targetOnDisk(target) })
      opened.push(table)
      return table
    },
    dispose: async () => {
      for (const table of opened) table.dispose()
    },
  }
}

function targetOnDisk(target: InPlaceOptions['target']): DuckDbSumsOptions['target'] {
  if (target.kind !== 'warehouse') return target
  throw new HindcastError(
    'bad-option',
    `The target ${target.name} is a table in a warehouse, and the log is a file.`,
    { remedy: 'Save the policy to a file, and name it as table:FILE.' },
  )
}
