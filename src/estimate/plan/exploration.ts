import { type Expression, minus, number, over, plus, row, times } from '../../sql/expression.js'
import { replaced } from '../../sql/replaced.js'
import { type Estimator, termsOf, valueOf } from '../estimator.js'
import type { ClusterColumn, Moments } from '../source/moments.js'
import { type Known, type SumSource, factsOf, isLacking } from '../source/source.js'
import { differenceOf, influencesOf, spreadOf } from '../spread.js'
import { type Term, distinctTerms, one, reward, term, weight } from '../term.js'
import type { Exploration, ExplorationPoint, Goal, LogSize } from './plan-record.js'

/** The shares of random items that a plan looks at. */
const EPSILONS: readonly number[] = [0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1]

/** What is known of today's log. */
export interface Today {
  readonly source: SumSource
  readonly ways: readonly ClusterColumn[]
  readonly size: LogSize
  readonly estimator: Estimator
  /** The sums behind the estimate of the target's value, and its standard error. */
  readonly value: { readonly moments: Moments; readonly se: number }
  /** The same of the baseline, and the error of the difference, where the baseline is the logging policy; null where it is another. */
  readonly baseline: { readonly moments: Moments; readonly se: number } | null
  readonly goals: readonly Goal[]
}

/**
 * What a logger that shows a share ε of random items would change, from today's rows alone. Only the part of a
 * variance that comes from single rows hangs on the logger: items are drawn independently of each other, so that the
 * covariance of two rows of a user or day is that of their expectations given the user and the day, under any logger.
 */
export async function explorationOf(
  today: Today,
  epsilons: readonly number[] = EPSILONS,
): Promise<Known<Exploration>> {
  const { source, estimator } = today
  const { items, propensitySource, unsupportedMass } = await factsOf(source)
  if (propensitySource === 'none') return { lacking: 'the log has no propensities' }
  if (estimator.rows !== 'plain')
    return { lacking: `${estimator.label} rests on more than importance weights; choose snips or ips` }
  const rising = [...new Set([0, ...epsilons])].sort((a, b) => a - b)
  const terms = rising.map((epsilon) => termsAt(epsilon, items, today))
  const asked = distinctTerms([
    one,
    weight,
    ...terms.flatMap(({ ofWeight, ofRatio, ofValue, ofDifference }) => [
      ofWeight,
      ofRatio,
      ofValue,
      ...(ofDifference ? [ofDifference] : []),
    ]),
  ])
  const [sums, ofUniform] = await source.ask([
    { ask: 'sums', terms: asked, by: today.ways[0]! },
    { ask: 'sums', terms: termsOf([UNIFORM, LOGGED]), by: today.ways },
  ])
  if (isLacking(sums)) return sums
  if (isLacking(ofUniform)) return ofUniform
  const uniform = uniformOf(ofUniform)
  if (!uniform || !Number.isFinite(sums.total(terms.at(-1)!.ofWeight)))
    return { lacking: `${source.about.engine} does not return the propensities of rows` }
  return {
    items,
    uniformValue: uniform.value,
    unsupportedMass: isLacking(unsupportedMass) ? null : unsupportedMass,
    points: rising.map((epsilon, k) => pointAt(epsilon, today, sums, [terms[0]!, terms[k]!], uniform)),
  }
}

interface TermsAt {
  readonly ofWeight: Term
  readonly ofRatio: Term
  readonly ofValue: Term
  readonly ofDifference: Term | null
}

function termsAt(epsilon: number, items: number, { estimator, value, baseline }: Today): TermsAt {
  const shrunk = shrinkage(epsilon, items)
  const seen: Seen = { estimator, moments: value.moments, weight: row.w }
  return {
    ofWeight: squaredWeight(shrunk),
    ofRatio: likelihoodRatio(shrunk),
    ofValue: rowVariance(shrunk, seen),
    ofDifference:
      baseline && rowVariance(shrunk, seen, { estimator, moments: baseline.moments, weight: number(1) }),
  }
}

