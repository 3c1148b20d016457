import type { PropensitySource } from '../log/log.js'
import { counted, formatShare } from '../number-text.js'
import type { LackingFact } from './diagnostics.js'
import type { Diagnostics, Verdict, VerdictLevel } from './evaluation.js'
import type { Judgement } from './judgement.js'
import type { ShrinkingBias } from './shrinking-bias.js'
import { FEWEST_DAYS } from './ways.js'

type Reason = Verdict['reasons'][number]

/** A reason against an answer, and how far it lowers the verdict. */
export interface Complaint extends Reason {
  readonly level: Exclude<VerdictLevel, 'trust'>
}

/** A gate: beyond `caution` an answer needs care, beyond `refuse` it is not an answer. */
interface Gate {
  readonly code: string
  readonly value: number | null
  readonly caution: number
  readonly refuse: number
  /** Which side is bad. */
  readonly bad: 'low' | 'high'
  readonly message: (value: number) => string
}

/** A number to two digits, with its noun. */
const about = (value: number, noun: string): string => counted(Number(value.toPrecision(2)), noun)

/** What speaks against every estimate of a log and a target. */
export interface LogContext {
  readonly propensities: PropensitySource
  /** Independent units, as the first way of clustering counts them. */
  readonly clusters: { readonly count: number; readonly unit: string }
  /** Days of the log, null where unknown; whether the intervals know that days differ. */
  readonly days: { readonly count: number | null; readonly areInInterval: boolean }
  /** Facts that the source of the sums did not compute. */
  readonly lacking: readonly LackingFact[]
  /** What the checks of the log found that lowers a verdict. */
  readonly found: readonly Complaint[]
}

/** What is looked at for one estimate. */
export interface EstimateContext {
  /** Null where the estimate has no value. */
  readonly judgement: Judgement | null
  /** Why there is no interval, where there is none. */
  readonly missing: string | null
  /** It weighs single rows by w as it is: the tail and the heaviest row of w are its own. */
  readonly usesWeights: boolean
  /** Its value is a model's prediction. */
  readonly takesModelAsTrue: boolean
  /** The unit of its weights. */
  readonly unit: 'row' | 'page'
  /** Of a shrunken estimator, that with weights as they are: only a sound one can tell how biased shrinking is. */
  readonly unshrunken: Judgement | null
  /** The shape of the tail of its own weights, where those are not w; null where they are bounded or tied. */
  readonly ownTail: number | null
  /** The share of the heaviest row or page in those weights. */
  readonly topShare: number | null
  readonly bias: (ShrinkingBias & { readonly half: number }) | null
  /** Its λ was chosen from the data, and intervals around such a choice do not cover. */
  readonly isLambdaFromData: boolean
  /** Whether the range of rewards is known: given, or clicks. */
  readonly isRangeKnown: boolean
  /** By what part of the interval's half-width rewards that the log happened to miss may move the answer; null without a range. */
  readonly unseenReward: number | null
}

/** Trust, caution or refuse, from the complaints; without any, what speaks for the answer. */
export function verdictFrom(complaints: readonly Complaint[], praise: readonly Reason[]): Verdict {
  const ofLevel = (level: VerdictLevel): Reason[] =>
    complaints
      .filter((complaint) => complaint.level === level)
      .map(({ code, message, value }) => ({ code, message, value }))
  const [refused, cautions] = [ofLevel('refuse'), ofLevel('caution')]
  const reasons = [...refused, ...cautions]
  if (reasons.length === 0) return { level: 'trust', reasons: praise }
  return { level: refused.length > 0 ? 'refuse' : 'caution', reasons }
}

/** Weights of one kind, which average 1 when the propensities are right and the log supports the target. */
export interface MeanWeight {
  /** As a message calls them: "weights of pages". */
  readonly what: string
  readonly mean: number | null
  /** How many standard errors it is away from 1; null where there are none. */
  readonly z: number | null
  /** What else may make them average another number, as the rest of a sentence. */
  readonly otherwise?: string
}

