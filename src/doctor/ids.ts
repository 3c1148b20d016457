import { advice, set } from '../advice.js'
import type { Log } from '../log/log.js'
import type { Check, Finding } from './finding.js'
import { countDistinct } from '../log/row-groups.js'
import { counted } from '../number-text.js'

/** Finds users or items that are row numbers in disguise, and logs in which no user appears twice. */
export const checkIds: Check = ({ log, mapping }) => {
  if (log.rows < 5) return []
  const findings: Finding[] = []
  for (const column of ['user', 'item'] as const) {
    const first = firstRowNumber(log, column)
    if (first === undefined) continue
    const name = mapping[column] ?? column
    findings.push({
      code: 'ids-are-row-numbers',
      level: 'problem',
      column,
      seen: `${name} numbers the rows from ${first} to ${first + log.rows - 1}: each of the ${counted(log.rows, 'row')} has a new ${column}.`,
      why:
        column === 'user'
          ? 'A user’s rows belong together. With row numbers for users, nothing links them, and intervals come out too narrow.'
          : 'An item is shown in many rows. With row numbers for items, no policy can be compared and no click-through rate learned.',
      remedy: advice`Use ${set('columns', `${column}=…`)} to choose the column of ${column} ids.`,
      numbers: { first, rows: log.rows },
      rows: [0, 1, 2, 3, 4],
    })
  }
  const users = countDistinct(log.user, log.userIds.length)
  if (users === log.rows && !findings.some(({ column }) => column === 'user')) {
    findings.push({
      code: 'user-per-row',
      level: 'note',
      column: 'user',
      seen: `No user appears twice: ${counted(users, 'user')} in ${counted(log.rows, 'row')}.`,
      why: 'Intervals therefore treat rows as independent. If these are request or session ids, a person’s rows are not kept together, and intervals come out too narrow.',
      remedy: advice`Nothing to do if each row is a different person. Otherwise use ${set('columns', 'user=…')} to choose the column that identifies the person.`,
      numbers: { users, rows: log.rows },
      rows: [],
    })
  }
  return findings
}

/** The first number when ids are consecutive integers, one new id per row; undefined otherwise. */
function firstRowNumber(log: Log, column: 'user' | 'item'): number | undefined {
  const index = log[column]
  const ids = log[`${column}Ids`]
  const first = Number(ids[index[0]!])
  // Ids that start elsewhere may be row numbers too (part of a larger file), but a short run may be chance.
  if (!Number.isSafeInteger(first) || (first !== 0 && first !== 1 && log.rows < 100)) return undefined
  for (let k = 0; k < log.rows; k++) {
    const id = ids[index[k]!]!
    if (id !== String(first + k) && id !== `${first + k}.0`) return undefined
  }
  return first
}
