import { withinSentence } from '../listed.js'
import { formatShare } from '../number-text.js'
import type { Diagnostics } from './evaluation.js'
import { about, type Gate, judge, onePerCode } from './gate.js'
import type { Judgement } from './judgement.js'
import type { ShrinkingBias } from './shrinking-bias.js'
import type { Complaint } from './verdict.js'

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
        `The largest weighted rewards have a heavy tail (Pareto k ${value.toFixed(2)}): a few more or fewer large rewards would change the answer.`,
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
      message: `Its weights may have moved the answer by up to ${Number(most.toPrecision(2))} from that of ${than}, which no interval accounts for.`,
      value: difference,
    },
  ]
}

const lambdaFromData: Complaint = {
  level: 'caution',
  code: 'lambda-from-data',
  message: 'Its λ was chosen from the same rewards, and its interval does not account for that choice.',
  value: null,
}

const unseenGate = (value: number | null): Gate => ({
  code: 'unseen-rewards',
  value,
  caution: 0.5,
  refuse: Infinity,
  bad: 'high',
  message: () =>
    'The largest possible rewards are so much larger than those seen that the answer depends on whether a few of them occur.',
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
  message: 'This is what a reward model predicts, and its interval assumes that the model is right.',
  value: null,
}

/** No value, or none with an interval: no answer. */
const noAnswer = (reason: string): Complaint => ({
  level: 'refuse',
  code: 'no-answer',
  message: `No estimate has an interval: ${withinSentence(reason).replace(/\.$/, '')}.`,
  value: null,
})
