import { daysOf } from './days.js'
import type { Log } from './log.js'

/** What programs write, in lower case, where they do not know who came. */
export const NO_PERSON: readonly string[] = [
  'guest',
  'anonymous',
  'anon',
  'unknown',
  'none',
  'null',
  'nan',
  'n/a',
  'undefined',
  'not set',
  '(not set)',
  '0',
  '-1',
]

/** Such an id may be that of a person: in a log whose users are numbered from 0, say. The rows decide. */
const LEAST_SHARE = 0.02
const LEAST_ROWS = 100
const TIMES_ANY_OTHER = 4
/** Of few users, one may have most of the rows, whatever the id: kinds of users, say. */
const LEAST_USERS = 30

/** With fewer of so many rows, an id is that of a person. */
export const leastOfGuest = (rows: number): number => Math.max(LEAST_ROWS, Math.ceil(LEAST_SHARE * rows))

/** Whether an id of `NO_PERSON` is none, from its rows and those of the user who has the most beside it. */
export const isGuest = (own: number, mostOfOthers: number, log: { rows: number; users: number }): boolean =>
  log.users >= LEAST_USERS && own >= leastOfGuest(log.rows) && own >= TIMES_ANY_OTHER * mostOfOthers

/** What the rows of the id that is no person are told apart by: their hour, themselves, or nothing. */
export type GuestsBy = 'hour' | 'row' | 'user'

/** A user id that is no person. */
export interface Guest {
  readonly id: string
  readonly by: GuestsBy
}

/**
 * What the guest's rows are told apart by. Without the times of a clock, rows are the least that can be independent; those of a
 * page are not.
 */
export const guestsBy = (log: {
  readonly hasClock: boolean
  readonly hasPlaces: boolean
  readonly hasPages: boolean
}): GuestsBy => (log.hasClock ? 'hour' : log.hasPlaces && !log.hasPages ? 'row' : 'user')

/** The user id of a log that is no person; null where all are people. */
export function guestOf(log: Log): Guest | null {
  const { user, userIds, rows, weight, contexts, slate } = log
  // Contexts that stand for users have numbers, and the rows of a thinned log say little of who came how often.
  if (weight || contexts?.index === user) return null
  if (!userIds.some(isListed)) return null
  const counts = new Float64Array(userIds.length)
  for (let row = 0; row < rows; row++) counts[user[row]!]! += 1
  let [users, most, next, id] = [0, 0, 0, '']
  counts.forEach((count, index) => {
    if (count > 0) users++
    if (count > most) [most, next, id] = [count, most, userIds[index]!]
    else if (count > next) next = count
  })
  if (!isListed(id) || !isGuest(most, next, { rows, users })) return null
  const hasClock = daysOf(log) !== undefined
  return { id, by: guestsBy({ hasClock, hasPlaces: true, hasPages: slate !== undefined }) }
}

const listed = new Set(NO_PERSON)
const longest = Math.max(...NO_PERSON.map(({ length }) => length))
const isListed = (id: string): boolean => id.length <= longest && listed.has(id.toLowerCase())
