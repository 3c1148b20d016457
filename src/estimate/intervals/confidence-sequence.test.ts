import { describe, expect, it } from 'vitest'
import { drawNormal } from '../../random/distributions.js'
import { randomStream } from '../../random/stream.js'
import { sequenceBounds, sequenceReach, sequenceRegime } from './confidence-sequence.js'
import {
  clickInterval,
  bounds,
  dr,
  drawRows,
  ips,
  known,
  momentsOf,
  snips,
  usual,
} from './example-moments.js'

describe('the reach of a sequence', () => {
  it('is 1.55 times that of a normal interval where it is tightest, and wider elsewhere', () => {
    const ratio = (rows: number): number => sequenceReach(rows, 1000, 0.95) / 1.959964
    expect(ratio(1000)).toBeCloseTo(1.55, 2)
    for (const elsewhere of [10, 700, 1400, 1e5]) expect(ratio(elsewhere)).toBeGreaterThan(ratio(1000))
    expect(ratio(10)).toBeCloseTo(4.6, 1)
    expect(ratio(1e5)).toBeCloseTo(1.8, 1)
  })

  it('is left by one walk in twenty at most, at any of 2,000 steps, where 1.96 is left by most', () => {
    const walks = 1000
    let beyond = 0
    let beyondNormal = 0
    const reaches = Array.from({ length: 2000 }, (_, k) => sequenceReach(k + 1, 500, 0.95))
    for (let walk = 0; walk < walks; walk++) {
      const random = randomStream(walk, 'walks')
      let place = 0
      let farthest = 0
      let crossed = false
      for (let k = 0; k < 2000; k++) {
        place += drawNormal(random)
        const distance = Math.abs(place) / Math.sqrt(k + 1)
        farthest = Math.max(farthest, distance)
        crossed ||= distance > reaches[k]!
      }
      beyond += crossed ? 1 : 0
      beyondNormal += farthest > 1.96 ? 1 : 0
    }
    expect(beyond / walks).toBeLessThan(0.05)
    expect(beyondNormal / walks).toBeGreaterThan(0.5)
  })
})

describe('the bounds of a sequence', () => {
  const plain = { value: 0.5, standardError: 0.1, degreesOfFreedom: 1e9, skewness: 0 }

  it('are V ± reach·SE for many clusters without skew', () => {
    const [low, high] = sequenceBounds(plain, 3)
    expect(low).toBeCloseTo(0.2, 6)
    expect(high).toBeCloseTo(0.8, 6)
  })

  it('are those of Student’s distribution for few: t at 30 has the tail of z = 3 at 3.2703', () => {
    const [low, high] = sequenceBounds({ ...plain, degreesOfFreedom: 30 }, 3)
    expect((high - low) / 2 / 0.1).toBeCloseTo(3.2703, 4)
  })

  it('solve Hall’s cubic where influences are skewed, and lean away from the long tail', () => {
    const skewness = 0.2
    const straight = (t: number): number =>
      t + (skewness * t * t) / 3 + (skewness * skewness * t ** 3) / 27 + skewness / 6
    const [low, high] = sequenceBounds({ ...plain, skewness }, 3)
    expect(straight((0.5 - low) / 0.1)).toBeCloseTo(3, 6)
    expect(straight((0.5 - high) / 0.1)).toBeCloseTo(-3, 6)
    expect(high - 0.5).toBeGreaterThan(1.5 * (0.5 - low))
    // The other way round for the other skew.
    const [otherLow, otherHigh] = sequenceBounds({ ...plain, skewness: -skewness }, 3)
    expect(otherLow - 0.5).toBeCloseTo(0.5 - high, 12)
    expect(otherHigh - 0.5).toBeCloseTo(0.5 - low, 12)
  })

  it('do not jump as skewness vanishes', () => {
    const [low, high] = sequenceBounds({ ...plain, skewness: 2e-6 }, 3)
    const [lowWithout, highWithout] = sequenceBounds({ ...plain, skewness: 5e-7 }, 3)
    expect(low).toBeCloseTo(lowWithout, 5)
    expect(high).toBeCloseTo(highWithout, 5)
  })
})

describe('the confidence sequence', () => {
  it('is not offered before 30 effective degrees of freedom, and says so', () => {
    const rare = clickInterval(snips, momentsOf(drawRows(1, 300, 1, 0.02)), { method: 'sequence' })
    expect(rare.interval).toBeNull()
    expect(rare.reason).toMatch(/^A sequence starts at 30 effective degrees of freedom; the log has \d/)
    expect(
      clickInterval(snips, momentsOf(drawRows(1, 3000, 1, 0.02)), { method: 'sequence' }).interval,
    ).not.toBeNull()
  })

  it('counts time in rows, which grow where users return', () => {
    // The same 80 users, each row three times: no more information, but the log has grown.
    const grown = momentsOf(drawRows(1, 80, 5).flatMap((row) => [row, row, row]))
    const [low, high] = bounds(clickInterval(snips, usual, { method: 'sequence', tightestAt: 400 }))
    const [grownLow, grownHigh] = bounds(
      clickInterval(snips, grown, { method: 'sequence', tightestAt: 1200 }),
    )
    expect(grownHigh - grownLow).toBeCloseTo(high - low, 10)
  })

  it('refuses to be tightest nowhere, and an expectation that cannot be', () => {
    expect(() => clickInterval(snips, usual, { method: 'sequence', tightestAt: 0 })).toThrow(/tightestAt/)
    expect(() =>
      clickInterval(snips, usual, { method: 'sequence', maxWeight: 2, expectedReward: 7 }),
    ).toThrow(/within the range of rewards, 0 to 1, not 7/)
  })
})

describe('the regime', () => {
  it.each([
    [{}, 'sequence'],
    [{ maxWeight: 30 }, 'sequence'],
    [{ expectedReward: 0.005 }, 'sequence'],
    // 10,000 · 0.005 / 30 = 1.7 expected rewards of the largest weight.
    [{ maxWeight: 30, expectedReward: 0.005 }, 'betting'],
    [{ maxWeight: 2, expectedReward: 0.3 }, 'sequence'],
    [{ maxWeight: 30, expectedReward: 0.005, tightestAt: 1e6 }, 'sequence'],
    [{ maxWeight: 2, expectedReward: 3, rewardRange: [3, 4] }, 'betting'],
  ] as const)('of %o is %s', (settings, regime) => {
    expect(sequenceRegime({ rewardRange: [0, 1], ...settings })).toBe(regime)
  })

  it('is taken by the sequence, whatever the log turns out to be', () => {
    const ask = (expectedReward: number) =>
      clickInterval(snips, usual, { ...known, method: 'sequence', expectedReward })
    expect(ask(0.001)).toEqual(clickInterval(snips, usual, { ...known, method: 'betting' }))
    expect(ask(0.3)).toEqual(clickInterval(snips, usual, { ...known, method: 'sequence' }))
  })

  it('is never betting for estimators that betting does not cover', () => {
    const settings = { ...known, method: 'sequence', expectedReward: 0.001 } as const
    expect(clickInterval(dr, usual, settings).method).toBe('sequence')
    expect(clickInterval(ips, usual, settings).method).toBe('betting')
  })
})
