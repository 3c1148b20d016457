import { contextsByUsers } from './contexts.js'
import { type Log, takeRows } from './log.js'
import { orderOfIds } from './ids.js'

/**
 * Re-indexes a log by the users and items of another, so that both can be used together. Rows with users or
 * items unknown to the other are left out and counted.
 */
export function alignLog(
  log: Log,
  other: Pick<Log, 'userIds' | 'itemIds' | 'catalogueKnown'>,
): { log: Log; leftOut: number } {
  const users = placesIn(log.userIds, other.userIds)
  const items = placesIn(log.itemIds, other.itemIds)
  const rows: number[] = []
  for (let row = 0; row < log.rows; row++)
    if (users[log.user[row]!]! >= 0 && items[log.item[row]!]! >= 0) rows.push(row)
  const kept = takeRows(log, Uint32Array.from(rows))
  return {
    log: {
      ...kept,
      user: kept.user.map((user) => users[user]!),
      item: kept.item.map((item) => items[item]!),
      userIds: other.userIds,
      itemIds: other.itemIds,
      catalogueKnown: other.catalogueKnown,
      ...(kept.contexts && { contexts: contextsByUsers(kept.contexts, users) }),
    },
    leftOut: log.rows - rows.length,
  }
}

/** The position of each id in another list; −1 if it is not in it. */
function placesIn(ids: readonly string[], others: readonly string[]): Int32Array {
  const places = new Map(others.map((id, place) => [id, place]))
  return Int32Array.from(ids, (id) => places.get(id) ?? -1)
}

/** The log with its whole catalogue: listed items that were never shown count among its items too. */
export function withCatalogue(log: Log, catalogue: readonly string[]): Log {
  const ids = [...new Set([...catalogue, ...log.itemIds])]
  const itemIds = Array.from(orderOfIds(ids), (place) => ids[place]!)
  const indexOf = new Map(itemIds.map((id, index) => [id, index]))
  const moved = log.itemIds.map((id) => indexOf.get(id)!)
  return { ...log, item: log.item.map((item) => moved[item]!), itemIds, catalogueKnown: true }
}
