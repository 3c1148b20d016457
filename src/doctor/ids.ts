import { advice, set } from '../advice.js'
import type { Log } from '../log/log.js'
import type { Check, Finding } from './finding.js'
import { countDistinct } from '../log/row-groups.js'
import { counted } from '../number-text.js'

/** Finds users or items that are row numbers in disguise, and logs where no user comes back. */
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
      seen: `${name} counts the rows from ${first} to ${first + log.rows - 1}: each of ${counted(log.rows, 'row')} has a new ${column}.`,
      why:
        column === 'user'
          ? 'Rows of one user belong together. With a row number in their place, nothing is known about users and intervals come out too narrow.'
          : 'An item is shown on many rows. With a row number in its place, no policy can be compared and no click rate be learned.',
      remedy: advice`Choose the column that names the ${column} with ${set('columns', `${column}=…`)}.`,
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
      seen: `No user comes back: ${counted(users, 'user')} on ${counted(log.rows, 'row')}.`,
      why: 'Then intervals treat rows as independent. If these are ids of requests or sessions, the rows of one person are not kept together and intervals come out too narrow.',
      remedy: advice`Nothing to do if each row is another person; otherwise choose the column that names the person with ${set('columns', 'user=…')}.`,
      numbers: { users, rows: log.rows },
      rows: [],
    })
  }
  return findings
}

/** The first number when ids are consecutive integers, one new id a row; undefined otherwise. */
function firstRowNumber(log: Log, column: 'user' | 'item'): number | undefined {
  const index = log[column]
  const ids = log[`${column}Ids`]
  const first = Number(ids[index[0]!])
  // Counting from elsewhere is a row number too (a part of a larger file), but a short run may be chance.
  if (!Number.isSafeInteger(first) || (first !== 0 && first !== 1 && log.rows < 100)) return undefined
  for (let k = 0; k < log.rows; k++) {
    const id = ids[index[k]!]!
    if (id !== String(first + k) && id !== `${first + k}.0`) return undefined
  }
  return first
}
