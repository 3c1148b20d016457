import { describe, expect, it } from 'vitest'
import { firstLook } from './first-look.js'

describe('the first look', () => {
  it('has something to find, and ends where the log can no longer answer', async () => {
    const points = await firstLook()
    const estimates = points.map(({ evaluation }) => evaluation.estimates[0]!)
    const [first] = estimates
    const { meanReward } = points[0]!.evaluation.log
    expect(first!.interval![0]).toBeGreaterThan(1.5 * meanReward)
    expect(first!.verdict.level).toBe('trust')
    expect(new Set(estimates.map(({ verdict }) => verdict.level))).toEqual(
      new Set(['trust', 'caution', 'refuse']),
    )
    expect(estimates.at(-1)!.verdict.level).toBe('refuse')
    // One log, so its intervals are wrong together or not at all: here they are right.
    for (const [k, { interval }] of estimates.entries()) {
      expect(interval![0]).toBeLessThan(points[k]!.truth)
      expect(interval![1]).toBeGreaterThan(points[k]!.truth)
    }
  })
})
