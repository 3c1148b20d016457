import { withinSentence } from '../listed.js'
import { type Judged, judgeOutcomes } from '../verdict/judge.js'
import type { Outcomes } from '../verdict/examine.js'
import { type VerdictOptions, accepted } from '../verdict/said.js'
import type { QuestionAnswer, Verdict } from '../verdict/verdict.js'
import { type LackingFact, meanZ } from './diagnostics.js'
import { type Estimator, valueOf } from './estimator.js'
import { ips } from './estimators/importance.js'
import type { Diagnostics, Estimate, PlainEstimate } from './evaluation.js'
import { type IntervalOptions, intervalFor } from './intervals/index.js'
import { type Overlap, overlapReasons } from './overlap.js'
import { type Chosen, unchangedOf } from './requests.js'
import { firstSlot, iips, pi, rips } from './slate/page-estimators.js'
import { pageComplaints } from './slate/settled-pages.js'
import type { SettledPropensities } from './slate/slate-propensities.js'
import { slates } from './slate/slate-term.js'
import type { ClusterColumn, Moments } from './source/moments.js'
import { type Facts, type Known, type Seen, type Tail, isLacking } from './source/source.js'
import { type Influences, differenceOf, influencesOf, spreadOf } from './spread.js'
import { type Term, weight, weightedReward } from './term.js'
import { type Complaint, coverage, verdictFrom } from './verdict.js'

/** An estimate without its verdict, and what the verdict looks at. */
export interface Computed extends Chosen {
  readonly estimate: PlainEstimate
  readonly moments?: Moments
  readonly influences?: Influences
}

/** The estimate of one estimator, with its interval, or why there is none. */
export function computeEstimate(chosen: Chosen, moments: Known<Moments>, options: IntervalOptions): Computed {
  const { estimator, chosenBy } = chosen
  const { lambda } = estimator
  const named = {
    estimator: estimator.name,
    ...(estimator.rows === 'slates' && { unit: 'page' as const }),
    ...(lambda !== undefined && { lambda: { value: Number.isFinite(lambda) ? lambda : null, chosenBy } }),
  }
  const none = (reason: string): Computed => ({
    ...chosen,
    estimate: { ...named, value: null, se: null, interval: null, method: 'none', reason },
  })
  if (isLacking(moments)) return none(moments.lacking)
  const value = valueOf(estimator, moments)
  if (value === undefined) {
    const hasWeight = estimator.ratios.every(({ denominator }) => moments.total(denominator) > 0)
    return none(
      hasWeight ? 'it needs a reward model, and none is given' : 'no row has any weight under the target',
    )
  }
  const influences = influencesOf(estimator, moments)
  // Rewards of a page add up to more than one of them may be.
  const { rewardRange, ...others } = options
  const settings = estimator.rows === 'slates' || !rewardRange ? others : options
  return {
    ...chosen,
    moments,
    influences,
    estimate: {
      ...named,
      value,
      se: spreadOf(influences) ?? null,
      ...intervalFor(estimator, moments, settings),
    },
  }
}

/** What the verdicts of all estimates of a log and a target look at. */
interface Judging {
  readonly facts: Facts
  readonly diagnostics: Diagnostics
  readonly lacking: readonly LackingFact[]
  readonly ways: readonly ClusterColumn[]
  /** What the propensities of pages are taken for, in a log that has some. */
  readonly settled: SettledPropensities | null
  /** Why estimates of pages that were asked for have no sums. */
  readonly withoutPages: string | undefined
  /** What checks made of the rows. */
  readonly outcomes: Outcomes
  /** What else is said of every estimate. */
  readonly further: readonly Complaint[]
  readonly known: readonly QuestionAnswer[]
  /** What totals that are known say against one of them. */
  readonly totals: (answer: Judged | undefined) => readonly Complaint[]
  /** The sums over rows with weights, those of SNIPS among them. */
  readonly plain: Moments
  readonly options: VerdictOptions
  readonly seen: Seen
}

/** The estimates, each with its verdict. On a refused answer no interval of a tuned λ is offered: it would look sure of itself. */
export async function judgeEstimates(computed: readonly Computed[], judging: Judging): Promise<Estimate[]> {
  const byOwnWeights = computed.filter(
    ({ estimator, estimate, tuned, moments }) =>
      moments && estimate.value !== null && !estimator.takesModelAsTrue && !areRowWeights(estimator, tuned),
  )
  const tails = await judging.seen.ask(
    byOwnWeights.map(({ estimator: { judged, rows } }) => ({ ask: 'largest', term: judged!.weight, rows })),
  )
  return computed.map((one) => {
    const tail = tails[byOwnWeights.indexOf(one)]
    return withoutSureness({ ...one.estimate, verdict: verdictOn(one, tail, judging) })
  })
}

/** Whether an estimate weighs rows by w, or by what becomes of it where it is shrunk. */
const areRowWeights = ({ judged }: Estimator, tuned: Chosen['tuned']): boolean =>
  judged === undefined || judged.weight.name === weight.name || tuned !== undefined

