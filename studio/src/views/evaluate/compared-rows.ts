import type { Comparison } from '$core/estimate/comparison.js'
import type { Verdict } from '$core/estimate/evaluation.js'
import { formatLift } from '$core/words/difference-text.js'
import { formatConfidence, formatEstimate } from '$core/words/estimate-text.js'

/** A policy of a comparison, in words. */
export interface ComparedRow {
  readonly name: string
  /** Its mean reward with its interval. */
  readonly value: string
  /** The difference from the baseline with the interval that holds for all differences at once. */
  readonly difference: string
  readonly lift: string
  /** On the difference; on the value for the baseline. */
  readonly verdict: Verdict
  /** Why it is not to be trusted. */
  readonly reasons: readonly string[]
}

/** The policies of a comparison, the baseline first, and what the differences are called. */
export function comparedRows({ baseline, confidence, evaluations, differences }: Comparison): {
  readonly heading: string
  readonly rows: readonly ComparedRow[]
} {
  const level = formatConfidence(confidence)
  const rows = evaluations.map(({ target, estimates }, place): ComparedRow => {
    const { value, interval, verdict: own } = estimates[0]!
    const difference = place === 0 ? undefined : differences[place - 1]!
    const verdict = difference?.verdict ?? own
    const lift = difference && formatLift(difference.lift)
    return {
      name: target,
      value: withInterval(value, interval),
      difference: difference ? withInterval(difference.difference, difference.simultaneous, true) : '',
      lift: lift ? `${lift.value}${lift.interval === null ? '' : ` (${lift.interval})`}` : '',
      verdict,
      reasons: verdict.level === 'trust' ? [] : verdict.reasons.map(({ message }) => message),
    }
  })
  const atOnce = differences.length > 1 ? ', all at once' : ''
  return { heading: `Minus ${baseline} (${level} CI${atOnce})`, rows }
}

function withInterval(
  value: number | null,
  interval: readonly [number, number] | null,
  isSigned = false,
): string {
  if (value === null || !Number.isFinite(value)) return 'no value'
  const { value: text, interval: between } = formatEstimate(value, interval)
  return `${isSigned && value > 0 ? '+' : ''}${text}${between === null ? '' : ` (${between})`}`
}
