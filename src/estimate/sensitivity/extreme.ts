import { type Estimator, valueOf } from '../estimator.js'
import { type FirstOrder, firstOrderOf } from '../intervals/first-order.js'
import { Moments } from '../source/moments.js'
import { number } from '../../sql/expression.js'
import { one, type Term, term } from '../term.js'
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

/** Names of sums of tilted weights; as expressions they are never computed. */
const tiltedWeighted: Term = { ...term(number(NaN)), name: 'tilted weight·outcome' }
const tiltedWeight: Term = { ...term(number(NaN)), name: 'tilted weight' }

/** The extreme value with its standard error, or a sentence that says why there is none. */
export function extremeOf(split: Split, tilt: Tilt): FirstOrder | string {
  return firstOrderOf(tiltedEstimator(split.tilting), tiltedSums(split, split.moments, tilt))
}

/** The extreme value alone; undefined where there is none. */
export const extremeValueOf = (split: Split, tilt: Tilt): number | undefined =>
  valueOf(tiltedEstimator(split.tilting), tiltedSums(split, split.moments, tilt))

const tiltedEstimator = ({ rest, isSelfNormalised }: Tilting): Pick<Estimator, 'ratios'> => ({
  ratios: [...rest, { numerator: tiltedWeighted, denominator: isSelfNormalised ? tiltedWeight : one }],
})

/**
 * The sums with weights tilted: by Γ above the threshold and 1/Γ below for the greatest value, the other way round for
 * the least. With a = S[above] and s = S[all] that is s/t + (t − 1/t)·a for t = Γ or 1/Γ.
 */
function tiltedSums({ tilting, parted }: Split, moments: Moments, { gamma, side }: Tilt): Moments {
  const up = side === 1 ? gamma : 1 / gamma
  const down = 1 / up
  const tilted = (from: Moments, all: Term, above: Term): Float64Array => {
    const [whole, part] = [from.sums(all), from.sums(above)]
    return whole.map((sum, g) => down * sum + (up - down) * part[g]!)
  }
  const of = (from: Moments): Moments =>
    new Moments(
      from.keys,
      new Map([
        [one.name, from.sums(one)],
        ...tilting.rest.map(({ numerator }): [string, Float64Array] => [
          numerator.name,
          from.sums(numerator),
        ]),
        [tiltedWeighted.name, tilted(from, parted.all.weighted, parted.above.weighted)],
        ...(tilting.isSelfNormalised
          ? [[tiltedWeight.name, tilted(from, parted.all.weight, parted.above.weight)] as const]
          : []),
      ]),
      {
        by: from.by,
        crossed: from.crossed.map(({ sign, moments: crossed }) => ({ sign, moments: of(crossed) })),
      },
    )
  return of(moments)
}
