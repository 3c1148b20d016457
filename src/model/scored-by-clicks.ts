import { type Graph, neighboursOf } from '../graph/graph.js'
import { clickedItems } from './clicked-items.js'
import { requireUser } from './known-user.js'
import type { ClickModel } from './model.js'

/** A model that knows users by their clicks alone, so a new user is scored like a known one with the same clicks. */
export const scoredByClicks = <Kind extends ClickModel['kind']>(
  kind: Kind,
  graph: Graph,
  scoresFrom: (clicks: Uint32Array) => Float32Array,
): ClickModel & { readonly kind: Kind } => ({
  kind,
  graph,
  users: graph.users,
  items: graph.items,
  scores(user) {
    requireUser(user, graph.users)
    return scoresFrom(neighboursOf(graph.byUser, user))
  },
  foldIn: (clicks) => scoresFrom(clickedItems(clicks, graph.items)),
})
