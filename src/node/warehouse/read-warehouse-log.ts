import { HindcastError } from '../../error.js'
import type { Log } from '../../log/log.js'
import { finishReading } from '../../read/finish-reading.js'
import type { ReadLog } from '../../read/plan.js'
import { countLog, type LogCounts } from './count-log.js'
import type { LogRows } from './log-rows.js'
import type { Warehouse } from './warehouse.js'
import type { WarehouseLog } from './warehouse-log.js'
import { WarehouseSource } from './warehouse-source.js'
import { whileConnected, type WarehouseReading } from './connect.js'

/** How to stream a log out of a warehouse. */
export interface StreamOptions extends WarehouseReading {
  /** Called with the size of the log before its rows cross; throws where they must not. */
  onCounted?: (counts: LogCounts) => void | Promise<void>
}

/**
 * Reads a log from a warehouse into memory: its rows are streamed out, a batch at a time, and held to the same rules as those
 * of a file. They come in the order of the key, if one is named, so that the same table gives the same log each time.
 */
export function readWarehouseLog(log: WarehouseLog, options: StreamOptions): Promise<ReadLog> {
  return whileConnected(log, options, async (engine, rows) => {
    const counts = await countLog(engine, rows, options)
    await options.onCounted?.(counts)
    const { place } = rows.relation
    if (place === undefined && engine.name !== 'postgresql')
      options.onNote?.(
        `${rows.name} has no order of its own: with another order, a model trained on it differs. To get the same rows in the same order each time, name the column that identifies a row.`,
      )
    return streamLog(engine, rows, counts.rows, { ...options, order: place === undefined ? [] : [place] })
  })
}

/** Streams rows into a log in memory. */
export async function streamLog(
  engine: Warehouse,
  rows: LogRows,
  count: number,
  options: WarehouseReading & { readonly order: readonly string[]; readonly keepsKeys?: boolean },
): Promise<ReadLog> {
  if (count > MOST_ROWS)
    throw new HindcastError('bad-option', `${rows.name} has more rows than a log in memory can have.`, {
      remedy: 'Read a part of them: a period, or those that meet a condition.',
    })
  const { order, keepsKeys = false, onSkipped } = options
  const source = new WarehouseSource(engine, rows, {
    rows: count,
    order,
    keepsKeys,
    keepsBroken: onSkipped !== undefined,
  })
  const read = withJoin(await finishReading(source, rows.origins, options), rows)
  return keepsKeys
    ? { ...read, namesOf: (places) => places.map((place) => nameOfRow(read.log, source, place)) }
    : read
}

/** Rewards that were joined come from no column of the decisions. */
function withJoin(read: ReadLog, { join }: LogRows): ReadLog {
  if (!join) return read
  const { reward: _, ...origins } = read.origins
  return { ...read, origins, log: { ...read.log, join } }
}

/** Indices of rows are 32-bit numbers. */
const MOST_ROWS = 2 ** 32 - 2

/** What identifies a row to whoever has the table. */
function nameOfRow(
  { user, userIds, item, itemIds, time }: Log,
  source: WarehouseSource,
  row: number,
): string {
  const key = source.keyOf(row)
  if (key !== undefined) return `key ${key}`
  const at = time && Number.isFinite(time[row]!) ? `, time ${time[row]!}` : ''
  return `user ${userIds[user[row]!]}, item ${itemIds[item[row]!]}${at}`
}
