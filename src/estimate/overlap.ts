import { log10 } from '../portable-math.js'
import { formatShare } from '../number-text.js'
import type { Complaint } from './verdict.js'

/** How much of what a policy shows a log can see, and how evenly. */
export interface Overlap {
  /** Probability that the policy shows an item which the log never shows; null where that is not known. */
  readonly unsupportedMass: number | null
  /** Whose mean weight it is: `weights`, `weights of pages`. */
  readonly weights: string
  /** Mean weight, and its distance from 1 in standard errors; null where there is none. */
  readonly meanWeight: number | null
  readonly meanWeightZ: number | null
  /** Share of the total weight on the heaviest row or page; null where there are no weights. */
  readonly topShare: number | null
  readonly unit: 'row' | 'page'
  readonly value: number
  /** Half of the interval, or the smallest difference that matters if that is more. */
  readonly margin: number
  /** The estimate is the mean of weighted rewards, which weights that average another number move as much. */
  readonly isPlain: boolean
}

/** With so much unseen no interval says what an answer may be. */
const MOST_UNSEEN = 0.2
/** Where weights average less than 1 by more than this, intervals of 95 % covered 90 %. */
const MOST_MISSED = 0.2
/** Only where single rows weigh so much; else a factor of all propensities is off, which no answer by SNIPS depends on. */
const HEAVY = 0.05
/** The share of the heaviest row; with less, intervals cover whatever else the weights are like. */
const DOMINATES = { caution: 0.25, refuse: 0.5 }
/** Weights average more or less than 1 beyond this many errors, and by more than rounding does. */
const BEYOND = { errors: 4, rounding: 1e-3 }

/** What speaks against an answer because the log does not cover the policy. */
export function overlapReasons(overlap: Overlap): Complaint[] {
  return overlap.meanWeight === 0
    ? [nothingShown]
    : [...unseen(overlap), ...dominated(overlap), ...offWeights(overlap)]
}

/** Whatever a reward model then predicts, no row of the log corrects it. */
const nothingShown: Complaint = {
  level: 'refuse',
  code: 'unsupported',
  question: 'overlap',
  message: 'No row of the log shows what the policy would show.',
  value: 1,
}

/** What the policy shows and the log does not may earn nothing, or twice as much as the rest: by so much the answer may be wrong. */
function unseen({ unsupportedMass, value, margin }: Overlap): Complaint[] {
  const mass = unsupportedMass ?? 0
  const severity = mass > MOST_UNSEEN ? Infinity : (mass * Math.abs(value)) / margin
  if (!(severity >= 0.25)) return []
  return [
    {
      level: severity > 1 ? 'refuse' : 'caution',
      code: 'unsupported',
      message: `In ${formatShare(mass)} of impressions the policy shows items that the log never shows; their reward is unknown.`,
      shift: mass * Math.abs(value),
      value: mass,
    },
  ]
}

function dominated({ topShare, unit }: Overlap): Complaint[] {
  if (topShare === null || topShare <= DOMINATES.caution) return []
  return [
    {
      level: topShare > DOMINATES.refuse ? 'refuse' : 'caution',
      code: 'dominated',
      message: `One ${unit} carries ${formatShare(topShare)} of the total weight.`,
      value: topShare,
    },
  ]
}

/** Weights that do not average 1 move every answer that does not divide by them. */
function offWeights({
  meanWeight,
  meanWeightZ,
  isPlain,
  value,
  margin,
  weights,
  topShare,
}: Overlap): Complaint[] {
  if (meanWeight === null) return []
  const isOff =
    Math.abs(meanWeight - 1) > BEYOND.rounding &&
    (meanWeightZ === null || Math.abs(meanWeightZ) >= BEYOND.errors)
  if (!isOff) return []
  const shift = isPlain ? value / meanWeight - value : 0
  const severity = Math.abs(shift) / margin
  // A log too small to draw what the policy shows most has weights that average less than 1, and intervals that cover less.
  const isThin = 1 - meanWeight > MOST_MISSED && (topShare ?? 0) > HEAVY
  const digits = Math.max(3, 1 + Math.ceil(-log10(Math.abs(meanWeight - 1))))
  const causes =
    meanWeight > 1
      ? 'the probabilities of the policy sum to more than 1, or the propensities are wrong'
      : 'the probabilities of the policy sum to less than 1, the propensities are wrong, or items were not there for every row'
  return [
    {
      level: severity > 1 ? 'refuse' : severity >= 0.25 || isThin ? 'caution' : 'note',
      code: 'mean-weight',
      message: `The ${weights} average ${Number(meanWeight.toPrecision(digits))} instead of 1: ${causes}.${isPlain ? '' : ' This estimate allows for that.'}`,
      shift,
      value: meanWeight,
    },
  ]
}
