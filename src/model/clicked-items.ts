import { badOption } from '../error.js'
import { type Graph, neighboursOf } from '../graph/graph.js'
import type { ClickModel } from './model.js'

/** The items of a new user's clicks, each once, ascending; throws where there are none or one does not exist. */
export function clickedItems(clicks: Uint32Array, items: number): Uint32Array {
  if (clicks.length === 0)
    throw badOption(
      'A user without clicks cannot be scored.',
      'Give at least one item they clicked, or recommend what is popular.',
    )
  const sorted = clicks.toSorted()
  const last = sorted[sorted.length - 1]!
  if (last >= items)
    throw badOption(
      `There is no item ${last}: the model has ${items} items.`,
      'Count items from 0, in the order of the model.',
    )
  return sorted.filter((item, k) => k === 0 || item !== sorted[k - 1])
}

/** Throws for a user that the model does not have. */
export function requireUser(user: number, users: number): void {
  if (!(Number.isInteger(user) && user >= 0 && user < users))
    throw badOption(
      `There is no user ${user}: the model has ${users} users.`,
      'Count users from 0, or score a new user from their clicks.',
    )
}

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
