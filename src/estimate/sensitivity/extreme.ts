import type { Moments } from '../source/moments.js'
import { one, type Term } from '../term.js'
import { Combination, type Spread, spreadOfCombination } from './combination.js'
import type { Parted, Tilting } from './tilting.js'

/** Towards the greatest value, or the least. */
export type Side = 1 | -1

/** By which factor weights may be off, and towards which end of the values. */
export interface Tilt {
  readonly gamma: number
  readonly side: Side
}

/** The sums of an estimator's rows, parted so that tilted weights give an extreme value. */
export interface Split {
  readonly tilting: Tilting
  readonly parted: Parted
  readonly moments: Moments
}

/** An extreme value, and the influences of clusters on it. */
interface Extreme {
  readonly value: number
  readonly influences: Combination
}

/** An extreme value with its spread. */
export interface SpreadExtreme extends Extreme, Spread {}

/**
 * The value with weights tilted: by Γ above the threshold and 1/Γ below for the greatest one, the other way round for
 * the least. With a = S[above] and s = S[all], a sum is then s/t + (t − 1/t)·a for t = Γ or 1/Γ. Undefined where nothing
 * has any weight.
 */
export function extremeOf({ tilting, parted, moments }: Split, { gamma, side }: Tilt): Extreme | undefined {
  const { all, above } = parted
  const up = side === 1 ? gamma : 1 / gamma
  const down = 1 / up
  const tilted = (whole: Term, part: Term): number =>
    down * moments.total(whole) + (up - down) * moments.total(part)
  const rows = moments.total(one)
  const denominator = tilting.isSelfNormalised ? tilted(all.weight, above.weight) : rows
  if (!(denominator > 0 && rows > 0)) return undefined
  const ratio = tilted(all.weighted, above.weighted) / denominator
  // φ = (S_g[numerator] − ratio·S_g[denominator]) / S[denominator], as of any ratio.
  const influences = new Combination()
    .add(all.weighted, down / denominator)
    .add(above.weighted, (up - down) / denominator)
  const share = -ratio / denominator
  if (tilting.isSelfNormalised)
    influences.add(all.weight, share * down).add(above.weight, share * (up - down))
  else influences.add(one, share)
  let value = ratio
  for (const { numerator } of tilting.rest) {
    const mean = moments.total(numerator) / rows
    value += mean
    influences.add(numerator, 1 / rows).add(one, -mean / rows)
  }
  return Number.isFinite(value) ? { value, influences } : undefined
}

/** The extreme value with its spread; undefined where there is none, or nothing varies. */
export function spreadExtremeOf(split: Split, tilt: Tilt): SpreadExtreme | undefined {
  const extreme = extremeOf(split, tilt)
  const spread = extreme && spreadOfCombination(split.moments, extreme.influences)
  // Influences that are nothing but rounding: all clusters agree.
  if (!spread || !(spread.standardError > 1e-12 * Math.abs(extreme.value))) return undefined
  return { ...extreme, ...spread }
}
