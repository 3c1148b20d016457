import { firstNotBelow } from '../bisect.js'
import { advice, set } from '../advice.js'
import { HindcastError } from '../error.js'
import { hashText, randomStream } from '../random/stream.js'
import { type Log, takeRows } from './log.js'

/** Three logs that share no row and together hold all; nothing else in Hindcast makes one. */
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

/** Each row goes to a part by chance, of its own. */
export function splitByRow(log: Log, options: SplitOptions = {}): Split {
  const { seed = 0 } = options
  return splitBy(log, options, (row) => randomStream(seed, 'split by row', row).uniform())
}

/**
 * All rows of a user go to the same part. The part depends on the seed and the user's id alone, so
 * a user stays in it when the log grows or its rows change places.
 */
export function splitByUser(log: Log, options: SplitOptions = {}): Split {
  const { seed = 0 } = options
  const draws = Float64Array.from(log.userIds, (id) =>
    randomStream(seed, 'split by user', hashText(id), id.length).uniform(),
  )
  return splitBy(log, options, (row) => draws[log.user[row]!]!)
}

/** The oldest rows are for training, the newest for the test; rows of the same instant stay together. */
export function splitByTime(log: Log, options: SplitOptions = {}): Split {
  const { time } = log
  if (!time)
    throw new HindcastError('missing-column', 'A split by time needs a timestamp on every row.', {
      remedy: advice`Map the column with ${set('columns', 'time=NAME')}, or split by row or by user.`,
    })
  const sorted = time.toSorted()
  return splitBy(log, options, (row) => firstNotBelow(sorted, time[row]!) / log.rows)
}

/** Cuts [0, 1) into train, validation and test, and sends each row where its draw falls. */
function splitBy(log: Log, options: SplitOptions, draw: (row: number) => number): Split {
  const { validation = 0.1, test = 0.1 } = options
  if (!(validation >= 0 && test >= 0 && validation + test < 1))
    throw new HindcastError(
      'bad-option',
      `Shares of ${validation} for validation and ${test} for the test leave nothing to train on.`,
      {
        remedy: 'Give shares of at least 0 that sum to less than 1.',
      },
    )
  const parts: [number[], number[], number[]] = [[], [], []]
  const trainEnd = 1 - validation - test
  for (let row = 0; row < log.rows; row++) {
    const u = draw(row)
    parts[u < trainEnd ? 0 : u < 1 - test ? 1 : 2].push(row)
  }
  const [train, valid, held] = parts.map((rows) => takeRows(log, Uint32Array.from(rows))) as [Log, Log, Log]
  return { train, validation: valid, test: held }
}
