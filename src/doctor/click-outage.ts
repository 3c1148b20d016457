import type { Log } from '../log/log.js'
import { counted } from '../number-text.js'
import type { Check } from './finding.js'
import { orderedByOutcome } from './ordered-by-outcome.js'
import { timeOrder } from './time-order.js'
import { figure, percent } from './wording.js'

/** Stretches are as long as it takes to expect this many clicks: none at all is then beyond chance. */
const CLICKS = 30
/** And by as many users as cannot all have stopped clicking at once. */
const USERS = 20

/** Finds a stretch of the log without a single click where dozens are usual: clicks were not recorded, or not joined. */
export const checkClickOutage: Check = ({ log }) => {
  const { reward, rows } = log
  let clicks = 0
  for (let k = 0; k < rows; k++) {
    if (!(reward[k]! >= 0)) return []
    if (reward[k]! > 0) clicks++
  }
  const stretches = Math.min(200, Math.floor(clicks / CLICKS))
  if (stretches < 4) return []
  const order = timeOrder(log)
  const counts = clicksByStretch(log, order, stretches)
  const usual = counts.toSorted()[Math.floor(stretches / 2)]!
  const silent = Array.from(counts.keys()).filter((place) => counts[place] === 0)
  if (usual < CLICKS / 2 || silent.length === 0 || (!log.time && orderedByOutcome(log))) return []
  const rowsOf = (place: number): number[] => {
    const [from, to] = [Math.ceil((place * rows) / stretches), Math.ceil(((place + 1) * rows) / stretches)]
    return Array.from({ length: to - from }, (_, k) => order?.[from + k] ?? from + k)
  }
  const worst = silent.find((place) => effectiveUsers(log, rowsOf(place)) >= USERS)
  if (worst === undefined) return []
  return [
    {
      code: 'click-outage',
      level: 'problem',
      column: 'reward',
      seen: `${counted(silent.length, 'stretch', 'stretches')} of about ${figure(rows / stretches)} rows (${percent(silent.length / stretches)} of the log) ${silent.length === 1 ? 'has' : 'have'} no click at all; half of the others have ${usual} clicks or more.`,
      why: 'For some time, clicks seem not to have been recorded, or not joined. Whatever was shown then looks worthless.',
      remedy: 'Leave out that time, or join its clicks again.',
      numbers: { silent: silent.length, stretches, usual },
      rows: rowsOf(worst).slice(0, 1),
      lowersTo: 'caution',
    },
  ]
}

function clicksByStretch(log: Log, order: Uint32Array | undefined, stretches: number): Uint32Array {
  const counts = new Uint32Array(stretches)
  for (let place = 0; place < log.rows; place++) {
    const row = order ? order[place]! : place
    if (log.reward[row]! > 0) counts[Math.floor((place * stretches) / log.rows)]!++
  }
  return counts
}

/** n²/Σ n_u²: as many users as would have these rows if all were equally active. */
function effectiveUsers(log: Log, rows: readonly number[]): number {
  const counts = new Map<number, number>()
  for (const row of rows) counts.set(log.user[row]!, (counts.get(log.user[row]!) ?? 0) + 1)
  let squares = 0
  for (const count of counts.values()) squares += count * count
  return rows.length ** 2 / squares
}
