import { firstNotBelow } from '../bisect.js'
import { advice, set } from '../advice.js'
import { HindcastError } from '../error.js'
import { listed } from '../listed.js'
import { counted } from '../number-text.js'
import { hashText, randomStream } from '../random/stream.js'
import { daysOf } from './days.js'
import { type Log, takeRows } from './log.js'
import { countRows } from './row-groups.js'

/** Three logs that share no rows and together hold all of them; only the functions here create one. */
export interface Split {
  readonly train: Log
  readonly validation: Log
  readonly test: Log
}

export interface SplitOptions {
  /** Share of the validation part; default 0.1. */
  validation?: number
  /** Share of the test part; default 0.1. */
  test?: number
  seed?: number
}

/** Assigns each row to a part at random, independently of the others. */
export function splitByRow(log: Log, options: SplitOptions = {}): Split {
  const { seed = 0 } = options
  return splitBy(log, options, (row) => randomStream(seed, 'split by row', row).uniform())
}

/**
 * Assigns all rows of a user to the same part. The part depends only on the seed and the user's id, so
 * a user stays in it when the log grows or its rows are reordered.
 */
export function splitByUser(log: Log, options: SplitOptions = {}): Split {
  const { seed = 0 } = options
  const draws = Float64Array.from(log.userIds, (id) =>
    randomStream(seed, 'split by user', hashText(id), id.length).uniform(),
  )
  return splitBy(log, options, (row) => draws[log.user[row]!]!)
}

/** Trains on the oldest rows and tests on the newest; rows with the same time stay together. */
export function splitByTime(log: Log, options: SplitOptions = {}): Split {
  const { time } = log
  if (!time)
    throw new HindcastError('missing-column', 'A split by time needs a timestamp in every row.', {
      remedy: advice`Map the column with ${set('columns', 'time=NAME')}, or split by row or by user.`,
    })
  const sorted = time.toSorted()
  return splitBy(log, options, (row) => firstNotBelow(sorted, time[row]!) / log.rows)
}

/** Divides [0, 1) into train, validation and test, and assigns each row by where its draw falls. */
function splitBy(log: Log, options: SplitOptions, draw: (row: number) => number): Split {
  const { validation = 0.1, test = 0.1 } = options
  if (!(validation >= 0 && test >= 0 && validation + test < 1))
    throw new HindcastError(
      'bad-option',
      `Shares of ${validation} for validation and ${test} for testing leave nothing to train on.`,
      {
        remedy: 'Give shares of at least 0 that sum to less than 1.',
      },
    )
  const trainEnd = 1 - validation - test
  const [train, validated, tested] = rowsOfParts(log, 3, (row) => {
    const u = draw(row)
    return u < trainEnd ? 0 : u < 1 - test ? 1 : 2
  })
  return { train: train!, validation: validated!, test: tested! }
}

/** The log of each part, from the part of each row. */
function rowsOfParts(log: Log, parts: number, partAt: (row: number) => number): Log[] {
  // Typed arrays: a list of numbers ends at 134 million of them.
  const partOf = new Uint8Array(log.rows)
  const sizes = Array.from({ length: parts }, () => 0)
  for (let row = 0; row < log.rows; row++) {
    partOf[row] = partAt(row)
    sizes[partOf[row]!]!++
  }
  return sizes.map((size, part) => {
    const rows = new Uint32Array(size)
    let next = 0
    for (let row = 0; row < log.rows; row++) if (partOf[row] === part) rows[next++] = row
    return takeRows(log, rows)
  })
}

/** How a log is cut into parts. */
export interface PartsOptions {
  readonly by: 'user' | 'time'
  /** The share of each part; they sum to 1. */
  readonly shares: readonly number[]
  /** Of the hash of users (default 0). A part that is cut again needs another. */
  readonly seed?: number
}

/** Parts are numbered in a byte. */
const MOST_PARTS = 100

/**
 * Cuts a log into parts that share no rows and together hold all of them, of these shares: all rows of a user in the same part,
 * by a hash of the id, so that a user stays in it when the log grows; or whole days in the order of time. So a policy that is
 * made from one part meets rows in another that it cannot have seen.
 */
export function partsOfLog(log: Log, { by, shares, seed = 0 }: PartsOptions): Log[] {
  const ends = endsOf(shares)
  const placeOf = by === 'user' ? partOfUser(log, ends, seed) : partOfDay(log, ends)
  const parts = rowsOfParts(log, ends.length, placeOf)
  const empty = parts.findIndex(({ rows }) => rows === 0)
  if (empty >= 0)
    throw new HindcastError('bad-option', `Part ${empty + 1} of ${ends.length} would have no rows.`, {
      remedy: `Ask for fewer parts or larger shares: the log has ${counted(log.rows, 'row')} of ${counted(new Set(log.user).size, 'user')}.`,
    })
  return parts
}

/** Where each part ends, as shares that add up. */
function endsOf(shares: readonly number[]): number[] {
  const total = shares.reduce((sum, share) => sum + share, 0)
  if (
    shares.length < 2 ||
    shares.length > MOST_PARTS ||
    !shares.every((share) => share > 0 && share < 1) ||
    Math.abs(total - 1) > 1e-6
  )
    throw new HindcastError(
      'bad-option',
      `A log cannot be cut into parts of ${listed(shares.map(String))}.`,
      {
        remedy: `Give 2 to ${MOST_PARTS} shares above 0 that sum to 1.`,
      },
    )
  let end = 0
  return shares.map((share) => (end += share))
}

function partOfUser(log: Log, ends: readonly number[], seed: number): (row: number) => number {
  // Another purpose than that of the split within a training, which would find one of its parts empty.
  const parts = Uint8Array.from(log.userIds, (id) =>
    partAt(randomStream(seed, 'part by user', hashText(id), id.length).uniform(), ends),
  )
  return (row) => parts[log.user[row]!]!
}

function partAt(place: number, ends: readonly number[]): number {
  const part = ends.findIndex((end) => place < end)
  return part < 0 ? ends.length - 1 : part
}

/** A part ends with the day that brings it nearest to its share, and has one at least. */
function partOfDay(log: Log, ends: readonly number[]): (row: number) => number {
  const days = daysOf(log)
  if (!days)
    throw new HindcastError('missing-column', 'A log can be cut by time only where its rows have dates.', {
      remedy: advice`Map the column with ${set('columns', 'time=NAME')}, or cut it by user.`,
    })
  if (days.ids.length < ends.length)
    throw new HindcastError(
      'bad-option',
      `The log has ${counted(days.ids.length, 'day')}, too few for ${ends.length} parts of whole days.`,
      { remedy: 'Ask for fewer parts, or cut it by user.' },
    )
  const order = days.ids.map(Number)
  const places = Array.from(order.keys()).toSorted((a, b) => order[a]! - order[b]!)
  const rows = countRows(days.index, order.length)
  const parts = new Uint8Array(order.length)
  let [part, before] = [0, 0]
  places.forEach((day, k) => {
    const after = before + rows[day]!
    const isNearer = Math.abs(after / log.rows - ends[part]!) >= Math.abs(before / log.rows - ends[part]!)
    const mustEnd = places.length - k < ends.length - part
    const hasDay = k > 0 && parts[places[k - 1]!] === part
    if (part < ends.length - 1 && hasDay && (isNearer || mustEnd)) part++
    parts[day] = part
    before = after
  })
  return (row) => parts[days.index[row]!]!
}
