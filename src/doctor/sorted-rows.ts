import type { Log } from '../log/log.js'

/** Whether rows, of all users or of each, stand in the order of their items or propensities, so that equal ones meet. */
export function isSorted({ user, item, propensity, rows }: Log): boolean {
  const ordered = (column: Uint32Array | Float64Array, ofEach: boolean): boolean => {
    let [up, down] = [0, 0]
    for (let k = 1; k < rows; k++) {
      if (ofEach && user[k] !== user[k - 1]) continue
      if (column[k]! > column[k - 1]!) up++
      else if (column[k]! < column[k - 1]!) down++
    }
    return Math.max(up, down) > 0.9 * (up + down)
  }
  const either = (column: Uint32Array | Float64Array): boolean =>
    ordered(column, false) || ordered(column, true)
  return either(item) || (propensity !== undefined && either(propensity))
}
