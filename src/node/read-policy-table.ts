import { advice, set } from '../advice.js'
import { HindcastError } from '../error.js'
import { cellNumber } from '../log/cell.js'
import type { Log } from '../log/log.js'
import type { Policy } from '../policy/policy.js'
import { tablePolicy } from '../policy/table.js'
import { readRecords } from './read-catalogue.js'

/**
 * A policy from a CSV with the columns item_id and probability, and user_id if it differs between users.
 * Items that are not listed have probability 0; an item that is not in the log is an error.
 */
export async function readPolicyTable(path: string, log: Log): Promise<Policy> {
  const { names, records } = await readRecords(path)
  const [user, item, probability] = ['user_id', 'item_id', 'probability'].map((name) =>
    names.indexOf(name),
  ) as [number, number, number]
  if (item < 0 || probability < 0)
    throw new HindcastError(
      'missing-column',
      `${path} has no column ${item < 0 ? 'item_id' : 'probability'}.`,
      {
        remedy: 'Give a CSV with the columns item_id, probability and, if it differs between users, user_id.',
      },
    )
  const items = indexOf(log.itemIds)
  const users = indexOf(log.userIds)
  const rows = Array.from(
    { length: user < 0 ? 1 : log.userIds.length },
    () => new Float64Array(log.itemIds.length),
  )
  records.forEach((cells, k) => {
    const place = items.get(String(cells[item]))
    if (place === undefined) throw unknown(path, k, 'item', String(cells[item]))
    const owner = user < 0 ? 0 : users.get(String(cells[user]))
    if (owner === undefined) throw unknown(path, k, 'user', String(cells[user]))
    rows[owner]![place]! += cellNumber(cells[probability])
  })
  return user < 0 ? tablePolicy(path, rows[0]!) : tablePolicy(path, rows)
}

const indexOf = (ids: readonly string[]): Map<string, number> => new Map(ids.map((id, index) => [id, index]))

const unknown = (path: string, record: number, what: string, id: string): HindcastError =>
  new HindcastError(
    'bad-file',
    `${path}, line ${record + 2}: the log has no ${what} ${JSON.stringify(id)}.`,
    {
      remedy:
        what === 'item'
          ? advice`Remove the line, or list all items with ${set('catalogue')}.`
          : 'Remove the line.',
    },
  )
