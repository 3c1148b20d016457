import { advice, mend, set } from '../advice.js'
import type { Log } from '../log/log.js'
import { countDistinct } from '../log/row-groups.js'
import { counted, formatShare, verb } from '../number-text.js'
import { type Check, figure, type Finding, matchingRows } from './finding.js'

/** Finds two columns of the log that were read from one column of the file. */
export const checkMapping: Check = ({ mapping }) => {
  const readers = new Map<string, string[]>()
  for (const [column, name] of Object.entries(mapping)) {
    // A cluster says which rows belong together, so it may well be the user or the slate.
    if (column !== 'cluster') readers.set(name, [...(readers.get(name) ?? []), column])
  }
  const findings: Finding[] = []
  for (const [name, columns] of readers) {
    if (columns.length < 2) continue
    findings.push({
      code: 'column-mapped-twice',
      level: 'problem',
      column: columns[0]!,
      seen: `Column ${name} of the file is read as ${columns.join(' and as ')}.`,
      why: 'One column cannot mean two things; at least one of them comes from the wrong column.',
      remedy: advice`Name a column for each with ${set('columns', columns.map((column) => `${column}=…`).join(','))}.`,
      numbers: { columns: columns.length },
      rows: [],
    })
  }
  return findings
}

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

/** No page has this many items. */
const LARGEST_POSITION = 100_000

/** Finds positions that cannot be places on a page, such as ids, times or placeholders. */
export const checkPositions: Check = ({ log }) => {
  const { position } = log
  if (!position) return []
  const beyond = matchingRows(log.rows, (k) => position[k]! > LARGEST_POSITION)
  if (beyond.count === 0) return []
  let largest = 0
  for (let k = 0; k < log.rows; k++) if (position[k]! > largest) largest = position[k]!
  return [
    {
      code: 'position-outside-range',
      level: 'problem',
      column: 'position',
      seen: `${counted(beyond.count, 'position')} ${verb(beyond.count, 'is', 'are')} above 100,000; the largest is ${figure(largest)}.`,
      why: 'A position is the place of an item on its page, counted from the top. Effects of positions and page weights cannot be estimated from such values.',
      remedy: advice`Correct these rows, or choose the column of positions with ${set('columns', 'position=…')}.`,
      numbers: { beyond: beyond.count, largest },
      rows: beyond.rows,
    },
  ]
}

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
      seen: `${counted(earlier, 'row')} (${formatShare(earlier / log.rows)}) ${verb(earlier, 'is', 'are')} older than the row above.${users}`,
      why: 'Replaying the log from the top would learn from the future. Often files were joined out of order, or clocks differ.',
      remedy: advice`Sort the log by time, as ${mend} does. If it already is, check that all times share one unit, format and time zone.`,
      mend: { kind: 'order' },
      numbers: { earlier, earlierWithinUser, rows: log.rows },
      rows,
    },
  ]
}

/** Notes when a log has few rows, a single user or a single item. */
export const checkSize: Check = ({ log }) => {
  const findings: Finding[] = []
  if (log.rows < 100) {
    findings.push({
      code: 'few-rows',
      level: 'note',
      seen: `The log has ${counted(log.rows, 'row')}.`,
      why: 'With fewer than 100 rows, intervals are wide and several checks have too little to go on.',
      remedy: 'Collect more rows, or check that the file was read to its end.',
      numbers: { rows: log.rows },
      rows: [],
    })
  }
  if (countDistinct(log.user, log.userIds.length) === 1) {
    findings.push({
      code: 'one-user',
      level: 'note',
      column: 'user',
      seen: `${log.rows === 1 ? 'The only row belongs' : `All ${counted(log.rows, 'row')} belong`} to one user, ${log.userIds[log.user[0]!]}.`,
      why: 'Intervals rest on differences between users; with one user there are none.',
      remedy: advice`Use ${set('columns', 'user=…')} to choose the column of user ids, or treat each row as its own cluster.`,
      numbers: { users: 1, rows: log.rows },
      rows: [],
    })
  }
  if (countDistinct(log.item, log.itemIds.length) === 1) {
    findings.push({
      code: 'one-item',
      level: 'note',
      column: 'item',
      seen: `${log.rows === 1 ? 'The only row shows' : `All ${counted(log.rows, 'row')} show`} one item, ${log.itemIds[log.item[0]!]}.`,
      why: 'Policies differ in what they show; with a single item there is nothing to compare.',
      remedy: advice`Use ${set('columns', 'item=…')} to choose the column of item ids.`,
      numbers: { items: 1, rows: log.rows },
      rows: [],
    })
  }
  return findings
}