/** The verdict on an estimate; `tail` has the largest of its own weights, where it has some. */
function verdictOn(one: Computed, tail: Known<Tail> | undefined, judging: Judging): Verdict {
  const { further, known, settled, withoutPages, lacking, options } = judging
  const { value, interval, reason } = one.estimate
  const judged = value === null || interval === null ? undefined : judgedBy(one, judging)
  const weighed = (complaints: readonly Complaint[]): Complaint[] =>
    complaints.map((complaint) => accepted(complaint, options.accept ?? {}))
  const always = weighed([
    ...further,
    ...lacking.map(notComputed),
    ...(tail && isLacking(tail)
      ? [notComputed({ what: TOP_SHARE[unitOfWeights(one)], why: tail.lacking })]
      : []),
    ...(settled ? pageComplaints(one.estimator, settled, withoutPages) : []),
    ...judging.totals(judged),
  ])
  if (!judged || !one.moments || !one.influences)
    return verdictFrom([noAnswer(reason ?? 'its interval cannot be computed'), ...always], known)
  if (one.estimator.takesModelAsTrue) return verdictFrom([...weighed([modelTakenAsTrue]), ...always], known)
  const { reasons, questions, hull } = judgeOutcomes(judging.outcomes, judged)
  const overlap = weighed(overlapReasons(overlapOf(one, tail, judging)))
  // What is known of the mass that the log does not show need not be concluded from weights.
  const isUnseenKnown = overlap.some(({ code }) => code === 'unsupported')
  const verdict = verdictFrom(
    [
      ...overlap,
      ...reasons.filter(({ code }) => !(isUnseenKnown && code === 'unseen-mass')),
      ...weighed(biasReasons(one)),
      ...always,
    ],
    [...known, ...questions, ...coverage(judging.diagnostics, unitOf(judging.ways[0]!))],
  )
  const shifts = [...overlap, ...always].flatMap((complaint) => shiftsOf(complaint, options))
  const widest = withShifts(judged.interval, shifts, hull)
  return widest ? { ...verdict, hull: widest } : verdict
}

/** By how much an answer would move: what the log never shows may earn less or more, all else moves it one way. */
export function shiftsOf({ code, shift }: Complaint, { accept = {} }: VerdictOptions): number[] {
  if (!shift || code in accept) return []
  return code === 'unsupported' ? [-shift, shift] : [shift]
}

/** The interval together with those that shifts move it to, and with a hull of others; undefined where nothing moves it. */
export function withShifts(
  [low, high]: readonly [number, number],
  shifts: readonly number[],
  hull: readonly [number, number] = [low, high],
): readonly [number, number] | undefined {
  const lowest = Math.min(hull[0], ...shifts.map((shift) => low + shift))
  const highest = Math.max(hull[1], ...shifts.map((shift) => high + shift))
  return lowest < low || highest > high ? [lowest, highest] : undefined
}

/** Pages add up the rewards of their rows: what moves the mean reward of rows moves theirs in proportion. */
export function scaleOf({ unit, value }: Pick<PlainEstimate, 'unit' | 'value'>, plain: Moments): number {
  const ofRows = plain.total(weightedReward) / plain.total(weight)
  return unit === 'page' && ofRows !== 0 ? value! / ofRows : 1
}

/** The margin that faults are held against. */
function judgedBy({ estimate }: Computed, { plain, options }: Judging): Judged {
  const value = estimate.value!
  return {
    value,
    interval: estimate.interval!,
    noun: 'the answer',
    scale: scaleOf(estimate, plain),
    matters: Math.abs(value) * (options.matters ?? 0),
    accept: options.accept ?? {},
    clusters: plain.clusters,
  }
}

const unitOf = (way: ClusterColumn): string => (way.startsWith('column') ? 'cluster' : way)

function withoutSureness(estimate: Estimate): Estimate {
  if (estimate.verdict.level !== 'refuse' || !isTunedByData(estimate) || !estimate.interval) return estimate
  return { ...estimate, interval: null, reason: NO_TUNED_INTERVAL }
}

/** How well the log covers what an estimate is about. */
function overlapOf(one: Computed, tail: Known<Tail> | undefined, judging: Judging): Overlap {
  const { estimator, estimate, moments } = one
  const { diagnostics, options } = judging
  const value = estimate.value!
  return {
    unsupportedMass: diagnostics.unsupportedMass,
    ...(estimator.rows === 'slates' ? averageOfPages(estimator, moments!) : averageOfRows(diagnostics)),
    isPlain: PLAIN.has(estimator.name),
    topShare: tail ? topShareOf(estimator, tail, moments!) : diagnostics.topShare,
    unit: unitOfWeights(one),
    value,
    margin: Math.max(halfOf(estimate), Math.abs(value) * (options.matters ?? 0)),
  }
}

/** Estimators that are means of weighted rewards, in proportion to the weights. */
const PLAIN: ReadonlySet<string> = new Set([ips.name, iips.name, pi.name, rips.name])

type Average = Pick<Overlap, 'weights' | 'meanWeight' | 'meanWeightZ'>

