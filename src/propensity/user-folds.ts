import { advice, set } from '../advice.js'
import { HindcastError } from '../error.js'
import type { Log } from '../log/log.js'
import { hashText, randomStream } from '../random/stream.js'

/** Users dealt into groups, so that what is said of a user can come from the rows of others. */
export interface UserFolds {
  readonly count: number
  /** The fold of each user; users without a row are in fold 0, where they count for nothing. */
  readonly foldOf: Uint8Array
}

const FOLDS = 5

/**
 * Deals the users who have rows into five folds, or as many as there are users: in the order of a random
 * number that the seed and the id give, in turn, so that folds differ by at most one user. The rows of a user
 * have no say in it.
 */
export function userFolds(log: Log, seed: number): UserFolds {
  const hasRows = new Uint8Array(log.userIds.length)
  for (let row = 0; row < log.rows; row++) hasRows[log.user[row]!] = 1
  const draws = Float64Array.from(log.userIds, (id) =>
    randomStream(seed, 'propensity folds', hashText(id), id.length).uniform(),
  )
  const users = Uint32Array.from(draws.keys()).filter((user) => hasRows[user] === 1)
  if (users.length < 2)
    throw new HindcastError(
      'bad-option',
      `The log has ${users.length === 1 ? 'one user' : 'no users'}, too few to estimate propensities.`,
      {
        remedy: advice`The propensities of a user are estimated from the rows of other users: give a log of several, or choose ${set('propensity', 'uniform')} or constant:P.`,
      },
    )
  users.sort((a, b) => draws[a]! - draws[b]! || a - b)
  const count = Math.min(FOLDS, users.length)
  const foldOf = new Uint8Array(log.userIds.length)
  users.forEach((user, place) => (foldOf[user] = place % count))
  return { count, foldOf }
}
