import { type Expression, minus, number, over, plus, row, times } from '../../sql/expression.js'
import { replaced } from '../../sql/replaced.js'
import type { Estimator } from '../estimator.js'
import type { Moments } from '../source/moments.js'
import { term, type Term } from '../term.js'

/** g = b/b′ with b′ = (1 − ε) b + ε/K: by how much a logger that explores more shrinks the weight of a row. */
export const shrinkage = (epsilon: number, items: number): Expression =>
  epsilon === 0 ? number(1) : over(row.b, plus(times(1 - epsilon, row.b), epsilon / items))

/** An estimate in today's rows: its estimator, its sums, and what stands for the weight w of a row, such as 1 for the logging policy. */
export interface Seen {
  readonly estimator: Pick<Estimator, 'ratios'>
  readonly moments: Moments
  readonly weight: Expression
}

/** φ = Σ_j (x_j − (S[x_j]/S[y_j]) y_j)/S[y_j] of a row, its weight multiplied by `shrunk`. */
function influence({ estimator, moments, weight }: Seen, shrunk: Expression): Expression {
  const w = times(weight, shrunk)
  const parts = estimator.ratios.map(({ numerator, denominator }) => {
    const below = moments.total(denominator)
    const ratio = moments.total(numerator) / below
    const [x, y] = [numerator, denominator].map(({ expression }) => replaced(expression, { w }))
    return over(minus(x!, times(ratio, y!)), below)
  })
  return parts.reduce((sum, part) => plus(sum, part))
}

/**
 * The term whose sum is the variance that single rows give an estimate, or a difference of two, in a log as large as
 * today's whose logger is b′: n E_b′[φ′²] = n E_b[φ′²/g], where φ′ is φ with the weight π/b′ = g π/b.
 */
export function rowVariance(shrunk: Expression, seen: Seen, baseline?: Seen): Term {
  const phi = baseline ? minus(influence(seen, shrunk), influence(baseline, shrunk)) : influence(seen, shrunk)
  return term(over(times(phi, phi), shrunk))
}

/**
 * The terms of the effective sample size under b′, whose share of the rows is E_b′[w′]²/E_b′[w′²] =
 * S[w]²/(S[1/g] S[g w²]): the expectations under b′ are divided by the sum of b′/b = 1/g, so that it is never above 1.
 */
export const squaredWeight = (shrunk: Expression): Term => term(times(shrunk, times(row.w, row.w)))
export const likelihoodRatio = (shrunk: Expression): Term => term(over(1, shrunk))
