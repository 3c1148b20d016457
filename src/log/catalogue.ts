import { orderOfIds } from './ids.js'
import type { Log } from './log.js'

/** The log with its whole catalogue: listed items that were never shown count among its items too. */
export function withCatalogue(log: Log, catalogue: readonly string[]): Log {
  const ids = [...new Set([...catalogue, ...log.itemIds])]
  const itemIds = Array.from(orderOfIds(ids), (place) => ids[place]!)
  const indexOf = new Map(itemIds.map((id, index) => [id, index]))
  const moved = log.itemIds.map((id) => indexOf.get(id)!)
  return { ...log, item: log.item.map((item) => moved[item]!), itemIds, catalogueKnown: true }
}
