import type { Comparison, Difference } from '../estimate/comparison.js'
import type { Evaluation, Verdict } from '../estimate/evaluation.js'
import { listed } from '../listed.js'
import { formatConfidence, formatEstimate } from './estimate-text.js'
import { noAnswer } from './no-answer.js'
import { perUnitOf } from './unit.js'

/** A difference and the verdict on the estimate of its target. */
export interface JudgedDifference extends Difference {
  readonly verdict: Verdict
}

/** What a comparison is described and drawn from: evaluations in order, the baseline's first. */
export type DifferencesInput = Pick<Comparison, 'baseline' | 'confidence' | 'differences'> & {
  /** What the differences are estimated by; their unit is its unit. */
  readonly estimator?: string
  readonly evaluations: readonly Pick<Evaluation, 'verdict'>[]
}

/** The differences of a comparison, each with the graver of the verdicts on its target and on the baseline. */
export function judgedDifferences({ differences, evaluations }: DifferencesInput): JudgedDifference[] {
  const grave = ['trust', 'caution', 'refuse']
  const baseline = evaluations[0]!.verdict
  return differences.map((difference, k) => {
    const { verdict } = evaluations[k + 1]!
    const isGraver = grave.indexOf(baseline.level) > grave.indexOf(verdict.level)
    return { ...difference, verdict: isGraver ? baseline : verdict }
  })
}

/**
 * Whether a difference is settled: better or worse where its corrected p-value is below 1 − confidence and
 * the verdict is not `refuse`, else open.
 */
export function outcomeOf(
  { difference, adjustedPValue, verdict }: JudgedDifference,
  confidence: number,
): 'better' | 'worse' | 'open' {
  if (difference === null || adjustedPValue === null || verdict.level === 'refuse') return 'open'
  if (!(adjustedPValue < 1 - confidence)) return 'open'
  return difference > 0 ? 'better' : 'worse'
}

/**
 * A comparison in a sentence: the best of the policies that are better than the baseline, with the interval
 * of the difference, and how many others are better, worse or not detectably different.
 */
export function comparisonAnswer(comparison: DifferencesInput): string {
  const { baseline, confidence } = comparison
  const others = judgedDifferences(comparison)
  const level = formatConfidence(confidence)
  const by = {
    better: [] as JudgedDifference[],
    worse: [] as JudgedDifference[],
    open: [] as JudgedDifference[],
    refused: [] as JudgedDifference[],
  }
  for (const other of others)
    by[other.verdict.level === 'refuse' ? 'refused' : outcomeOf(other, confidence)].push(other)
  const said = ({ target, difference, interval }: JudgedDifference): string => {
    const { value, interval: between } = formatEstimate(difference!, interval)
    return (
      `${target} earns ${value.replace('−', '')} ${difference! > 0 ? 'more' : 'less'} ${perUnitOf(comparison.estimator)} than ${baseline}` +
      (between === null ? '' : ` (${level} CI of the difference ${between})`)
    )
  }
  const settled = [...by.better, ...by.worse].sort((a, b) => b.difference! - a.difference!)
  if (by.refused.length === others.length)
    return noAnswer(`it cannot compare ${listed(others.map(({ target }) => target))} with ${baseline}`)
  const unanswered = by.refused.length > 0 ? `no answer for ${by.refused.length}` : ''
  if (settled.length === 0) {
    if (unanswered)
      return `${by.open.length} of ${others.length} policies ${by.open.length === 1 ? 'does' : 'do'} not differ detectably from ${baseline}; ${unanswered}`
    return others.length === 1
      ? `${others[0]!.target} does not differ detectably from ${baseline}`
      : `${others.length === 2 ? 'Neither policy' : `None of ${others.length} policies`} differs detectably from ${baseline}`
  }
  if (others.length === 1) return said(settled[0]!)
  if (by.better.length === 0)
    return `No policy is detectably better than ${baseline}; ${by.worse.length} of ${others.length} ${by.worse.length === 1 ? 'is' : 'are'} worse${unanswered && `, ${unanswered}`}`
  const rest = [
    by.better.length > 1 ? `${by.better.length} of ${others.length} policies are better` : '',
    by.worse.length > 0 ? `${by.worse.length} worse` : '',
    by.open.length > 0 ? `${by.open.length} with no detectable difference` : '',
    unanswered,
  ].filter(Boolean)
  return `${said(settled[0]!)}; ${rest.join(', ')}`
}
