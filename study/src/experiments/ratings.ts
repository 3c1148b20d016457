import { type Log, SIMULATED_RATINGS_NOTE, simulatedRatings } from 'hindcast'
import type { RatingsSource } from '../results.js'

/** Ratings with where they come from. */
export interface Ratings {
  readonly log: Log
  readonly source: RatingsSource
}

/** Real ratings under the name of their data set. */
export const realRatings = (log: Log, name: string): Ratings => ({
  log,
  source: { name, isReal: true, note: null, ...sizeOf(log) },
})

/** Ratings of MovieLens' size, for where the real ones are not at hand. */
export function simulatedMovielens(size: 'ml-100k' | 'ml-1m'): Ratings {
  const log = simulatedRatings({ size })
  const name = `simulated MovieLens ${size === 'ml-1m' ? '1M' : '100K'}`
  return { log, source: { name, isReal: false, note: SIMULATED_RATINGS_NOTE, ...sizeOf(log) } }
}

/** The ratings of the first so many users, and the items that they rated. */
export function ofFirstUsers({ log, source }: Ratings, users: number): Ratings {
  const rows = Array.from({ length: log.rows }, (_, row) => row).filter((row) => log.user[row]! < users)
  const rated = [...new Set(rows.map((row) => log.item[row]!))].sort((a, b) => a - b)
  const placeOf = new Map(rated.map((item, place) => [item, place]))
  const some: Log = {
    rows: rows.length,
    user: Uint32Array.from(rows, (row) => log.user[row]!),
    item: Uint32Array.from(rows, (row) => placeOf.get(log.item[row]!)!),
    userIds: log.userIds.slice(0, users),
    itemIds: rated.map((item) => log.itemIds[item]!),
    catalogueKnown: false,
    reward: Float64Array.from(rows, (row) => log.reward[row]!),
    propensitySource: 'none',
  }
  return { log: some, source: { ...source, name: `${source.name}, first ${users} users`, ...sizeOf(some) } }
}

const sizeOf = (log: Log): Pick<RatingsSource, 'ratings' | 'users' | 'items'> => ({
  ratings: log.rows,
  users: log.userIds.length,
  items: log.itemIds.length,
})

/** A short text that other ratings would hardly have: their number, and a hash of who rated what and how. */
export function fingerprintOf({ log }: Ratings): string {
  let hash = 0x811c9dc5
  for (let row = 0; row < log.rows; row++)
    for (const word of [log.user[row]!, log.item[row]!, log.reward[row]! > 0 ? 1 : 0])
      hash = Math.imul(hash ^ word, 0x01000193)
  return `${log.rows} ratings, ${(hash >>> 0).toString(16).padStart(8, '0')}`
}
