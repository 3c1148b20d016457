import { degreesOfFreedomFrom } from '../../student.js'
import type { Moments } from '../source/moments.js'
import { crossedError } from '../spread.js'
import type { Term } from '../term.js'

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
