import { firstNotBelow } from '../bisect.js'

/**
 * Where a ranking finds held-out clicks of one user: hit j is at rank `ranks[j]` and is the user's click
 * number `places[j]`. Only the first `count` entries mean anything, so that one object serves user after user.
 */
export interface Hits {
  count: number
  /** From 1, ascending. */
  readonly ranks: Uint32Array
  /** Which of the user's clicks, from 0. */
  readonly places: Uint32Array
  /** The weight of each hit: 1 unless clicks are weighted. */
  readonly weights: Float64Array
}

/** Room for the hits of rankings of k items. */
export const roomForHits = (k: number): Hits => ({
  count: 0,
  ranks: new Uint32Array(k),
  places: new Uint32Array(k),
  weights: new Float64Array(k),
})

/** Fills `hits` with the places where a ranking, best item first, holds one of the clicked items (ascending); each counts 1. */
export function findHits(hits: Hits, ranked: Uint32Array, clicked: Uint32Array): void {
  hits.count = 0
  for (let rank = 1; rank <= ranked.length; rank++) {
    const item = ranked[rank - 1]!
    const place = firstNotBelow(clicked, item)
    if (place === clicked.length || clicked[place] !== item) continue
    hits.ranks[hits.count] = rank
    hits.places[hits.count] = place
    hits.weights[hits.count] = 1
    hits.count++
  }
}