/** A uniform policy by SNIPS, and by how much it earns less than the logging policy. */
interface Uniform {
  readonly value: number
  readonly loss: number
  readonly lossSe: number | null
}

/** 1/K of the weight (1/K)/b cancels. */
const UNIFORM = { ratios: [{ numerator: term(over(row.r, row.b)), denominator: term(over(1, row.b)) }] }
const LOGGED = { ratios: [{ numerator: reward, denominator: one }] }

function uniformOf(moments: Moments): Uniform | undefined {
  const value = valueOf(UNIFORM, moments)
  if (value === undefined) return undefined
  const paired = differenceOf(influencesOf(LOGGED, moments), influencesOf(UNIFORM, moments))
  return { value, loss: valueOf(LOGGED, moments)! - value, lossSe: (paired && spreadOf(paired)) ?? null }
}

/** What changes where a logger explores: from the sums of terms for today's logger, and for the one that explores. */
function pointAt(
  epsilon: number,
  { size, value, baseline, goals }: Today,
  sums: Moments,
  [now, explored]: readonly [now: TermsAt, explored: TermsAt],
  uniform: Uniform,
): ExplorationPoint {
  const count = sums.total(one)
  const essRatio = sums.total(weight) ** 2 / (sums.total(explored.ofRatio) * sums.total(explored.ofWeight))
  const seOfValue = errorUnder(value.se, sums.total(now.ofValue), sums.total(explored.ofValue))
  const seOfDifference =
    baseline && errorUnder(baseline.se, sums.total(now.ofDifference!), sums.total(explored.ofDifference!))
  return {
    epsilon,
    ess: essRatio * count,
    essRatio,
    seOfValue,
    seOfDifference,
    moreRows: goals.map(({ kind, needed }) => {
      const [se, was] = kind === 'width-of-value' ? [seOfValue, value.se] : [seOfDifference, baseline?.se]
      // Errors of independent rows combine by their inverse squares: a row counts by how much it is told.
      return needed && se !== null && was !== undefined
        ? Math.ceil((needed.factor - 1) * size.rows * (se / was) ** 2 * (1 - 1e-9))
        : null
    }),
    // + 0, so that no loss is never −0.
    cost: epsilon * uniform.loss + 0,
    costSe: uniform.lossSe === null ? null : epsilon * uniform.lossSe,
  }
}

/** Chance may make covariances of rows negative: an error is at least half that of independent rows. */
const LEAST_PART = 0.25

/** The error of an estimate under another logger: what single rows add to V changes, the rest of it stays. */
const errorUnder = (se: number, now: number, then: number): number =>
  Math.sqrt(Math.max(se * se - now + then, LEAST_PART * then))

/** g = b/b′ with b′ = (1 − ε) b + ε/K: by how much a logger that explores more shrinks the weight of a row. */
const shrinkage = (epsilon: number, items: number): Expression =>
  epsilon === 0 ? number(1) : over(row.b, plus(times(1 - epsilon, row.b), epsilon / items))

/** An estimate in today's rows: its estimator, its sums, and what stands for the weight w of a row, such as 1 for the logging policy. */
interface Seen {
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
function rowVariance(shrunk: Expression, seen: Seen, baseline?: Seen): Term {
  const phi = baseline ? minus(influence(seen, shrunk), influence(baseline, shrunk)) : influence(seen, shrunk)
  return term(over(times(phi, phi), shrunk))
}

/**
 * The terms of the effective sample size under b′, whose share of the rows is E_b′[w′]²/E_b′[w′²] =
 * S[w]²/(S[1/g] S[g w²]): the expectations under b′ are divided by the sum of b′/b = 1/g, so that it is never above 1.
 */
const squaredWeight = (shrunk: Expression): Term => term(times(shrunk, times(row.w, row.w)))
const likelihoodRatio = (shrunk: Expression): Term => term(over(1, shrunk))
