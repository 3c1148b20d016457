import { describe, expect, it } from 'vitest'
import type { Estimator } from '../estimator.js'
import { estimatorNamed } from '../estimators/index.js'
import { Moments } from '../source/moments.js'
import { one, type Term, weight, weightedReward } from '../term.js'
import { clickInterval, snips, ips, dr, momentsOf, drawRows, bounds, usual } from './example-moments.js'

describe('auto', () => {
  it('uses the jackknife on the logit scale where the estimate rests on enough clicks', () => {
    const result = clickInterval(snips, usual)
    expect(result.method).toBe('logit-t')
    expect(result.reason).toBeUndefined()
  })

  it('stays inside the range of rewards', () => {
    const [low, high] = bounds(clickInterval(snips, momentsOf(drawRows(8, 400, 1, 0.04))))
    expect(low).toBeGreaterThan(0)
    expect(high).toBeLessThan(1)
  })

  const few = momentsOf(drawRows(9, 300, 1, 0.01))

  it('takes the worst case below ten effective clicks, when a largest weight is known', () => {
    const result = clickInterval(snips, few, { maxWeight: 2 })
    expect(result.method).toBe('cressie-read')
    expect(result.reason).toMatch(/effective clicks/)
    expect(clickInterval(estimatorNamed('clipped-ips', 2), few).method).toBe('bernstein')
  })

  it('warns when none is', () => {
    const result = clickInterval(snips, few)
    expect(result.method).toBe('logit-t')
    expect(result.interval).not.toBeNull()
    expect(result.reason).toMatch(/too narrow/)
  })

  it('gives an upper bound without a single click, and none without a largest weight', () => {
    const silent = momentsOf(drawRows(9, 300, 1, -1))
    expect(clickInterval(snips, silent).interval).toBeNull()
    const [low, high] = bounds(clickInterval(snips, silent, { maxWeight: 2 }))
    expect(low).toBe(0)
    expect(high).toBeGreaterThan(0.005)
    expect(high).toBeLessThan(0.2)
  })

  it('says when an estimate beyond the rewards takes the plain scale', () => {
    const above = momentsOf(drawRows(10, 200, 1, 0.97).map((row) => ({ ...row, w: row.w * 1.3 })))
    const result = clickInterval(ips, above)
    expect(result.method).toBe('jackknife-t')
    expect(result.reason).toMatch(/not on the logit scale/)
  })

  it('manages without the sums of weights and rewards, as for slates', () => {
    const clicks: Term = { ...weightedReward, name: 'weighted clicks' }
    const slates: Term = { ...one, name: 'slates' }
    const own = new Moments(
      usual.keys,
      new Map([
        [clicks.name, usual.sums(weightedReward)],
        [slates.name, usual.sums(one)],
      ]),
    )
    const slate: Estimator = { ...ips, rows: 'slates', ratios: [{ numerator: clicks, denominator: slates }] }
    expect(clickInterval(slate, own)).toEqual(clickInterval(ips, usual))
    const bare = new Moments(
      usual.keys,
      new Map([weight, weightedReward].map((term) => [term.name, usual.sums(term)])),
    )
    expect(clickInterval(snips, bare, { method: 'cressie-read', maxWeight: 2 }).reason).toMatch(
      /not requested/,
    )
  })

  it('bounds what shrunk weights leave, and says that it does not cover the bias', () => {
    const result = clickInterval(estimatorNamed('clipped-ips', 2), usual, { method: 'bernstein' })
    expect(result.reason).toMatch(/bias/)
    expect(clickInterval(snips, usual, { method: 'bernstein', maxWeight: 2 }).reason).toMatch(
      /snips is not one/,
    )
    expect(clickInterval(dr, usual, { method: 'cressie-read', maxWeight: 2 }).reason).toMatch(
      /dr estimates something else/,
    )
  })
})