/** The weights of single rows. */
export const rowWeights = ({ meanWeight: mean, meanWeightZ: z }: Diagnostics): MeanWeight => ({
  what: 'weights',
  mean,
  z,
})

/** What speaks against every estimate by weights of some kinds: the log, its propensities, the target's support, what could not be computed. */
export function complaintsAboutLog(
  diagnostics: Diagnostics,
  log: LogContext,
  weights: readonly MeanWeight[] = [rowWeights(diagnostics)],
): Complaint[] {
  const { clusters, lacking, found } = log
  return [
    ...judge({
      code: 'few-clusters',
      value: clusters.count,
      caution: 30,
      refuse: 2,
      bad: 'low',
      message: (value) =>
        `Only ${counted(value, `independent ${clusters.unit}`)}: too few to measure how much they differ.`,
    }),
    ...judge({
      code: 'unsupported',
      value: diagnostics.unsupportedMass,
      caution: 0.02,
      refuse: 0.2,
      bad: 'high',
      message: (value) =>
        `In ${formatShare(value)} of impressions the target shows items that the log never shows; their reward is unknown.`,
    }),
    ...(clusters.count > 1
      ? onePerCode(weights.flatMap((one) => meanWeight(one, diagnostics.unsupportedMass)))
      : []),
    ...fewDays(log),
    ...propensities(log.propensities),
    ...found,
    ...lacking.map(notComputed),
  ]
}

/** A log of a few days cannot say how much days differ. */
function fewDays({ days: { count, areInInterval } }: LogContext): Complaint[] {
  if (count === null || count >= FEWEST_DAYS || areInInterval) return []
  return [
    {
      level: 'caution',
      code: 'few-days',
      message: `The log covers only ${counted(count, 'day')}: how much one day differs from another is unknown, and not in the intervals.`,
      value: count,
    },
  ]
}

/** What speaks against one estimate: its own weights, and the tail of what it averages. */
export function complaintsAbout(
  estimate: EstimateContext,
  diagnostics: Diagnostics,
  clusterUnit: string,
): Complaint[] {
  const { judgement, missing, usesWeights, takesModelAsTrue, unit, bias } = estimate
  if (missing !== null) return [noAnswer(missing)]
  if (takesModelAsTrue) return [modelTakenAsTrue]
  const gates: Gate[] = [estimate.unshrunken, judgement].flatMap((one) =>
    one ? gatesOf(one, unit, clusterUnit) : [],
  )
  if (usesWeights) gates.push(...weightGates(diagnostics))
  else gates.push(...ownGates(estimate))
  gates.push(unseenGate(estimate.unseenReward))
  return [
    ...onePerCode(gates.flatMap(judge)),
    ...(estimate.isRangeKnown ? [] : [unknownRange]),
    ...(bias ? shrinkingBias(bias) : []),
    ...(estimate.isLambdaFromData ? [lambdaFromData] : []),
  ]
}

