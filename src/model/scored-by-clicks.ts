import { type Graph, neighboursOf } from '../graph/graph.js'
import { clickedItems } from './clicked-items.js'
import { requireUser } from './known-user.js'
import type { Model } from './model.js'

/** A model that knows users by their clicks alone, so a new user is scored like a known one with the same clicks. */
export const scoredByClicks = <Kind extends Model['kind']>(
  kind: Kind,
  { users, items, byUser }: Graph,
  scoresFrom: (clicks: Uint32Array) => Float32Array,
): Model & { readonly kind: Kind } => ({
  kind,
  users,
  items,
  scores(user) {
    requireUser(user, users)
    return scoresFrom(neighboursOf(byUser, user))
  },
  foldIn: (clicks) => scoresFrom(clickedItems(clicks, items)),
})
