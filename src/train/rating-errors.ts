import type { Log } from '../log/log.js'
import { rowsByUser } from '../log/row-groups.js'
import { CompensatedSum } from '../sum.js'
import type { ScoreTable } from './policy-value.js'

/** How far predicted ratings are off on held-out rows. */
export interface RatingErrors {
  /** The mean squared error of the rows, as logged. */
  readonly mse: number
  /** The same with each row weighted by 1/propensity, over the sum of the weights; null without propensities. */
  readonly weightedMse: number | null
}

/** Users scored at a time. */
const TILE = 256

/** The errors of scores plus an offset on a log; null where it has no rows. */
export async function ratingErrors(
  log: Log,
  scores: ScoreTable,
  offset: number,
): Promise<RatingErrors | null> {
  if (log.rows === 0) return null
  const items = log.itemIds.length
  const { start, rows } = rowsByUser(log)
  const users = Uint32Array.from(log.userIds.keys()).filter((user) => start[user + 1]! > start[user]!)
  const [sum, total, weighted, weights] = Array.from({ length: 4 }, () => new CompensatedSum()) as [
    CompensatedSum,
    CompensatedSum,
    CompensatedSum,
    CompensatedSum,
  ]
  for (let first = 0; first < users.length; first += TILE) {
    const tile = users.subarray(first, first + TILE)
    const table = await scores(tile)
    tile.forEach((user, place) => {
      for (const row of rows.subarray(start[user], start[user + 1])) {
        const error = table[place * items + log.item[row]!]! + offset - log.reward[row]!
        const count = log.weight?.[row] ?? 1
        const weight = count / (log.propensity?.[row] ?? 1)
        sum.add(count * error * error)
        total.add(count)
        weighted.add(weight * error * error)
        weights.add(weight)
      }
    })
  }
  return {
    mse: sum.value / total.value,
    weightedMse: log.propensity ? weighted.value / weights.value : null,
  }
}
