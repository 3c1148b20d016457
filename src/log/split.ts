import { firstNotBelow } from '../bisect.js'
import { advice, set } from '../advice.js'
import { HindcastError } from '../error.js'
import { hashText, randomStream } from '../random/stream.js'
import { type Log, takeRows } from './log.js'

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
  // Typed arrays: a list of numbers ends at 134 million of them.
  const partOf = new Uint8Array(log.rows)
  const sizes = [0, 0, 0]
  for (let row = 0; row < log.rows; row++) {
    const u = draw(row)
    partOf[row] = u < trainEnd ? 0 : u < 1 - test ? 1 : 2
    sizes[partOf[row]!]!++
  }
  const partAt = (part: number): Log => {
    const rows = new Uint32Array(sizes[part]!)
    let next = 0
    for (let row = 0; row < log.rows; row++) if (partOf[row] === part) rows[next++] = row
    return takeRows(log, rows)
  }
  return { train: partAt(0), validation: partAt(1), test: partAt(2) }
}
