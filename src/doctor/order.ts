import { advice, mend } from '../advice.js'
import type { Check } from './finding.js'
import { counted } from '../number-text.js'
import { percent, verb } from './wording.js'

/** Finds rows that are older than the row above. */
export const checkOrder: Check = ({ log }) => {
  const { time } = log
  if (!time) return []
  const rows: number[] = []
  const latestOfUser = new Float64Array(log.userIds.length).fill(-Infinity)
  let [earlier, earlierWithinUser, above] = [0, 0, NaN]
  for (let k = 0; k < log.rows; k++) {
    const now = time[k]!
    if (Number.isNaN(now)) continue
    if (now < above) {
      earlier++
      if (rows.length < 5) rows.push(k)
    }
    if (now < latestOfUser[log.user[k]!]!) earlierWithinUser++
    latestOfUser[log.user[k]!] = now
    above = now
  }
  if (earlier === 0) return []
  const users = earlierWithinUser === 0 ? ' Each user’s own rows are in order.' : ''
  return [
    {
      code: 'timestamps-out-of-order',
      level: 'problem',
      column: 'time',
      seen: `${counted(earlier, 'row')} (${percent(earlier / log.rows)}) ${verb(earlier, 'is', 'are')} older than the row above.${users}`,
      why: 'Replaying the log from the top would learn from the future. Often files were joined out of order, or clocks differ.',
      remedy: advice`Sort the log by time, as ${mend} does. If it already is, check that all times share one unit, format and time zone.`,
      mend: { kind: 'order' },
      numbers: { earlier, earlierWithinUser, rows: log.rows },
      rows,
    },
  ]
}
