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

/*
 * What would the metric be if every item had been shown equally often? A user clicks among the items S_u that
 * they like, and a click appears in the log in proportion to the probability b(u,i) that the item was shown:
 * popular items too often. Let a metric be a sum of credits c over the n clicks found, as recall (1/n per
 * hit), precision (1/k) and NDCG are for a given n. Under uniform exposure n clicks are any n of S_u, and the
 * metric is on average
 *
 *     M_u = n · mean of c over S_u        (the estimand; the reported value is its mean over users)
 *
 * Clicks weighted by w = 1/b count each item of S_u equally again, Σ_found w·c ∝ Σ_{S_u} c, and so does Σ_found w
 * ∝ |S_u|. It remains to divide by the right mean weight, since |S_u| is unknown:
 *
 *     ips     Σ_u Σ w·c / Σ_u mean_u(w)      one mean weight for all users
 *     snips   mean over u of Σ w·c / mean_u(w)   each user's own
 *
 * mean_u(w) the mean over the clicks found of user u. SNIPS is that of Yang et al. 2018 ("Unbiased offline
 * recommender evaluation for missing-not-at-random implicit feedback"): right as clicks per user become many, off
 * by the order of 1/n, and for users with one click each it is the unweighted metric, weights and all. IPS is a
 * ratio of sums over all users (Swaminathan & Joachims 2015, "The self-normalized estimator for counterfactual
 * learning"): right as users become many, with few clicks each; users whose clicks were unlikely to be found
 * count more, as they would have more clicks under uniform exposure. If users have fewer than about twenty
 * held-out clicks, read IPS. Its normaliser is the same for every model, so that it orders models
 * as the plain weighted sums do.
 *
 * Average precision, reciprocal rank and hit are not sums of independent credits. There the weight goes with the
 * hits that earn the credit (each hit, the first, all hits in equal parts), while the clicks around them
 * are taken as logged: a correction of first order, exact for users with one click.
 *
 * Equal propensities give exactly the unweighted metrics in both.
 */

/** The smallest propensity: weights are smallest/b in (0, 1], so that none overflows and equal ones are exactly 1. */
export function smallestOf(propensity: Float64Array): number {
  let smallest = Infinity
  for (const b of propensity) if (b < smallest) smallest = b
  return smallest
}

/** Mean of scale/b over the clicks of a user. */
export function meanWeight(propensity: Float64Array, scale: number): number {
  let sum = 0
  for (const b of propensity) sum += scale / b
  return sum / propensity.length
}

/** Gives each hit the weight scale/b of its click, relative to `mean`. */
export function weighHits(hits: Hits, propensity: Float64Array, scale: number, mean: number): void {
  for (let j = 0; j < hits.count; j++) hits.weights[j] = scale / propensity[hits.places[j]!]! / mean
}
