import { advice, set } from '../../advice.js'
import { HindcastError } from '../../error.js'
import { counted } from '../../number-text.js'
import type { Matrix } from './npy.js'
import { isPolicyValue, POLICY_VALUE, type PolicyFile } from './policy-file.js'

/** The ids of the rows and columns of a matrix. */
export interface MatrixIds {
  /** Undefined if there is no list of users: the matrix then has one row, for all of them. */
  readonly users: readonly string[] | undefined
  readonly items: readonly string[]
}

/** A policy from a matrix of one row per user and one column per item; its shape and its numbers are checked: probabilities are at most `most`. */
export function matrixPolicy(
  name: string,
  kind: PolicyFile['kind'],
  { rows, columns, values }: Matrix,
  { users, items }: MatrixIds,
  most?: number,
): PolicyFile {
  requireIds(name, 'item', 'column', items, columns)
  if (users) requireIds(name, 'user', 'row', users, rows)
  else if (rows !== 1)
    throw new HindcastError(
      'bad-file',
      `${name} has ${counted(rows, 'row')}, but nothing says whose they are.`,
      {
        remedy: 'Put users.txt beside it, with the id of each row on a line of its own.',
      },
    )
  const bad = values.findIndex((value) => !isPolicyValue(value, kind, most))
  if (bad >= 0) {
    const [row, column] = [Math.floor(bad / columns), bad % columns]
    const whose = users ? `user ${JSON.stringify(users[row])}, ` : ''
    throw new HindcastError(
      'bad-rows',
      `${name}: the ${kind} of ${whose}item ${JSON.stringify(items[column])} is ${values[bad]}; it must be ${POLICY_VALUE[kind]}.`,
      {
        remedy:
          kind === 'score'
            ? 'Write it again without such numbers: -inf for an item that is never shown.'
            : advice`Write it again without such numbers: 0 for an item that is never shown. If these are raw scores, say how items are shown by them: ${set('target', `scores:${name}@best`)}, or another rule.`,
      },
    )
  }
  return {
    name,
    kind,
    userIds: users,
    itemIds: items,
    items: () => undefined,
    values: (row) => values.subarray(row * columns, (row + 1) * columns),
  }
}

/** One id for each row or column, and none twice. */
export function requireIds(
  name: string,
  what: 'user' | 'item',
  axis: 'row' | 'column',
  ids: readonly string[],
  size: number,
): void {
  if (ids.length !== size)
    throw new HindcastError(
      'bad-file',
      `${name} has ${counted(size, axis)}, but there are ${counted(ids.length, `${what} id`)}.`,
      { remedy: `Give one ${what} id per ${axis}, in the order of the ${axis}s.` },
    )
  const seen = new Set<string>()
  for (const id of ids) {
    if (seen.has(id) || id === '')
      throw new HindcastError(
        'bad-file',
        `${name}: the ${what} id ${JSON.stringify(id)} ${id === '' ? 'is empty' : 'occurs twice'}.`,
        { remedy: `Give every ${axis} an id of its own.` },
      )
    seen.add(id)
  }
}

/** The first line of a list of ids with their places, as LightGCN and its relatives write it. */
const WITH_PLACES = /^org_id\s+remap_id\b/

/**
 * The ids of a text file, one per line; a blank line at the end is none. Below a line `org_id remap_id`, each id is followed
 * by its place, counted from 0.
 */
export function idsOfLines(text: string): string[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  if (!WITH_PLACES.test(lines[0] ?? '')) return lines
  const ids: string[] = []
  for (const line of lines.slice(1)) {
    const [id, place] = line.trim().split(/\s+/)
    ids[Number(place)] = id!
  }
  // A place without an id is empty, which is refused.
  return Array.from(ids, (id) => id ?? '')
}
