import { bestItems } from '../kernels/best-items.js'
import type { ModelCard } from './model-card.js'

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
