import type { Comparison } from '$core/estimate/comparison.js'
import type { Verdict } from '$core/estimate/evaluation.js'
import { formatLift } from '$core/words/difference-text.js'
import { formatConfidence, formatEstimate } from '$core/words/estimate-text.js'

/** A number and its interval, as they are written. */
export interface Written {
  readonly value: string
  readonly interval: string | null
}

/** A policy of a comparison, in words. */
export interface ComparedRow {
  readonly name: string
  readonly value: Written
  /** From the baseline, which has none, with the interval that holds for all differences at once. */
  readonly difference: Written | null
  readonly lift: Written | null
  /** What to do about it; empty for the baseline. */
  readonly action: string
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
  // What is wrong with the baseline is said once, in its own row.
  const isOfBaseline = (message: string): boolean => message.startsWith(`${baseline}: `)
  const rows = evaluations.map(({ target, estimates }, place): ComparedRow => {
    const { value, interval, verdict: own } = estimates[0]!
    const difference = place === 0 ? undefined : differences[place - 1]!
    const verdict = difference?.verdict ?? own
    return {
      name: target,
      value: written(value, interval),
      difference: difference ? written(difference.difference, difference.simultaneous, '+') : null,
      lift: difference ? formatLift(difference.lift) : null,
      action: difference?.action.replace('-', ' ') ?? '',
      verdict,
      reasons:
        verdict.level === 'trust'
          ? []
          : verdict.reasons.map(({ message }) => message).filter((message) => !isOfBaseline(message)),
    }
  })
  const atOnce = differences.length > 1 ? ', all at once' : ''
  return { heading: `Minus ${baseline} (${level} CI${atOnce})`, rows }
}

function written(
  value: number | null,
  interval: readonly [number, number] | null,
  plus: '+' | '' = '',
): Written {
  if (value === null || !Number.isFinite(value)) return { value: 'no value', interval: null }
  const text = formatEstimate(value, interval)
  return { ...text, value: `${value > 0 ? plus : ''}${text.value}` }
}
