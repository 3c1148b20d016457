import type { Log } from '../log/log.js'

/** The rows of a log in the order of their users. */
export interface RowsByUser {
  readonly rows: Uint32Array
  /** The rows of user u are rows[start[u]] to rows[start[u + 1] − 1]. */
  readonly start: Uint32Array
}

export function rowsByUser({ user, userIds }: Log): RowsByUser {
  const start = new Uint32Array(userIds.length + 1)
  for (const index of user) start[index + 1]!++
  for (let u = 0; u < userIds.length; u++) start[u + 1]! += start[u]!
  const next = start.slice()
  const rows = new Uint32Array(user.length)
  for (let row = 0; row < user.length; row++) rows[next[user[row]!]!++] = row
  return { rows, start }
}
