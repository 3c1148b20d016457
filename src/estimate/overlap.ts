import { formatShare } from '../number-text.js'
import type { Judgement } from './judgement.js'
import type { Complaint } from './verdict.js'

/** How much of what a policy shows a log can see, and how evenly. */
export interface Overlap {
  readonly judgement: Judgement
  /** Probability that the policy shows an item which the log never shows; null where that is not known. */
  readonly unsupportedMass: number | null
  /** Share of the total weight on the heaviest row or page; null where there are no weights. */
  readonly topShare: number | null
  /** Pareto shape of the largest weights; null where they are bounded or tied. */
  readonly tail: number | null
  readonly unit: 'row' | 'page'
  readonly value: number
  /** Half of the interval, or the smallest difference that matters if that is more. */
  readonly margin: number
}

/** What speaks against an answer because the log does not cover the policy. */
export function overlapReasons({
  unsupportedMass,
  topShare,
  tail,
  unit,
  value,
  margin,
}: Overlap): Complaint[] {
  const reasons: Complaint[] = []
  if (unsupportedMass !== null && unsupportedMass > 0) {
    // Items never shown may earn nothing, or twice as much as the others.
    const shift = unsupportedMass * Math.abs(value)
    const severity = unsupportedMass > 0.2 ? Infinity : shift / margin
    if (severity >= 0.25)
      reasons.push({
        level: severity > 1 ? 'refuse' : 'caution',
        code: 'unsupported',
        question: 'overlap',
        message: `In ${formatShare(unsupportedMass)} of impressions the policy shows items that the log never shows; their reward is unknown.`,
        shift,
        value: unsupportedMass,
      })
  }
  const dominated = topShare === null ? 0 : topShare
  if (dominated > 0.1 && (tail === null || tail > 0.5))
    reasons.push({
      level: dominated > 0.25 ? 'refuse' : 'caution',
      code: 'dominated',
      question: 'overlap',
      message: `One ${unit} carries ${formatShare(dominated)} of the total weight.`,
      value: dominated,
    })
  return reasons
}
