import type { Comparison, Difference } from '../estimate/comparison.js'
import { listed } from '../listed.js'
import { outcomeOf } from '../verdict/decision.js'
import { formatPercent, supportedDecimals } from '../number-text.js'
import { formatConfidence, formatEstimate } from './estimate-text.js'
import { noAnswer } from './verdict-text.js'
import { perUnitOf } from './unit.js'

/** What a comparison is described and drawn from. */
export type DifferencesInput = Pick<Comparison, 'baseline' | 'confidence' | 'differences'> & {
  /** What the differences are estimated by; their unit is its unit. */
  readonly estimator?: string
}

/**
 * Whether a difference is settled: better or worse where its interval among all others excludes 0, which is where its
 * corrected p-value is below 1 − confidence, and the verdict is not `refuse`; else open.
 */
export function settledAs(difference: Difference): 'better' | 'worse' | 'open' {
  const outcome = difference.verdict.level === 'refuse' ? 'no-answer' : outcomeOf(difference)
  return outcome === 'better' || outcome === 'worse' ? outcome : 'open'
}

/** A relative lift and the interval that holds among all others, rounded to what the latter supports: "+8.1 %", "5.0 to 11.2 %". */
export function formatLift(lift: Difference['lift']): { value: string; interval: string | null } | null {
  if (!lift) return null
  const { value, simultaneous } = lift
  const decimals = simultaneous
    ? Math.min(2, supportedDecimals((simultaneous[1] - simultaneous[0]) / 4))
    : Math.abs(value) < 0.1
      ? 1
      : 0
  const signed = (share: number): string => formatPercent(share, decimals).replace('-', '−')
  // Rounding must not leave "−0 %".
  const plain = signed(value).replace(/^−(?=[0.]+ %$)/, '')
  return {
    value: value > 0 && !/^[0.]+ %$/.test(plain) ? `+${plain}` : plain,
    interval: simultaneous && `${signed(simultaneous[0]).replace(' %', '')} to ${signed(simultaneous[1])}`,
  }
}

/** What intervals that hold at once hold for: "both comparisons", "all 5 comparisons". */
export const allOf = (count: number, noun: string): string =>
  count === 2 ? `both ${noun}` : `all ${count} ${noun}`

/** "b earns 0.030 (12 %) more per impression than logging (95 % CI of the difference 0.020–0.040)". */
function earns(
  { target, difference, simultaneous, lift }: Difference,
  { baseline, confidence, estimator }: DifferencesInput,
): string {
  const { value, interval: between } = formatEstimate(difference!, simultaneous)
  const share = formatLift(lift)?.value.replace(/^[+−]/, '')
  return (
    `${target} earns ${value.replace('−', '')}${share === undefined ? '' : ` (${share})`} ` +
    `${difference! > 0 ? 'more' : 'less'} ${perUnitOf(estimator)} than ${baseline}` +
    (between === null ? '' : ` (${formatConfidence(confidence)} CI of the difference ${between})`)
  )
}

/**
 * A comparison in a sentence: the best of the policies that are better than the baseline, with the interval
 * of the difference, and how many others are better, worse or not detectably different.
 */
export function comparisonAnswer(comparison: DifferencesInput): string {
  const { baseline, differences: others } = comparison
  const by = {
    better: [] as Difference[],
    worse: [] as Difference[],
    open: [] as Difference[],
    refused: [] as Difference[],
  }
  for (const other of others) by[other.verdict.level === 'refuse' ? 'refused' : settledAs(other)].push(other)
  const settled = [...by.better, ...by.worse].sort((a, b) => b.difference! - a.difference!)
  if (by.refused.length === others.length)
    return noAnswer(`it cannot compare ${listed(others.map(({ target }) => target))} with ${baseline}`)
  const unanswered = by.refused.length > 0 ? `no answer for ${by.refused.length}` : ''
  if (settled.length === 0) {
    if (unanswered)
      return `${by.open.length} of ${others.length} policies ${by.open.length === 1 ? 'does' : 'do'} not differ detectably from ${baseline}; ${unanswered}`
    return others.length === 1
      ? `${others[0]!.target} does not differ detectably from ${baseline}`
      : `${others.length === 2 ? 'Neither policy' : `None of the ${others.length} policies`} differs detectably from ${baseline}`
  }
  if (others.length === 1) return earns(settled[0]!, comparison)
  if (by.better.length === 0)
    return `No policy is detectably better than ${baseline}; ${by.worse.length} of ${others.length} ${by.worse.length === 1 ? 'is' : 'are'} worse${unanswered && `, ${unanswered}`}`
  const rest = [
    by.better.length > 1 ? `${by.better.length} of ${others.length} policies are better` : '',
    by.worse.length > 0 ? `${by.worse.length} worse` : '',
    by.open.length > 0 ? `${by.open.length} with no detectable difference` : '',
    unanswered,
  ].filter(Boolean)
  return `${earns(settled[0]!, comparison)}; ${rest.join(', ')}`
}
