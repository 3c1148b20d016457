import { degreeOf, type Graph } from '../graph/graph.js'
import { requireUser } from './known-user.js'
import type { Model } from './model.js'

/** The same for every user: the score of an item is the number of users who clicked it in training. */
export function popularityModel({ users, items, byItem }: Graph): Model {
  const clicks = Float32Array.from({ length: items }, (_, item) => degreeOf(byItem, item))
  return {
    kind: 'popularity',
    users,
    items,
    scores(user) {
      requireUser(user, users)
      return clicks.slice()
    },
    foldIn: () => clicks.slice(),
  }
}