function gatesOf(judgement: Judgement, unit: string, clusterUnit: string): Gate[] {
  return [
    {
      code: 'few-effective-clicks',
      value: judgement.effectiveClicks,
      caution: 30,
      refuse: 10,
      bad: 'low',
      message: (value) => `The answer rests on about ${about(value, 'effective click')}.`,
    },
    {
      code: 'few-clicks-seen',
      value: judgement.clicksSeen,
      caution: 15,
      refuse: 5,
      bad: 'low',
      message: (value) =>
        `Only about ${about(value, 'effective click')} ${value === 1 ? 'was' : 'were'} seen.`,
    },
    {
      code: 'few-degrees-of-freedom',
      value: judgement.degreesOfFreedom,
      caution: 20,
      refuse: 5,
      bad: 'low',
      message: (value) => `The answer is as uncertain as if it came from only ${about(value, clusterUnit)}.`,
    },
    {
      code: 'one-cluster-dominates',
      value: judgement.topClusterShare,
      caution: 0.1,
      refuse: 0.5,
      bad: 'high',
      message: (value) => `One ${clusterUnit} carries ${formatShare(value)} of the answer.`,
    },
    {
      code: 'low-effective-sample',
      value: judgement.ess,
      caution: unit === 'page' ? 300 : 100,
      refuse: unit === 'page' ? 30 : 10,
      bad: 'low',
      message: (value) => `The effective sample size is only ${about(value, unit)}.`,
    },
    {
      code: 'heavy-rewards',
      value: judgement.rewardTail,
      caution: 0.4,
      refuse: 1,
      bad: 'high',
      message: (value) =>
        `The largest weighted rewards have a heavy tail (Pareto k ${value.toFixed(2)}): a few large rewards more or fewer would change the answer.`,
    },
  ]
}

/** The gates of an estimator that uses the weights of rows as they are. */
const weightGates = (diagnostics: Diagnostics): Gate[] => [
  {
    code: 'one-row-dominates',
    value: diagnostics.topShare,
    caution: 0.05,
    refuse: 0.25,
    bad: 'high',
    message: (value) => `One row carries ${formatShare(value)} of the total weight.`,
  },
  tailGate(diagnostics.paretoK),
]

/** The gates of an estimator with weights of its own. Those of pages are products: fewer are enough to mislead. */
const ownGates = ({ unit, ownTail, topShare }: EstimateContext): Gate[] => [
  {
    code: `one-${unit}-dominates`,
    value: topShare,
    caution: unit === 'page' ? 0.03 : 0.05,
    refuse: 0.25,
    bad: 'high',
    message: (value) => `One ${unit} carries ${formatShare(value)} of the total weight.`,
  },
  tailGate(ownTail, unit === 'page' ? 0.5 : 0.7),
]

const tailGate = (value: number | null, caution = 0.7): Gate => ({
  code: 'heavy-tail',
  value,
  caution,
  refuse: 1,
  bad: 'high',
  message: (k) =>
    `The largest weights have a heavy tail (Pareto k ${k.toFixed(2)}): new rows may change the answer.`,
})

/** The gravest complaint of each code. */
const onePerCode = (complaints: readonly Complaint[]): Complaint[] => {
  const kept = new Map<string, Complaint>()
  for (const complaint of complaints)
    if (kept.get(complaint.code)?.level !== 'refuse') kept.set(complaint.code, complaint)
  return [...kept.values()]
}

function judge({ code, value, caution, refuse, bad, message }: Gate): Complaint[] {
  if (value === null) return []
  const isBeyond = (limit: number): boolean => (bad === 'low' ? value < limit : value > limit)
  if (!isBeyond(caution)) return []
  return [{ level: isBeyond(refuse) ? 'refuse' : 'caution', code, message: message(value), value }]
}

/** More of the half-width than this must not be bias: beyond, a 95 % interval no longer covers 93 %. */
const MOST_BIAS = 0.2

/** Shrinking weights is biased: harmless only where that shows to be a small part of the interval. */
function shrinkingBias({ than, difference, se, half }: ShrinkingBias & { half: number }): Complaint[] {
  const most = Math.abs(difference) + se
  if (most <= MOST_BIAS * half) return []
  return [
    {
      level: 'caution',
      code: 'shrinking-bias',
      message: `Its weights may have moved the answer by up to ${Number(most.toPrecision(2))} from that of ${than}, and no interval knows of it.`,
      value: difference,
    },
  ]
}

const lambdaFromData: Complaint = {
  level: 'caution',
  code: 'lambda-from-data',
  message: 'Its λ was chosen from the same rewards, and its interval does not know of that choice.',
  value: null,
}

