import { describe, expect, it } from 'vitest'
import type { Interval } from '../results.js'
import { targetChoices, type TargetOutcome } from './targets.js'

const outcome = (truth: number, interval: Interval | null, reason: string | null = null): TargetOutcome => ({
  target: 'uniform',
  label: 'uniform',
  truth,
  snips: interval && (interval[0] + interval[1]) / 2,
  interval,
  ess: 10,
  essRatio: 0.1,
  verdict: reason === null ? 'trust' : 'caution',
  reason,
})

describe('target policies over seeds', () => {
  const { rows } = targetChoices(
    [
      [outcome(0.1, [0.2, 0.4], 'few')],
      [outcome(0.2, [0.3, 0.5], 'heavy')],
      [outcome(0.3, null, 'heavy')],
      [outcome(0.4, [0.3, 0.5])],
    ],
    1,
  )

  it('are covered by the share of all intervals that hold the truth of their own seed', () => {
    expect(rows[0]!.coverage).toBe(1 / 3)
    expect(targetChoices([[outcome(0.1, null)]], 1).rows[0]!.coverage).toBeNull()
  })

  it('have the errors and half widths of the seeds, and the reason given most often', () => {
    // 0.3 − 0.1, 0.4 − 0.2, none, 0.4 − 0.4.
    expect(rows[0]!.error.mean).toBeCloseTo((0.2 + 0.2) / 3, 12)
    expect(rows[0]!.halfWidth.mean).toBeCloseTo(0.1, 12)
    expect(rows[0]!.verdicts).toEqual({ trust: 1, caution: 3, refuse: 0 })
    expect(rows[0]!.reason).toBe('heavy')
  })
})
