import { advice, set } from '../advice.js'
import { badOption } from '../error.js'
import type { Log } from '../log/log.js'
import { md5Bucket } from '../md5.js'
import { hashText, randomStream } from '../random/stream.js'

/** The folds of popularity are always the same. */
export const POPULARITY_SEED = 0

/** Users divided into folds, so that predictions for a user can come from the rows of others. */
export interface UserFolds {
  readonly count: number
  /** The fold of each user; users without rows are in fold 0, where they have no effect. */
  readonly foldOf: Uint8Array
}

/** Into how many folds users are divided. */
export const FOLDS = 5

/**
 * The fold of a user, 0 … 4, from the MD5 of the seed and their id alone: every engine computes the same one, without
 * knowing the other users. Of 65,536 buckets, fold 0 has one more than the others, which is no matter.
 */
export const foldOfUser = (seed: number, id: string): number => md5Bucket(`${seed}:${id}`) % FOLDS

/**
 * Divides the users who have rows into five folds, or as many as there are users: in turn, ordered by a random
 * number that depends on the seed and the id, so that folds differ in size by at most one. A user's rows have no
 * influence. For what is never computed in an engine: few users are divided better than by `foldOfUser`.
 */
export function userFolds(log: Log, seed: number): UserFolds {
  const hasRows = new Uint8Array(log.userIds.length)
  for (let row = 0; row < log.rows; row++) hasRows[log.user[row]!] = 1
  const draws = Float64Array.from(log.userIds, (id) =>
    randomStream(seed, 'propensity folds', hashText(id), id.length).uniform(),
  )
  const users = Uint32Array.from(draws.keys()).filter((user) => hasRows[user] === 1)
  if (users.length < 2)
    throw badOption(
      `The log has ${users.length === 1 ? 'one user' : 'no users'}, too few to estimate propensities.`,
      advice`Propensities of a user are estimated from the rows of other users: use a log with several users, or choose ${set('propensity', 'uniform')} or constant:P.`,
    )
  users.sort((a, b) => draws[a]! - draws[b]! || a - b)
  const count = Math.min(FOLDS, users.length)
  const foldOf = new Uint8Array(log.userIds.length)
  users.forEach((user, place) => (foldOf[user] = place % count))
  return { count, foldOf }
}
