import type { Log, PropensitySource } from '../../log/log.js'
import { indexed, logOf } from './examined-log.js'
import type { RecordedRow } from './recorded-rows.js'
import { inNoOrder } from './unordered-rows.js'

/** The rows of some users that a statement returned, as a log. */
export function sampledLog(rows: readonly RecordedRow[], propensitySource: PropensitySource): Log {
  const ordered = rows.toSorted(inOrder)
  const column = (place: number): Float64Array | undefined =>
    ordered.every(({ numbers }) => (numbers[place] ?? null) === null)
      ? undefined
      : Float64Array.from(ordered, ({ numbers }) => numbers[place] ?? NaN)
  const user = Uint32Array.from(ordered, ({ numbers }) => numbers[0]! - 1)
  const users = user.reduce((most, code) => Math.max(most, code + 1), 0)
  const log = logOf(
    { index: user, ids: Array.from({ length: users }, (_, code) => `user ${code + 1}`) },
    indexed(ordered.map(({ id }) => id ?? '')),
    {
      reward: column(1)!,
      propensitySource,
      propensity: column(2),
      position: column(3),
      time: column(4),
      weight: column(5),
    },
  )
  return inNoOrder(log)
}

/** By user, item and numbers: no engine decides it. */
function inOrder(a: RecordedRow, b: RecordedRow): number {
  const users = a.numbers[0]! - b.numbers[0]!
  if (users !== 0 || a.id !== b.id) return users || (a.id! < b.id! ? -1 : 1)
  const k = a.numbers.findIndex((number, place) => number !== b.numbers[place])
  return k === -1 ? 0 : (a.numbers[k] ?? -Infinity) - (b.numbers[k] ?? -Infinity)
}
