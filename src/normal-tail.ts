import { exp } from './portable-math.js'

/** Φ(−z) = 1/(1 + exp(cubic z³ + linear z)), to 0.00015 (Bowling et al. 2009): a curve that every SQL engine can compute too. */
export const TAIL_CURVE = { cubic: 0.07056, linear: 1.5976 } as const

/** Beyond so many standard errors the curve is taken as level, lest an engine's exp overflow. */
export const FARTHEST_TAIL = 8

/** The chance that a normal variable exceeds its mean by more than z standard deviations, by `TAIL_CURVE`. */
export function normalTail(z: number): number {
  const at = Math.max(-FARTHEST_TAIL, Math.min(FARTHEST_TAIL, z))
  return 1 / (1 + exp(TAIL_CURVE.cubic * at * at * at + TAIL_CURVE.linear * at))
}
