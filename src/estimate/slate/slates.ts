import { advice, set } from '../../advice.js'
import { HindcastError } from '../../error.js'
import type { Log } from '../../log/log.js'
import { forEachGroup, groupRows } from '../../log/row-groups.js'

/**
 * The rows of a log gathered into slates. Slate s, of those that have rows, is the rows
 * `order[start[s]]` to `order[start[s + 1] − 1]` of the log, by position.
 */
export interface Slates {
  readonly count: number
  /** Rows of the log, slate by slate, by position within. */
  readonly order: Uint32Array
  /** Where each slate starts in `order`, and where the last ends. */
  readonly start: Uint32Array
  /** The longest slate's number of slots. */
  readonly mostSlots: number
}

/**
 * The slates of a log. An error names the slate that has a position twice, rows of two users or of two
 * clusters, or rows that stand for different numbers of impressions.
 */
export function slatesOf(log: Log): Slates {
  const { slate, slateIds, position } = log
  if (!slate || !slateIds || !position) throw noPageColumn(slate ? 'position' : 'slate')
  const groups = groupRows(slate, slateIds.length)
  const start: number[] = [0]
  let mostSlots = 0
  forEachGroup(groups, (id, rows) => {
    sortByPosition(rows, position)
    checkSlate(log, rows, slateIds[id]!, position)
    start.push(groups.start[id + 1]!)
    mostSlots = Math.max(mostSlots, rows.length)
  })
  return { count: start.length - 1, order: groups.rows, start: Uint32Array.from(start), mostSlots }
}

function sortByPosition(rows: Uint32Array, position: Float64Array): void {
  // Most logs hold a slate in its order, and looking is cheaper than sorting.
  for (let k = 1; k < rows.length; k++)
    if (position[rows[k]!]! < position[rows[k - 1]!]!) {
      rows.sort((a, b) => position[a]! - position[b]!)
      return
    }
}

function checkSlate(log: Log, rows: Uint32Array, id: string, position: Float64Array): void {
  const first = rows[0]!
  for (let k = 1; k < rows.length; k++) {
    const row = rows[k]!
    if (position[row] === position[rows[k - 1]!]) throw BROKEN_SLATE.positions(id, position[row]!)
    if (log.user[row] !== log.user[first])
      throw BROKEN_SLATE.users(id, log.userIds[log.user[first]!]!, log.userIds[log.user[row]!]!)
    if (log.cluster && log.cluster[row] !== log.cluster[first]) throw BROKEN_SLATE.clusters(id)
    if (log.weight && log.weight[row] !== log.weight[first])
      throw BROKEN_SLATE.weights(id, log.weight[first]!, log.weight[row]!)
  }
}

/** The error for a log without a column that pages need. */
export const noPageColumn = (column: 'slate' | 'position'): HindcastError =>
  new HindcastError('missing-column', `The log has no ${column} column.`, {
    remedy: advice`Name it with ${set('columns', 'slate=NAME,position=NAME')}, or use an estimator for single impressions.`,
  })

/** The errors for a slate that is none. */
export const BROKEN_SLATE = {
  positions: (id: string, position: number) =>
    broken(id, `has position ${position} twice`, 'Give each row of a slate its own position.'),
  users: (id: string, first: string, second: string) =>
    broken(
      id,
      `has rows of two users, ${JSON.stringify(first)} and ${JSON.stringify(second)}`,
      'A slate is shown to one user: make its id unique.',
    ),
  clusters: (id: string) =>
    broken(id, 'has rows of two clusters', 'Give all rows of a slate the same cluster.'),
  weights: (id: string, first: number, second: number) =>
    broken(
      id,
      `has rows of weight ${first} and ${second}`,
      'Subsample whole slates, so that all rows of a slate have the same weight.',
    ),
}

const broken = (id: string, what: string, remedy: string): HindcastError =>
  new HindcastError('bad-rows', `Slate ${JSON.stringify(id)} ${what}.`, { remedy })
