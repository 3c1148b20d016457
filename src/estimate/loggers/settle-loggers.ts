import { advice, set } from '../../advice.js'
import { HindcastError } from '../../error.js'
import { orderOfIds } from '../../log/ids.js'
import { formatCount } from '../../number-text.js'
import { row, times, when } from '../../sql/expression.js'
import { studentCdf } from '../../student.js'
import { compensatedTotal } from '../../sum.js'
import { valueOf } from '../estimator.js'
import { snips } from '../estimators/importance.js'
import type { LoggerValue, LoggersCounted } from '../evaluation.js'
import type { ClusterColumn, CrossedMoments, Moments } from '../source/moments.js'
import { type Influences, differenceOf, fewestDegreesOfFreedom, influencesOf, spreadOf } from '../spread.js'
import {
  type Asking,
  type Known,
  type LoggerWeighing,
  type MarkedLoggers,
  type SumSource,
  factsOf,
  required,
} from '../source/source.js'
import {
  one,
  type Term,
  term,
  weight,
  weightedReward,
  weightedRewardSquared,
  weightSquared,
} from '../term.js'
import type { Complaint } from '../verdict.js'

import { MOST_LOGGERS } from './loggers-choice.js'

/** A log of several loggers as estimates shall see it. */
export interface SettledLoggers {
  /** How the source is asked from here on. */
  readonly how: Asking
  readonly counted: LoggersCounted
  readonly loggers: readonly LoggerValue[]
  /** The largest factor by which a weight was multiplied. */
  readonly largestFactor: number
  readonly complaints: readonly Complaint[]
}

/** Shares that were settled beforehand: n_j/n for `rows`, else by the names of the loggers. */
export type SharesGiven = 'rows' | ReadonlyMap<string, number>

/** What settles how loggers count. */
interface Settling {
  readonly ways: readonly ClusterColumn[]
  /** False where the target is the logging policy, whose value is the logged mean. */
  readonly usesPropensities: boolean
  readonly shares?: SharesGiven
}

/**
 * How the rows of several loggers count. With the probabilities of all loggers, weights are balanced, w = π/Σ_j (n_j/n) b_j;
 * else those of logger j are multiplied by c_j = α_j n/n_j, V = Σ_j α_j V_j. Where the loggers' own answers differ beyond
 * chance they do not measure the same thing: every row then counts alike, and the verdict is no better than caution.
 */
export async function settleLoggers(
  source: SumSource,
  marked: MarkedLoggers,
  { ways, usesPropensities, shares: given }: Settling,
): Promise<SettledLoggers> {
  const sums = await sumsByLogger(source, marked)
  const names = sums.map(({ name }) => name)
  const pooled = rowShares(sums)
  const byFactors = ({ factors }: Shares): LoggerWeighing => ({ kind: 'strata', names, factors })
  const isAlone = sums.length === 1 || !usesPropensities
  const strata = isAlone ? pooled : sharesOf(sums)
  const { terms, spread } = loggerTerms(sums.length)
  const asked = { ask: 'sums', terms, inCells: spread, by: ways } as const
  const moments = known((await source.ask([asked], { weighing: byFactors(strata) }))[0], source)
  const valued = sums.map((logger, place) => ({
    ...valueOfLogger(moments, place),
    name: logger.name,
    rows: logger.rows,
    ess: logger.squares > 0 ? logger.weight ** 2 / logger.squares : null,
  }))
  const settled = (counted: LoggersCounted, by: Shares, weighing = byFactors(by)): SettledLoggers => ({
    how: { weighing },
    counted,
    largestFactor: Math.max(...by.factors),
    loggers: valued.map((logger, j) => ({ ...logger, share: by.shares[j]! })),
    complaints: [],
  })
  if (isAlone) return settled('rows', pooled)
  const balanced: LoggerWeighing | undefined = marked.areProbabilitiesKnown
    ? { kind: 'balanced', names, shares: pooled.shares }
    : undefined
  const further = balanced ? await balancedTest(source, [balanced, byFactors(pooled)], ways) : []
  const disagreement = disagreementOf(moments, valued, further)
  if (disagreement) return { ...settled('rows', pooled), complaints: [complaintAbout(disagreement)] }
  if (balanced) return settled('balanced', pooled, balanced)
  if (given === 'rows') return settled('rows', pooled)
  if (!given) return settled('strata', strata)
  const asGiven = sharesAs(
    sums,
    names.map((name) => given.get(name) ?? 0),
  )
  return settled('strata', asGiven)
}

/** Compares balanced weights with those of each row's own logger. */
async function balancedTest(
  source: SumSource,
  [balanced, own]: readonly [LoggerWeighing, LoggerWeighing],
  ways: readonly ClusterColumn[],
): Promise<ReturnType<typeof balancedAgainstOwn>> {
  const asked = { ask: 'sums', terms: [weightedReward, weight], by: ways } as const
  const weighed = async (weighing: LoggerWeighing): Promise<Moments> =>
    known((await source.ask([asked], { weighing }))[0], source)
  return balancedAgainstOwn(await weighed(balanced), await weighed(own))
}