const unseenGate = (value: number | null): Gate => ({
  code: 'unseen-rewards',
  value,
  caution: 0.5,
  refuse: Infinity,
  bad: 'high',
  message: () =>
    'The largest possible rewards are so much larger than those seen that the answer hangs on whether a few of them occur.',
})

const unknownRange: Complaint = {
  level: 'caution',
  code: 'unknown-reward-range',
  message:
    'The range of rewards is unknown: a rare large reward that the log missed would change the answer. Give the smallest and the largest possible reward.',
  value: null,
}

const modelTakenAsTrue: Complaint = {
  level: 'caution',
  code: 'model-taken-as-true',
  message: 'This is what a reward model predicts, and its interval takes the model as true.',
  value: null,
}

function meanWeight({ what, mean, z, otherwise }: MeanWeight, unsupportedMass: number | null): Complaint[] {
  if (mean === null) return []
  // Weights without spread have no standard error, and then only rounding excuses a mean other than 1.
  const isOff = Math.abs(mean - 1) > 1e-6 && (z === null || Math.abs(z) >= 4)
  if (!isOff) return []
  const how = z === null ? 'without any spread' : `${Math.abs(z).toFixed(0)} standard errors away`
  const causes = [
    ...(otherwise === undefined ? [] : [otherwise]),
    'the propensities are wrong',
    'the target shows items that the log never shows',
  ]
  const hint = unsupportedMass === null ? ' (give the catalogue of all items to find out which)' : ''
  const message = `The ${what} average ${Number(mean.toPrecision(3))} instead of 1, ${how}: ${causes.join(', or ')}${hint}.`
  return [
    { level: Math.abs(mean - 1) > 0.25 ? 'refuse' : 'caution', code: 'mean-weight', message, value: mean },
  ]
}

/** A gate that could not be checked is not passed. */
const notComputed = ({ what, why }: LackingFact): Complaint => ({
  level: 'caution',
  code: 'not-computed',
  message: `Not computed: ${what}, because ${why}.`,
  value: null,
})

function propensities(source: PropensitySource): Complaint[] {
  if (source === 'logged') return []
  const message = `The propensities are ${source}, not logged: the answer is only as good as they are.`
  return [{ level: 'caution', code: 'propensities', message, value: null }]
}

/** No value, or none with an interval: no answer. */
const noAnswer = (reason: string): Complaint => ({
  level: 'refuse',
  code: 'no-answer',
  message: `No estimate has an interval: ${reason.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase()).replace(/\.$/, '')}.`,
  value: null,
})

/** Two estimates of the same value that differ by more than chance: one of them is wrong. */
export const disagreement = (first: string, second: string, difference: number, z: number): Complaint => ({
  level: 'caution',
  code: 'estimators-disagree',
  message: `${first} and ${second} differ by ${Number(Math.abs(difference).toPrecision(2))}, ${Math.abs(z).toFixed(1)} times what chance explains: at least one of them is wrong.`,
  value: difference,
})

/** What speaks for an answer that passed every gate, the strongest first: short answers quote that one alone. */
export function praiseOf(
  judgement: Judgement,
  { unit, topShare }: Pick<EstimateContext, 'unit' | 'topShare'>,
  clusterUnit: string,
): Reason[] {
  const { effectiveClicks, topClusterShare, ess } = judgement
  const reasons: Reason[] = [
    {
      code: 'effective-clicks',
      message: `About ${about(effectiveClicks, 'effective click')}, and no ${clusterUnit} carries more than ${formatShare(topClusterShare)}.`,
      value: effectiveClicks,
    },
  ]
  if (topShare !== null)
    reasons.push({
      code: `no-${unit}-dominates`,
      message: `No ${unit} carries more than ${formatShare(topShare)} of the total weight.`,
      value: topShare,
    })
  if (ess !== null)
    reasons.push({
      code: 'effective-sample',
      message: `The effective sample size is ${about(ess, unit)}.`,
      value: ess,
    })
  return reasons
}
