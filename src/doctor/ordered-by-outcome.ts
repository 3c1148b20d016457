import type { Log } from '../log/log.js'

/**
 * Whether rows with a click stand together in the file, so that its order says nothing about time: fewer than half
 * of the changes from click to none and back that chance gives, 2·n·p·(1 − p).
 */
export function orderedByOutcome({ reward, rows }: Log): boolean {
  let [clicks, changes] = [0, 0]
  for (let k = 0; k < rows; k++) {
    if (reward[k]! > 0) clicks++
    if (k > 0 && reward[k]! > 0 !== reward[k - 1]! > 0) changes++
  }
  return changes < (clicks * (rows - clicks)) / rows
}
