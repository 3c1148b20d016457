import { HindcastError } from '../../error.js'
import type { Moments } from '../source/moments.js'
import type { Term } from '../term.js'

/** The sums of a term by cluster; undefined when they were not asked for (slates have terms of their own). */
export function sumsAtHand(moments: Moments, term: Term): Float64Array | undefined {
  try {
    return moments.sums(term)
  } catch (error) {
    if (error instanceof HindcastError) return undefined
    throw error
  }
}
