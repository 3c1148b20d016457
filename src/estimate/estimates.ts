import type { Finding } from '../doctor/finding.js'
import { studentQuantile } from '../student.js'
import { type LackingFact, meanZ } from './diagnostics.js'
import { complaintsAbout, type EstimateContext } from './estimate-complaints.js'
import { type Estimator, valueOf } from './estimator.js'
import { snips } from './estimators/snips.js'
import type { Diagnostics, Estimate, PlainEstimate } from './evaluation.js'
import { type IntervalOptions, intervalFor } from './intervals/index.js'
import type { Bounds } from './intervals/interval.js'
import { type Judgement, judgementOf } from './judgement.js'
import { complaintsAboutLog, type LogContext, type MeanWeight, rowWeights } from './log-complaints.js'
import { paretoKOfLargest } from './pareto.js'
import { type Chosen, unchangedOf } from './requests.js'
import { pageComplaints } from './slate/page-complaints.js'
import { firstSlot } from './slate/page-weight.js'
import type { SettledPropensities } from './slate/slate-propensities.js'
import { slates } from './slate/slate-term.js'
import { serialDays } from './serial-days.js'
import { shrinkingBiasOf } from './shrinking-bias.js'
import type { ClusterColumn, Moments } from './source/moments.js'
import { type Facts, isLacking, type Known, type SumSource } from './source/source.js'
import { differenceOf, fewestDegreesOfFreedom, type Influences, influencesOf, spreadOf } from './spread.js'
import { type Term, weight } from './term.js'
import { isTunedByData, NO_TUNED_INTERVAL } from './tuned-interval.js'
import { type Complaint, disagreement, praiseOf, verdictFrom } from './verdict.js'

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
  readonly source: SumSource
  readonly facts: Facts
  readonly diagnostics: Diagnostics
  readonly lacking: readonly LackingFact[]
  readonly ways: readonly ClusterColumn[]
  /** The range of rewards, where it is known before the log is seen. */
  readonly rewardRange: Bounds | undefined
  /** What the propensities of pages are taken for, in a log that has some. */
  readonly settled: SettledPropensities | null
  /** What checks of the rows found, or why there were none. */
  readonly found: Known<readonly Finding[]>
  /** What else speaks against every estimate. */
  readonly further: readonly Complaint[]
  /** The sums over rows with weights, those of SNIPS among them. */
  readonly plain: Moments
}

/** The estimates, each with its verdict. On a refused answer no interval of a tuned λ is offered: it would look sure of itself. */
export async function judgeEstimates(computed: readonly Computed[], judging: Judging): Promise<Estimate[]> {
  const { diagnostics, ways } = judging
  const unit = unitOf(ways[0]!)
  const ofLog = logContext(judging, unit)
  const estimates: Estimate[] = []
  for (const one of computed) {
    const context = await contextOf(one, judging)
    const complaints = [
      ...complaintsAbout(context, diagnostics, unit),
      ...complaintsAboutLog(diagnostics, ofLog, meanWeightsOf(one, judging)),
      ...(one.moments && one.influences ? serialDays(one.moments, one.influences) : []),
      ...(judging.settled ? pageComplaints(one.estimator, judging.settled) : []),
      ...disagreements(one, computed, judging.plain),
    ]
    const heaviest = context.usesWeights ? diagnostics.topShare : context.topShare
    const praise = context.judgement
      ? praiseOf(context.judgement, { unit: context.unit, topShare: heaviest }, unit)
      : []
    const verdict = verdictFrom(complaints, praise)
    estimates.push({ ...one.estimate, verdict })
  }
  return estimates.map(withoutSureness)
}