const averageOfRows = ({ meanWeight, meanWeightZ }: Diagnostics): Average => ({
  weights: 'weights',
  meanWeight,
  meanWeightZ,
})

/** The mean weight of pages, or of their first slots where that is surely not 1: it varies less. */
function averageOfPages({ judged }: Estimator, moments: Moments): Average {
  const average = (weights: string, term: Term): Average => ({
    weights,
    meanWeight: moments.total(term) / moments.total(slates),
    meanWeightZ: meanZ(moments, term, slates),
  })
  const [first, whole] = [
    average('weights of first slots', firstSlot),
    average('weights of pages', judged!.weight),
  ]
  return Math.abs(first.meanWeightZ ?? 0) > Math.abs(whole.meanWeightZ ?? 0) ? first : whole
}

const halfOf = ({ interval }: Pick<PlainEstimate, 'interval'>): number => (interval![1] - interval![0]) / 2

/** The share of the largest of an estimator's own weights. */
const topShareOf = ({ judged }: Estimator, tail: Known<Tail>, moments: Moments): number | null =>
  isLacking(tail) ? null : (tail.largest.at(-1) ?? 0) / Math.abs(moments.total(judged!.weight))

/** What has a weight. */
const unitOfWeights = ({ estimator }: Computed): 'page' | 'row' =>
  estimator.rows === 'slates' ? 'page' : 'row'

const TOP_SHARE = { row: 'the share of the heaviest row', page: 'the share of the heaviest page' } as const

/** More of the half-width than this must not be bias: beyond, a 95 % interval no longer covers 93 %. */
const MOST_BIAS = 0.2

/** What shrinking weights, or choosing by how much from the data, may have done. */
function biasReasons({ estimator, estimate, tuned, chosenBy, moments }: Computed): Complaint[] {
  const unchanged = tuned ? unchangedOf(tuned) : estimator.unbiased
  const bias = unchanged && shrinkingBiasOf(estimator, unchanged, moments!)
  const most = bias ? Math.abs(bias.difference) + bias.se : 0
  const reasons: Complaint[] = []
  if (bias && most > MOST_BIAS * halfOf(estimate))
    reasons.push({
      level: 'caution',
      code: 'shrinking-bias',
      message: `Its weights may have moved the answer by up to ${Number(most.toPrecision(2))} from that of ${bias.than}, which no interval accounts for.`,
      value: bias.difference,
    })
  if (tuned && chosenBy !== 'user' && tuned.tuning.coversWhenTuned !== true) reasons.push(lambdaFromData)
  return reasons
}

const lambdaFromData: Complaint = {
  level: 'caution',
  code: 'lambda-from-data',
  message: 'Its λ was chosen from the same rewards, and its interval does not account for that choice.',
  value: null,
}

const modelTakenAsTrue: Complaint = {
  level: 'caution',
  code: 'model-taken-as-true',
  message: 'This is what a reward model predicts, and its interval assumes that the model is right.',
  value: null,
}

/** No value, or none with an interval: no answer. */
const noAnswer = (reason: string): Complaint => ({
  level: 'refuse',
  code: 'no-answer',
  message: `No estimate has an interval: ${withinSentence(reason.replace(/\.$/, ''))}.`,
  value: null,
})

/** A fact that the source did not compute is not taken for a good one. */
const notComputed = ({ what, why, question }: LackingFact): Complaint => ({
  level: 'caution',
  code: 'not-computed',
  question,
  message: `Not computed: ${what}, because ${why}.`,
  value: null,
})

/** How far shrinking weights moved an estimate from the one that leaves them as they are, and the error of that. */
export interface ShrinkingBias {
  /** As charts call the estimator that leaves weights as they are: IPS, DR. */
  readonly than: string
  readonly difference: number
  /** Its paired standard error: what moves both alike cancels. */
  readonly se: number
}

/**
 * The bias of weights w′ in place of w, E[(w′ − w)(r − q)], as the paired difference to the estimator with weights as they are.
 * Undefined where no weight changes, or an estimate has no value. The sums of both must be there.
 */
export function shrinkingBiasOf(
  shrunken: Estimator,
  unchanged: Estimator,
  moments: Moments,
): ShrinkingBias | undefined {
  const [value, reference] = [valueOf(shrunken, moments), valueOf(unchanged, moments)]
  if (value === undefined || reference === undefined) return undefined
  const se = spreadOf(differenceOf(influencesOf(shrunken, moments), influencesOf(unchanged, moments))!)
  if (se === undefined || (value === reference && se === 0)) return undefined
  return { than: unchanged.label, difference: value - reference, se }
}

/** Whether the λ of an estimate was chosen from the data. */
export const isTunedByData = ({ lambda }: Pick<PlainEstimate, 'lambda'>): boolean =>
  lambda !== undefined && lambda.chosenBy !== 'user'

/** Why a refused answer has no interval around a tuned λ: it would look sure of itself. */
export const NO_TUNED_INTERVAL =
  'the log gives no answer about this target, and an interval around a tuned λ would hide that'
