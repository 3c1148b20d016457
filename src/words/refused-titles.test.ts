import { describe, expect, it } from 'vitest'
import type { VerdictLevel } from '../estimate/evaluation.js'
import { comparisonAnswer } from './difference-text.js'
import { estimatesFinding } from './estimates-finding.js'
import { exampleVerdict } from '../verdict/example-verdict.js'

const differing = (levels: readonly VerdictLevel[]): string =>
  comparisonAnswer({
    baseline: 'logging',
    confidence: 0.95,
    differences: levels.map((level, k) => ({
      target: `policy ${k + 1}`,
      difference: 0.02,
      simultaneous: [-0.01, 0.05] as const,
      lift: null,
      pValue: 0.3,
      adjustedPValue: 0.3,
      verdict: exampleVerdict(level),
    })) as unknown as Parameters<typeof comparisonAnswer>[0]['differences'],
  })

describe('where the verdict is to refuse', () => {
  it('estimates give no number as a finding', () => {
    const estimates = [] as const
    expect(estimatesFinding({ estimates, meanReward: 0.3, verdict: { level: 'refuse' } }, '95 %', 3)).toBe(
      'No answer from this log: estimates not to rely on',
    )
  })

  it('a comparison has no answer for the refused policies', () => {
    expect(differing(['refuse'])).toBe('No answer from this log: it cannot compare policy 1 with logging')
    expect(differing(['refuse', 'trust'])).toBe(
      '1 of 2 policies does not differ detectably from logging; no answer for 1',
    )
    expect(differing(['trust', 'caution'])).toBe('Neither policy differs detectably from logging')
  })
})