/** The weights that an estimate goes by: of rows, or of pages and of their first slots, whose mean is the surer one. */
function meanWeightsOf(
  { estimator, moments }: Computed,
  { diagnostics, settled }: Judging,
): readonly MeanWeight[] {
  if (estimator.rows !== 'slates' || !estimator.judged) {
    const isOfPages = settled?.propensities === 'conditional' && !settled.isBoth
    const otherwise = settled?.isSorted ? SORTED_PAGES : isOfPages ? ONLY_PAGES : undefined
    return [{ ...rowWeights(diagnostics), ...(otherwise !== undefined && { otherwise }) }]
  }
  if (!moments) return []
  const kinds: readonly (readonly [what: string, weights: Term])[] = [
    ['weights of first slots', firstSlot],
    ['weights of pages', estimator.judged.weight],
  ]
  return kinds.map(([what, weights]) => ({
    what,
    mean: moments.total(weights) / moments.total(slates),
    z: meanZ(moments, weights, slates),
  }))
}

/** Why weights of single rows need not average 1 in a log of pages. */
const ONLY_PAGES =
  'the propensities are conditional on the items above on a page, and only slate estimators treat the target in the same way'
const SORTED_PAGES =
  'the target fills a page from its best item down, which only slate estimators take into account'

const unitOf = (way: ClusterColumn): string => (way.startsWith('column') ? 'cluster' : way)

function withoutSureness(estimate: Estimate): Estimate {
  if (estimate.verdict.level !== 'refuse' || !isTunedByData(estimate) || !estimate.interval) return estimate
  return { ...estimate, interval: null, reason: NO_TUNED_INTERVAL }
}

function logContext({ facts, lacking, ways, plain, found, further }: Judging, unit: string): LogContext {
  const days = isLacking(facts.days) ? null : facts.days
  return {
    propensities: facts.usesPropensities ? facts.propensitySource : 'logged',
    clusters: { count: plain.clusters, unit },
    days: { count: days, areInInterval: ways.includes('day') },
    lacking: [
      ...lacking,
      ...(isLacking(facts.days) ? [{ what: 'the days of the log', why: facts.days.lacking }] : []),
      ...(isLacking(found) ? [{ what: 'checks of the rows', why: found.lacking }] : []),
    ],
    found: [...(isLacking(found) ? [] : found.map(complaintOf)), ...further],
  }
}

async function contextOf(
  { estimator, estimate, tuned, chosenBy, moments, influences }: Computed,
  judging: Judging,
): Promise<EstimateContext> {
  const { source, facts } = judging
  const { judged } = estimator
  // Shrunken weights are judged by those that were shrunk, too.
  const usesWeights = judged !== undefined && (judged.weight.name === weight.name || tuned !== undefined)
  const isBinary = !isLacking(facts.rewards) && facts.rewards.isBinary
  const missing =
    estimate.value === null || estimate.interval === null
      ? (estimate.reason ?? 'its interval cannot be computed')
      : null
  let judgement: Judgement | null = null
  let bias: EstimateContext['bias'] = null
  let unshrunken: Judgement | null = null
  if (moments && influences && missing === null) {
    judgement = judgementOf(estimator, moments, influences, isBinary)
    const unchanged = tuned ? unchangedOf(tuned) : estimator.unbiased
    const shrinking = unchanged && shrinkingBiasOf(estimator, unchanged, moments)
    if (unchanged && shrinking) {
      bias = { ...shrinking, half: halfOf(estimate) }
      if (tuned) unshrunken = judgementOf(unchanged, moments, influencesOf(unchanged, moments), isBinary)
    }
  }
  return {
    judgement,
    unshrunken,
    missing,
    usesWeights,
    takesModelAsTrue: estimator.takesModelAsTrue === true,
    unit: estimator.rows === 'slates' ? 'page' : 'row',
    ...(judged && !usesWeights && !tuned && moments
      ? await tailOf(estimator, source, moments)
      : { ownTail: null, topShare: null }),
    bias,
    isLambdaFromData: tuned !== undefined && chosenBy !== 'user' && tuned.tuning.coversWhenTuned !== true,
    ...rangeContext(estimator, estimate, judgement, judging),
  }
}

