import { row, times, when } from '../../sql/expression.js'
import { studentCdf } from '../../student.js'
import { valueOf } from '../estimator.js'
import type { LoggerValue } from '../evaluation.js'
import { snips } from '../estimators/snips.js'
import type { CrossedMoments, Moments } from '../source/moments.js'
import { differenceOf, fewestDegreesOfFreedom, type Influences, influencesOf, spreadOf } from '../spread.js'
import { type Term, term, weight, weightedReward, weightedRewardSquared, weightSquared } from '../term.js'

/** Two answers about the same target that chance does not reconcile. */
export interface Disagreement {
  /** The logger that differs from the others; null where balanced weights differ from those of single loggers. */
  readonly name: string | null
  readonly value: number
  readonly others: number
  /** By how many standard errors. */
  readonly errors: number
}

/** SNIPS over the rows of one logger. */
const ofLogger = (place: number): { readonly rewards: Term; readonly weights: Term } => ({
  rewards: term(when(row.l, '=', place, times(row.w, row.r), 0)),
  weights: term(when(row.l, '=', place, row.w, 0)),
})

/** The sums that values and disagreements of so many loggers need: those that their spread is made of, and all. */
export function loggerTerms(count: number): { readonly spread: Term[]; readonly terms: Term[] } {
  const own = Array.from({ length: count }, (_, place) => Object.values(ofLogger(place))).flat()
  const spread = [weightedReward, weight, ...own]
  return { spread, terms: [...spread, weightSquared, weightedRewardSquared] }
}

/** The value of each logger by itself, and its standard error. */
export function valueOfLogger(moments: Moments, place: number): Pick<LoggerValue, 'value' | 'se'> {
  const { rewards, weights } = ofLogger(place)
  const estimator = { ratios: [{ numerator: rewards, denominator: weights }] }
  const value = valueOf(estimator, moments) ?? null
  const se = value === null ? 0 : (spreadOf(influencesOf(estimator, moments)) ?? 0)
  // Rows that all earned the same do not tell how much others would have differed.
  return { value, se: se > 0 ? se : null }
}

/** A logger is compared with the others where both can expect so many effective clicks: with fewer, errors are no yardstick. */
const FEWEST_CLICKS = 20
/** The probability with which sound loggers are said to disagree, over all that are compared. */
const LEVEL = 0.005

/** A difference that may be chance. */
interface Tested extends Disagreement {
  readonly pValue: number
}

/**
 * Where loggers differ beyond chance: each against all others, by the influences of the same clusters, since users may
 * appear under several loggers; by Student's t with the effective degrees of freedom of the difference, and Bonferroni
 * over the loggers. The gravest; undefined where there is none.
 */
export function disagreementOf(
  moments: Moments,
  loggers: readonly { readonly name: string; readonly ess: number | null }[],
  further: readonly Tested[] = [],
): Disagreement | undefined {
  const clicksPerRow = effectiveClickRate(moments)
  const all = loggers.reduce((sum, { ess }) => sum + (ess ?? 0), 0)
  const isTestable = ({ ess }: { readonly ess: number | null }): boolean =>
    ess !== null && Math.min(ess, all - ess) * clicksPerRow >= FEWEST_CLICKS
  const places = loggers.flatMap((logger, place) => (isTestable(logger) ? [place] : []))
  // Of two loggers either differs from the other: that is one comparison.
  const compared = loggers.length === 2 ? places.slice(0, 1) : places
  const tested = [
    ...compared.flatMap((place) => againstOthers(moments, place, loggers[place]!.name)),
    ...further,
  ]
  const least = Math.min(LEVEL, ...tested.map(({ pValue }) => pValue * tested.length))
  return tested.find(({ pValue }) => pValue * tested.length === least && least < LEVEL)
}

/** Effective clicks per effective row. */
function effectiveClickRate(moments: Moments): number {
  const clicks = moments.total(weightedReward) ** 2 / moments.total(weightedRewardSquared)
  return clicks / (moments.total(weight) ** 2 / moments.total(weightSquared)) || 0
}

function againstOthers(moments: Moments, place: number, name: string): Tested[] {
  const { rewards, weights } = ofLogger(place)
  const [own, ownWeight] = [moments.total(rewards), moments.total(weights)]
  const [rest, restWeight] = [moments.total(weightedReward) - own, moments.total(weight) - ownWeight]
  const [value, others] = [own / ownWeight, rest / restWeight]
  const parts: readonly CrossedMoments[] = [{ sign: 1, moments }, ...moments.crossed]
  const influences = parts.map(({ sign, moments: part }) => {
    const [wr, w] = [part.sums(weightedReward), part.sums(weight)]
    const [wrOwn, wOwn] = [part.sums(rewards), part.sums(weights)]
    const influence = wr.map((all, g) => {
      const ofOthers = all - wrOwn[g]! - others * (w[g]! - wOwn[g]!)
      return (wrOwn[g]! - value * wOwn[g]!) / ownWeight - ofOthers / restWeight
    })
    return { sign, influence }
  })
  return tested(influences, { name, value, others })
}

/** Whether balanced weights and those of each row's own logger give the same: they do not where loggers met other users or other days. */
export function balancedAgainstOwn(balanced: Moments, own: Moments): Tested[] {
  const [value, others] = [valueOf(snips, balanced), valueOf(snips, own)]
  const influences =
    value === undefined || others === undefined
      ? undefined
      : differenceOf(influencesOf(snips, balanced), influencesOf(snips, own))
  return influences ? tested(influences, { name: null, value: value!, others: others! }) : []
}

function tested(influences: Influences, said: Omit<Disagreement, 'errors'>): Tested[] {
  const error = spreadOf(influences)
  if (error === undefined || !(error > 0)) return []
  const errors = Math.abs(said.value - said.others) / error
  const pValue = 2 * (1 - studentCdf(errors, fewestDegreesOfFreedom(influences)))
  return Number.isNaN(pValue) ? [] : [{ ...said, errors, pValue }]
}
