import { degreesOfFreedomFrom } from '../../student.js'
import { type Expression, textOf, times, when } from '../../sql/expression.js'
import type { Estimator } from '../estimator.js'
import type { Moments } from '../source/moments.js'
import { crossedError } from '../spread.js'
import { one, type Term, term } from '../term.js'

/** How an estimator uses weights: V = rest + S[w·o] / S[w], or over n, with its own weights w and outcomes o. */
export interface Tilting {
  readonly weight: Expression
  /** r, or r − q where a model predicts q. */
  readonly outcome: Expression
  /** Divided by the sum of the weights, which are then tilted above and below the line; else by the rows. */
  readonly isSelfNormalised: boolean
  /** What no weight enters: the model's part. */
  readonly rest: Estimator['ratios']
}

/**
 * How an estimator uses weights, read from its ratios: one of them is S[w·o], alone or added to what no weight enters, over
 * S[w] or over the rows. Undefined where none is, as for a model's prediction, or for slates, whose weights are products of
 * many, or where a function of totals is added.
 */
export function tiltingOf({ judged, ratios, correction, rows }: Estimator): Tilting | undefined {
  if (!judged?.outcome || correction || rows === 'slates') return undefined
  const { weight, outcome } = judged
  const weighted = term(times(weight.expression, outcome)).name
  const rest: Ratio[] = []
  const tilted: Ratio[] = []
  for (const ratio of ratios) {
    const { numerator, denominator } = ratio
    const added = addedTo(numerator.expression, weighted)
    if (numerator.name === weighted || added) tilted.push(ratio)
    if (added) rest.push({ numerator: term(added), denominator })
    else if (numerator.name !== weighted) rest.push(ratio)
  }
  const below = tilted[0]?.denominator.name
  const isSelfNormalised = below === weight.name
  const isKnown = tilted.length === 1 && (isSelfNormalised || below === one.name)
  if (!isKnown || rest.some(({ denominator }) => denominator.name !== one.name)) return undefined
  return { weight: weight.expression, outcome, isSelfNormalised, rest }
}

type Ratio = Estimator['ratios'][number]

/** What is added to an expression of this text; undefined where the whole is no such sum. */
function addedTo(whole: Expression, part: string): Expression | undefined {
  if (whole.kind !== 'operation' || whole.operator !== '+') return undefined
  if (textOf(whole.right) === part) return whole.left
  return textOf(whole.left) === part ? whole.right : undefined
}

/** The sums of weights and of weighted outcomes over some rows. */
interface WeighedTerms {
  readonly weight: Term
  readonly weighted: Term
}

/** All rows, and those whose outcomes are above a threshold: their weights are tilted one way, the others' the other way. */
export interface Parted {
  readonly all: WeighedTerms
  readonly above: WeighedTerms
}

/** The sums over all rows. */
export const allOf = ({ weight, outcome }: Tilting): WeighedTerms => ({
  weight: term(weight),
  weighted: term(times(weight, outcome)),
})

/** Rows parted at a threshold of their outcomes. */
export function partedAt(tilting: Tilting, threshold: number): Parted {
  const { weight, outcome } = tilting
  const above = (value: Expression): Term => term(when(outcome, '<=', threshold, 0, value))
  return { all: allOf(tilting), above: { weight: above(weight), weighted: above(times(weight, outcome)) } }
}

/** The terms that parted rows are summed by. */
export const termsOfParts = (parts: readonly Parted[]): Term[] =>
  parts.flatMap(({ all, above }) => [all.weight, all.weighted, above.weight, above.weighted])

/** A sum of terms, each with its coefficient: the influences φ_g = Σ_j c_j S_g[x_j] of clusters. */
export class Combination {
  readonly #parts = new Map<string, { readonly term: Term; coefficient: number }>()

  /** The same with so much more of a term. */
  add(term: Term, coefficient: number): this {
    const part = this.#parts.get(term.name)
    if (part) part.coefficient += coefficient
    else this.#parts.set(term.name, { term, coefficient })
    return this
  }

  /** The terms and their coefficients, without those that cancelled. */
  get parts(): readonly { readonly term: Term; readonly coefficient: number }[] {
    return [...this.#parts.values()].filter(({ coefficient }) => coefficient !== 0)
  }
}

/** The standard error of what some influences belong to, and the fewest degrees of freedom of any way. */
export interface Spread {
  readonly standardError: number
  readonly degreesOfFreedom: number
}

/**
 * The spread of combined influences over clusters of every way, as of `influencesOf`, but without an array of them: a
 * curve over Γ asks some thirty times, and cells of users and days may be as many as rows.
 */
export function spreadOfCombination(moments: Moments, combination: Combination): Spread | undefined {
  const ways = [{ sign: 1 as const, moments }, ...moments.crossed].map(({ sign, moments: way }) => {
    const { clusters } = way
    const { squares, fourths } =
      sign > 0 ? powerSums(way, combination) : { squares: squaresOf(way, combination), fourths: NaN }
    return {
      sign,
      error: clusters < 2 ? undefined : Math.sqrt((clusters / (clusters - 1)) * squares),
      freedom: degreesOfFreedomFrom(clusters, squares, fourths),
    }
  })
  const standardError = crossedError(ways)
  if (standardError === undefined) return undefined
  const added = ways.filter(({ sign }) => sign > 0)
  return { standardError, degreesOfFreedom: Math.min(...added.map(({ freedom }) => freedom)) }
}

/** Σφ² = Σ_ij c_i c_j Σ_g S_g[x_i] S_g[x_j]: the products are summed once, whatever the coefficients. */
function squaresOf(moments: Moments, { parts }: Combination): number {
  let squares = 0
  for (const [i, x] of parts.entries()) {
    squares += x.coefficient ** 2 * moments.products(x.term, x.term)
    for (const y of parts.slice(i + 1))
      squares += 2 * x.coefficient * y.coefficient * moments.products(x.term, y.term)
  }
  return Math.max(0, squares)
}

/** Clusters at a time: their influences stay in the fastest memory. */
const BLOCK = 1024

/** Σφ² and Σφ⁴ over the clusters of one way. */
function powerSums(moments: Moments, combination: Combination): { squares: number; fourths: number } {
  const columns = combination.parts.map(({ term, coefficient }) => ({
    sums: moments.sums(term),
    coefficient,
  }))
  const block = new Float64Array(BLOCK)
  let [squares, fourths] = [0, 0]
  for (let from = 0; from < moments.clusters; from += BLOCK) {
    const count = Math.min(BLOCK, moments.clusters - from)
    block.fill(0)
    for (const { sums, coefficient } of columns)
      for (let k = 0; k < count; k++) block[k]! += coefficient * sums[from + k]!
    for (let k = 0; k < count; k++) {
      const square = block[k]! * block[k]!
      squares += square
      fourths += square * square
    }
  }
  return { squares, fourths }
}

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
