import { badOption } from '../error.js'
import { REGULARISERS } from './regularisers/index.js'
import type { Regulariser } from './settings.js'

/**
 * The effective weights ω of raw weights w, as a regulariser makes them. `counts` says how many events each weight
 * stands for (default 1 each).
 */
export function regularise(
  weights: Float64Array,
  regulariser: Regulariser,
  counts: Float64Array = new Float64Array(weights.length).fill(1),
): Float64Array {
  requireStrength(regulariser)
  const { kind, strength } = regulariser
  return REGULARISERS.named(kind).change?.(weights, strength, counts) ?? weights
}

/** Throws for a strength that the regulariser cannot have. */
export function requireStrength({ kind, strength }: Regulariser): void {
  const { strength: may } = REGULARISERS.named(kind)
  if (!may || (strength >= may.least && strength <= may.most)) return
  throw badOption(
    `The regulariser ${kind} cannot have the strength ${strength}.`,
    `Give ${may.expected}: ${kind}:${may.usual}.`,
  )
}
