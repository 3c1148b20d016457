import type { Hits } from './hits.js'

/**
 * A ranking metric of one user: from the hits among the first k, and the number n ≥ 1 of the user's held-out
 * clicks. Each is a sum over hits of a credit times the weight of the hit; with weights of 1 it lies in [0, 1].
 */
export type Measure = (hits: Hits, clicks: number, k: number) => number
