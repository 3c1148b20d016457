import type { Log } from '../log/log.js'
import { rowsByUser } from '../log/row-groups.js'

/**
 * The rows to leave out of a log in which rows were copied, ascending. Where times or places on pages tell rows apart, those
 * that equal an earlier one in every column. Elsewhere a user may see an item twice, and copies are known only where the log
 * was appended to itself: the later half of equal rows.
 */
export function copiedRows(log: Log): Uint32Array {
  const { item, reward, propensity, target, slate, position, time, cluster, weight, q, v } = log
  const labels = Object.values(log.labels ?? {}).map(({ index }) => index)
  const columns = [item, reward, propensity, target, slate, position, time, cluster, weight, q, v, ...labels]
  const present = columns.filter((column) => column !== undefined)
  const isTold = time !== undefined || (slate !== undefined && position !== undefined)
  const { start, rows } = rowsByUser(log)
  const copies: number[] = []
  for (let user = 0; user + 1 < start.length; user++) {
    const alike = new Map<string, number[]>()
    for (const row of rows.subarray(start[user]!, start[user + 1]!)) {
      const key = present.map((column) => column[row]).join(' ')
      alike.set(key, [...(alike.get(key) ?? []), row])
    }
    for (const equal of alike.values()) copies.push(...equal.slice(isTold ? 1 : Math.ceil(equal.length / 2)))
  }
  return Uint32Array.from(copies).toSorted()
}
