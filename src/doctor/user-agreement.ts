import type { Log } from '../log/log.js'
import type { Excess } from './item-excess.js'
import type { RowParts } from './row-parts.js'

/** Fewer users than this, counted by how evenly rows are spread over them, cannot vouch for anything. */
const USERS = 50
const STANDARD_ERRORS = 3

/**
 * Whether an excess comes from many users: (Σ 1/b − n) divided by its standard error over users is above 3. A
 * logger that shows one draw again and again to the same user repeats its luck, which rows counted singly would
 * take for evidence. Where the users are too few to tell, n²/Σ n_u² < 50, the rows decide alone.
 */
export function usersAgree(log: Log, propensity: Float64Array, parts: RowParts, excess: Excess): boolean {
  const differences = new Float64Array(log.userIds.length)
  const rows = new Uint32Array(log.userIds.length)
  for (let k = 0; k < log.rows; k++) {
    if (parts.index[k] !== excess.part) continue
    const user = log.user[k]!
    rows[user]!++
    differences[user]! += log.item[k] === excess.item ? 1 / propensity[k]! - 1 : -1
  }
  let [squaredRows, squares, sum] = [0, 0, 0]
  for (let u = 0; u < rows.length; u++) {
    squaredRows += rows[u]! ** 2
    squares += differences[u]! ** 2
    sum += differences[u]!
  }
  if (excess.rows ** 2 < USERS * squaredRows) return true
  return sum > STANDARD_ERRORS * Math.sqrt(squares)
}
