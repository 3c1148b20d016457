import { type Adjacency, neighboursOf } from '../graph/graph.js'
import { NO_ITEM, type Rankings } from '../kernels/kernel.js'
import { bestItems } from '../kernels/best-items.js'
import type { Model } from './model.js'

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