/** n_j, Σw and Σw² of each logger, in the order of their names. */
async function sumsByLogger(source: SumSource, { column }: MarkedLoggers): Promise<LoggerSums[]> {
  const asked = { ask: 'sums', terms: [one, weight, weightSquared], by: `column:${column}` } as const
  const moments = known((await source.ask([asked]))[0], source)
  const { ids } = moments
  if (!ids || ids.length > MOST_LOGGERS)
    throw new HindcastError(
      'bad-option',
      `The column ${JSON.stringify(column)} has ${ids ? formatCount(ids.length) : 'thousands of'} different values: at most ${MOST_LOGGERS} loggers can be told apart.`,
      { remedy: advice`Name a column that says which policy drew each row: ${set('loggers')}.` },
    )
  return Array.from(orderOfIds(ids), (place) => ({
    name: ids[place]!,
    rows: moments.sums(one)[place]!,
    weight: moments.sums(weight)[place]!,
    squares: moments.sums(weightSquared)[place]!,
  }))
}

const known = <Fact>(fact: Known<Fact>, source: SumSource): Fact => required(fact, source, 'sum by logger')

/**
 * The shares with which several targets are compared: the same for all, so that what moved all loggers' rewards on a day
 * cancels. What the loggers themselves earned is an average over rows, so beside the logging policy every row counts alike.
 */
export async function commonShares(sources: readonly SumSource[]): Promise<SharesGiven | undefined> {
  const marked = sources.flatMap((source) =>
    source.about.loggers?.areProbabilitiesKnown === false ? [{ source, loggers: source.about.loggers }] : [],
  )
  if (marked.length < sources.length) return undefined
  const sums: LoggerSums[][] = []
  for (const { source, loggers } of marked) {
    if (!(await factsOf(source)).usesPropensities) return 'rows'
    sums.push(await sumsByLogger(source, loggers))
  }
  const { shares } = sharesOfAll(sums)
  return new Map(sums[0]!.map(({ name }, j) => [name, shares[j]!]))
}

const rounded = (value: number): string => String(Number(value.toPrecision(3)))

/** Loggers whose answers chance does not reconcile. */
function complaintAbout({ name, value, others, errors }: Disagreement): Complaint {
  const who =
    name === null
      ? `Balanced weights give ${rounded(value)}, those of each row’s own logger ${rounded(others)}`
      : `The logger ${name === '' ? 'without a name' : name} gives ${rounded(value)}, the others ${rounded(others)}`
  return {
    level: 'caution',
    code: 'loggers-disagree',
    message: `${who}, ${errors.toFixed(1)} standard errors apart: they ran at different times or for different users, or some propensities are wrong. So every row counts alike, whichever logger drew it.`,
    value: value - others,
  }
}

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

/** What the weights of one logger's rows add up to. */
export interface LoggerSums {
  readonly name: string
  /** n_j, rows by how many impressions they stand for. */
  readonly rows: number
  /** Σ w over its rows. */
  readonly weight: number
  /** Σ w² over its rows. */
  readonly squares: number
}

/** By how much the answer of each logger counts, Σ α_j = 1, and what weights are multiplied by for that: c_j = α_j n/n_j. */
export interface Shares {
  readonly shares: readonly number[]
  readonly factors: readonly number[]
}

const total = (values: readonly number[]): number => compensatedTotal(Float64Array.from(values))

/** α_j = n_j/n: every row counts alike. */
export function rowShares(loggers: readonly LoggerSums[]): Shares {
  const n = total(loggers.map(({ rows }) => rows))
  return { shares: loggers.map(({ rows }) => rows / n), factors: loggers.map(() => 1) }
}

/** Weights c_j w for given shares. */
export function sharesAs(loggers: readonly LoggerSums[], shares: readonly number[]): Shares {
  const n = total(loggers.map(({ rows }) => rows))
  return { shares, factors: loggers.map(({ rows }, j) => (shares[j]! * n) / rows) }
}

/**
 * The shares with the least Σ (c_j w)², those of the largest effective sample: α_j ∝ n_j/mean_j(w²). They follow from the
 * weights alone, so that no luck of the outcome chooses them. A logger whose rows have no weight at all has no share. Where
 * weights average so far from 1 that the effective sample would shrink, every row counts alike.
 */
export function sharesOf(loggers: readonly LoggerSums[]): Shares {
  const parts = loggers.map(({ rows, squares }) => (squares > 0 ? rows * (rows / squares) : 0))
  const sum = total(parts)
  const pooled = rowShares(loggers)
  if (!(sum > 0 && sum < Infinity)) return pooled
  const strata = sharesAs(
    loggers,
    parts.map((part) => part / sum),
  )
  return essOf(loggers, strata.factors) < essOf(loggers, pooled.factors) ? pooled : strata
}

/** (Σ c w)²/Σ (c w)², the effective sample where the weights of each logger are multiplied by c. */
export function essOf(loggers: readonly LoggerSums[], factors: readonly number[]): number {
  const sum = total(loggers.map(({ weight }, j) => factors[j]! * weight))
  const squares = total(loggers.map(({ squares: own }, j) => factors[j]! ** 2 * own))
  return sum ** 2 / squares
}

/** One set of shares for several targets: the same loggers with the sums of each target, Σ w² added up over the targets. */
export const sharesOfAll = (targets: readonly (readonly LoggerSums[])[]): Shares =>
  sharesOf(
    targets[0]!.map((logger, j) => ({
      ...logger,
      weight: total(targets.map((sums) => sums[j]!.weight)),
      squares: total(targets.map((sums) => sums[j]!.squares)),
    })),
  )