/** What a check of the rows found, as a reason against every estimate. */
const complaintOf = ({ code, seen, lowersTo }: Finding): Complaint => ({
  level: lowersTo ?? 'caution',
  code,
  message: seen,
  value: null,
})

/** A reward that one row in n might have earned is missed by n rows with probability 1/e; by three times as many with 5 %. */
const RULE_OF_THREE = 3

/** Whether rewards have a known range, and how far those that the log happened to miss may move an estimate. */
function rangeContext(
  { rows }: Estimator,
  estimate: PlainEstimate,
  judgement: Judgement | null,
  { facts: { rewards }, rewardRange }: Judging,
): Pick<EstimateContext, 'isRangeKnown' | 'unseenReward'> {
  if (!rewardRange) return { isRangeKnown: false, unseenReward: null }
  const areClicks = !isLacking(rewards) && rewards.isBinary
  if (areClicks || rows === 'slates' || !judgement?.ess) return { isRangeKnown: true, unseenReward: null }
  const [least, most] = rewardRange
  return {
    isRangeKnown: true,
    unseenReward: (RULE_OF_THREE * (most - least)) / judgement.ess / halfOf(estimate),
  }
}

const halfOf = ({ interval }: Pick<PlainEstimate, 'interval'>): number => (interval![1] - interval![0]) / 2

/** The shape of the tail of an estimator's own weights, and the share of the largest. */
async function tailOf(
  { judged, rows }: Estimator,
  source: SumSource,
  moments: Moments,
): Promise<Pick<EstimateContext, 'ownTail' | 'topShare'>> {
  const tail = await source.tail(judged!.weight, rows)
  if (isLacking(tail)) return { ownTail: null, topShare: null }
  return {
    ownTail: paretoKOfLargest(tail.largest, tail.count) ?? null,
    topShare: (tail.largest.at(-1) ?? 0) / Math.abs(moments.total(judged!.weight)),
  }
}

/** A difference beyond this many of its own errors is not chance. */
const MOST_ERRORS = 3.5
/** A difference below this part of the interval's half-width does not matter. */
const SMALL_PART = 0.2

/** Where an estimate differs from SNIPS, or from the others that leave weights as they are, by more than chance. */
function disagreements(one: Computed, computed: readonly Computed[], plain: Moments): Complaint[] {
  const { estimator, estimate, influences } = one
  if (!influences || estimate.interval === null || !isComparable(one)) return []
  const value = valueOf(snips, plain)
  const others = [
    ...(value === undefined || computed.some((other) => other.estimator.name === snips.name)
      ? []
      : [{ estimator: snips, value, influences: influencesOf(snips, plain) }]),
    ...computed
      .filter((other) => other !== one && isComparable(other) && leavesWeights(other) && other.influences)
      .map((other) => ({
        estimator: other.estimator,
        value: other.estimate.value!,
        influences: other.influences!,
      })),
  ]
  return others.flatMap((other) => {
    const difference = estimate.value! - other.value!
    if (Math.abs(difference) <= SMALL_PART * halfOf(estimate)) return []
    const paired = differenceOf(influences, other.influences)
    const error = paired && spreadOf(paired)
    if (!paired || !error) return []
    // As many errors as are beyond chance for so few degrees of freedom.
    const most = studentQuantile(1 - 0.000_233, fewestDegreesOfFreedom(paired))
    return Math.abs(difference) > Math.max(MOST_ERRORS, most) * error
      ? [disagreement(estimator.label, other.estimator.label, difference, difference / error)]
      : []
  })
}

/** Not by shrunken weights or those of categories, whose bias is theirs alone: they answer for it themselves. */
const leavesWeights = ({ tuned, estimator }: Computed): boolean => !tuned && !estimator.unbiased

/** Estimates of the value of single impressions by weights; a model's prediction may well differ. */
const isComparable = ({ estimator, estimate }: Computed): boolean =>
  estimator.rows !== 'slates' && !estimator.takesModelAsTrue && estimate.value !== null
