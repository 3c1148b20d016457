import type { Log } from '../log/log.js'
import { rowsByUser } from '../log/row-groups.js'

/** The rows that equal an earlier one in every column of the log, ascending. */
export function equalRows(log: Log): Uint32Array {
  const { start, rows } = rowsByUser(log)
  const labels = Object.values(log.labels ?? {}).map(({ index }) => index)
  const { item, reward, propensity, target, slate, position, time, cluster, weight, q, v } = log
  const columns = [item, reward, propensity, target, slate, position, time, cluster, weight, q, v, ...labels]
  const present = columns.filter((column) => column !== undefined)
  const copies: number[] = []
  for (let user = 0; user + 1 < start.length; user++) {
    const seen = new Set<string>()
    for (const row of rows.subarray(start[user]!, start[user + 1]!).toSorted()) {
      const key = present.map((column) => column[row]).join(' ')
      if (seen.has(key)) copies.push(row)
      else seen.add(key)
    }
  }
  return Uint32Array.from(copies).toSorted()
}
