import { type Adjacency, neighboursOf } from '../graph/graph.js'
import { NO_ITEM, type Rankings } from '../kernels/kernel.js'
import { bestItems } from '../kernels/best-items.js'
import { pauses, type WorkOptions } from './long-work.js'
import type { Model } from './model.js'

/** Users ranked between two looks at the clock. */
const USERS_A_PIECE = 64

/**
 * The k best items of some users by any model, those that `exclude` links to a user left out for them; of
 * equal scores the lowest item wins. A score of NaN is refused.
 */
export function topK(model: Model, users: Uint32Array, k: number, exclude?: Adjacency): Rankings {
  const items = new Uint32Array(users.length * k).fill(NO_ITEM)
  users.forEach((user, row) =>
    items.set(bestItems(model.scores(user), k, exclude && neighboursOf(exclude, user)), row * k),
  )
  return { users, k, items }
}

/** The same, a piece of users at a time, so that other work can run meanwhile and progress is told. */
export async function topKInPieces(
  model: Model,
  users: Uint32Array,
  k: number,
  exclude: Adjacency | undefined,
  { progress, signal }: WorkOptions = {},
): Promise<Rankings> {
  const pause = pauses(signal)
  const items = new Uint32Array(users.length * k)
  for (let first = 0; first < users.length; first += USERS_A_PIECE) {
    const piece = users.subarray(first, first + USERS_A_PIECE)
    items.set(topK(model, piece, k, exclude).items, first * k)
    progress?.({ what: 'ranking', done: first + piece.length, total: users.length, unit: 'users' })
    await pause()
  }
  return { users, k, items }
}
