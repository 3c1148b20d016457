import { advice, set } from '../advice.js'
import { badOption, HindcastError } from '../error.js'
import { neighboursOf } from '../graph/graph.js'
import { bestItems } from '../kernels/best-items.js'
import { suggest } from '../suggest.js'
import type { ModelCard } from './model-card.js'
import type { ClickModel } from './model.js'

export const RECOMMENDATIONS_SCHEMA = 'hindcast.recommendations/1'

/** An item that is recommended. */
export interface Recommended {
  /** From 1. */
  readonly rank: number
  readonly item: string
  readonly score: number
}

/** What `hindcast recommend` writes as JSON. */
export interface Recommendations {
  readonly schema: typeof RECOMMENDATIONS_SCHEMA
  readonly model: ModelCard['kind']
  /** Null for a new user. */
  readonly user: string | null
  /** What the recommendations are based on: the user's training clicks, or those that were given. */
  readonly clicks: readonly string[]
  /** Whether clicked items may be recommended again. */
  readonly includesClicked: boolean
  readonly recommended: readonly Recommended[]
}

/** The k best items by their scores, with their ids; the excluded ones (ascending) left out. */
export const recommend = (
  scores: Float32Array,
  k: number,
  itemIds: readonly string[],
  excluded?: Uint32Array,
): Recommended[] =>
  Array.from(bestItems(scores, k, excluded), (item, place) => ({
    rank: place + 1,
    item: itemIds[item]!,
    score: scores[item]!,
  }))

/** A model with the ids of its users and items. */
export interface NamedModel {
  readonly model: ClickModel
  readonly card: Pick<ModelCard, 'kind' | 'userIds' | 'itemIds'>
}

/** A user of the log the model was trained on, or a new user by the ids of items they clicked, at least one. */
export type Somebody = { readonly user: string } | { readonly clicks: readonly string[] }

/** What to recommend. */
export interface RecommendOptions {
  /** How many items, at most. */
  readonly top: number
  /** Whether clicked items may be recommended again; default false. */
  readonly includesClicked?: boolean
}

/** The best items for one user, or for a new user, who is folded in from their clicks without training. */
export function recommendToOne(
  { model, card }: NamedModel,
  whom: Somebody,
  { top, includesClicked = false }: RecommendOptions,
): Recommendations {
  const user = 'user' in whom ? placeOf(whom.user, card.userIds, unknownUser) : undefined
  const clicks =
    'user' in whom ? neighboursOf(model.graph.byUser, user!) : placesOf(whom.clicks, card.itemIds)
  const scores = user === undefined ? model.foldIn(clicks) : model.scores(user)
  return {
    schema: RECOMMENDATIONS_SCHEMA,
    model: card.kind,
    user: 'user' in whom ? whom.user : null,
    clicks: Array.from(clicks, (item) => card.itemIds[item]!),
    includesClicked,
    recommended: recommend(scores, top, card.itemIds, includesClicked ? undefined : clicks),
  }
}

/** Where clicked items stand, ascending, each once. */
function placesOf(clicks: readonly string[], itemIds: readonly string[]): Uint32Array {
  if (clicks.length === 0)
    throw badOption(
      'No clicked items were given, so there is nothing to recommend from.',
      advice`For example: ${set('clicks', '50,181,7')}`,
    )
  return Uint32Array.from(new Set(clicks.map((id) => placeOf(id, itemIds, unknownItem)))).sort()
}

function placeOf(
  id: string,
  ids: readonly string[],
  unknown: (id: string, meant: string | undefined) => HindcastError,
): number {
  const place = ids.indexOf(id)
  if (place < 0) throw unknown(id, suggest(id, ids))
  return place
}

const didYouMean = (meant: string | undefined): string =>
  meant === undefined ? '' : `Did you mean ${JSON.stringify(meant)}? `

const unknownUser = (id: string, meant: string | undefined): HindcastError =>
  new HindcastError('unknown-name', `The model has no user ${JSON.stringify(id)}.`, {
    remedy: advice`${didYouMean(meant)}For a new user, name items they clicked: ${set('clicks', 'ITEM,ITEM,…')}`,
  })

const unknownItem = (id: string, meant: string | undefined): HindcastError =>
  new HindcastError('unknown-name', `The model has no item ${JSON.stringify(id)}.`, {
    remedy: `${didYouMean(meant)}Name items of the log the model was trained on; model.json lists them.`,
  })
