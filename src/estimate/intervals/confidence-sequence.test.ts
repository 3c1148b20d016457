import { describe, expect, it } from 'vitest'
import { drawNormal } from '../../random/distributions.js'
import { randomStream } from '../../random/stream.js'
import { Moments } from '../source/moments.js'
import { weight, weightedReward } from '../term.js'
import type { IntervalMethod } from './index.js'
import { clickInterval, snips, bounds, width, usual } from './example-moments.js'

describe('the confidence sequence', () => {
  it('contains the truth at every look in at least 95 of 100 logs, where repeated t intervals do not', () => {
    let held = 0
    let heldByT = 0
    const logs = 200
    for (let k = 0; k < logs; k++) {
      const random = randomStream(k, 'looks')
      const rewards = Float64Array.from({ length: 600 }, () => 0.5 + 0.1 * drawNormal(random))
      const ones = new Float64Array(600).fill(1)
      let all = true
      let allByT = true
      for (let seen = 40; seen <= 600; seen += 40) {
        const moments = new Moments(
          new Uint32Array(seen),
          new Map([
            [weight.name, ones.subarray(0, seen)],
            [weightedReward.name, rewards.subarray(0, seen)],
          ]),
        )
        const holds = (method: IntervalMethod): boolean => {
          const [low, high] = bounds(clickInterval(snips, moments, { method, tightestAt: 300 }))
          return low <= 0.5 && 0.5 <= high
        }
        all &&= holds('sequence')
        allByT &&= holds('t')
      }
      held += all ? 1 : 0
      heldByT += allByT ? 1 : 0
    }
    expect(held / logs).toBeGreaterThanOrEqual(0.95)
    expect(heldByT / logs).toBeLessThan(0.9)
  })

  it('refuses to be tightest nowhere', () => {
    expect(() => clickInterval(snips, usual, { method: 'sequence', tightestAt: 0 })).toThrow(/tightestAt/)
  })

  it('is 1.55 times a normal interval where it is tightest, and wider elsewhere', () => {
    const ratio = (tightestAt: number): number =>
      width(clickInterval(snips, usual, { method: 'sequence', tightestAt })) /
      width(clickInterval(snips, usual, { method: 'normal' }))
    expect(ratio(80)).toBeCloseTo(1.55, 2)
    for (const elsewhere of [10, 60, 110, 1000]) expect(ratio(elsewhere)).toBeGreaterThan(ratio(80))
  })
})
