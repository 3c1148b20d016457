import { formatShare } from '../number-text.js'
import type { Complaint } from './verdict.js'

/** How much of what a policy shows a log can see, and how evenly. */
export interface Overlap {
  /** Probability that the policy shows an item which the log never shows; null where that is not known. */
  readonly unsupportedMass: number | null
  /** Mean weight of rows, and its distance from 1 in standard errors; null where there is none. */
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
/** The share of the heaviest row; with less, intervals cover whatever else the weights are like. */
const DOMINATES = { caution: 0.25, refuse: 0.5 }
/** Weights average more or less than 1 beyond this many errors, and by more than rounding does. */
const BEYOND = { errors: 4, rounding: 1e-3 }

/** What speaks against an answer because the log does not cover the policy. */
export function overlapReasons(overlap: Overlap): Complaint[] {
  return [...unseen(overlap), ...dominated(overlap), ...offWeights(overlap)]
}

/** What the policy shows and the log does not may earn nothing, or twice as much as the rest: by so much the answer may be wrong. */
function unseen({ unsupportedMass, meanWeight, meanWeightZ, value, margin, unit }: Overlap): Complaint[] {
  const known = unsupportedMass ?? 0
  // Weights that are all alike have no error.
  const error = meanWeight !== null && meanWeightZ ? Math.abs((meanWeight - 1) / meanWeightZ) : 0
  // Weights that average clearly less than 1 miss what was never drawn.
  const missed = unit === 'row' && meanWeight !== null ? Math.max(0, 1 - meanWeight - 2 * error) : 0
  const mass = Math.max(known, missed)
  const severity = mass > MOST_UNSEEN ? Infinity : (mass * Math.abs(value)) / margin
  if (!(severity >= 0.25)) return []
  const message =
    known >= missed
      ? `In ${formatShare(mass)} of impressions the policy shows items that the log never shows; their reward is unknown.`
      : `The weights average ${Number(meanWeight!.toPrecision(3))} instead of 1: at least ${formatShare(mass)} of what the policy shows is missing from the log, and its reward is unknown.`
  return [
    {
      level: severity > 1 ? 'refuse' : 'caution',
      code: 'unsupported',
      question: 'overlap',
      message,
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
      question: 'overlap',
      message: `One ${unit} carries ${formatShare(topShare)} of the total weight.`,
      value: topShare,
    },
  ]
}

/** Weights that do not average 1 move every answer that does not divide by them. */
function offWeights({ meanWeight, meanWeightZ, isPlain, value, margin, unit }: Overlap): Complaint[] {
  if (meanWeight === null || meanWeight === 0 || unit === 'page') return []
  const isOff =
    Math.abs(meanWeight - 1) > BEYOND.rounding &&
    (meanWeightZ === null || Math.abs(meanWeightZ) >= BEYOND.errors)
  if (!isOff) return []
  const shift = isPlain ? value / meanWeight - value : 0
  const severity = Math.abs(shift) / margin
  const digits = Math.max(3, 1 + Math.ceil(-Math.log10(Math.abs(meanWeight - 1))))
  const causes =
    meanWeight > 1
      ? 'the probabilities of the policy sum to more than 1, or the propensities are wrong'
      : 'the probabilities of the policy sum to less than 1, the propensities are wrong, or items were not there for every row'
  return [
    {
      level: severity < 0.25 ? 'note' : severity > 1 ? 'refuse' : 'caution',
      code: 'mean-weight',
      question: 'propensities',
      message: `The weights average ${Number(meanWeight.toPrecision(digits))} instead of 1: ${causes}.${isPlain ? '' : ' This estimate allows for that.'}`,
      shift,
      value: meanWeight,
    },
  ]
}
