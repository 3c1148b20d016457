import { orderOfIds } from './ids.js'
import type { Log } from './log.js'

/** The log with the whole catalogue known: items of the list that were never shown are counted among its items. */
export function withCatalogue(log: Log, catalogue: readonly string[]): Log {
  const ids = [...new Set([...catalogue, ...log.itemIds])]
  const itemIds = Array.from(orderOfIds(ids), (place) => ids[place]!)
  const indexOf = new Map(itemIds.map((id, index) => [id, index]))
  const moved = log.itemIds.map((id) => indexOf.get(id)!)
  return { ...log, item: log.item.map((item) => moved[item]!), itemIds, catalogueKnown: true }
}
