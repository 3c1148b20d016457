import { describe, expect, it } from 'vitest'
import { valueOf } from '../estimator.js'
import { Moments } from '../source/moments.js'
import { type IntervalMethod, type IntervalOptions, INTERVALS } from './index.js'
import type { IntervalResult } from './interval.js'
import {
  clickInterval,
  snips,
  momentsOf,
  drawRows,
  bounds,
  width,
  close,
  usual,
  estimatorFor,
  known,
} from './example-moments.js'

describe.each(INTERVALS.names as IntervalMethod[])('%s', (method) => {
  const estimator = estimatorFor(method)
  const ask = (moments: Moments, options: IntervalOptions = {}): IntervalResult =>
    clickInterval(estimator, moments, { ...known, method, ...options })

  it('contains the estimate', () => {
    const [low, high] = bounds(ask(usual))
    const value = valueOf(estimator, usual)!
    expect(low).toBeLessThan(value)
    expect(high).toBeGreaterThan(value)
  })

  it('is wider with more confidence', () => {
    let before = 0
    for (const confidence of [0.5, 0.8, 0.95, 0.99]) {
      const now = width(ask(usual, { confidence, bootstrap: 2000 }))
      expect(now).toBeGreaterThan(before)
      before = now
    }
  })

  it('does not depend on the order of clusters', () => {
    const rows = drawRows(1, 80, 5)
    const [low, high] = bounds(ask(usual))
    const [lowToo, highToo] = bounds(ask(momentsOf(rows.toReversed())))
    close(low, lowToo)
    close(high, highToo)
  })

  it('is the same from merged parts as from the whole', () => {
    const rows = drawRows(1, 80, 5)
    const merged = Moments.merge(momentsOf(rows.slice(0, 123)), momentsOf(rows.slice(123)))
    const [low, high] = bounds(ask(merged))
    close(low, bounds(ask(usual))[0])
    close(high, bounds(ask(usual))[1])
  })

  it('scales with the rewards', () => {
    const larger = momentsOf(drawRows(1, 80, 5).map((row) => ({ ...row, r: row.r * 10 })))
    const [low, high] = bounds(ask(larger, { rewardRange: [0, 10] }))
    close(low, 10 * bounds(ask(usual))[0])
    close(high, 10 * bounds(ask(usual))[1])
  })

  it('is narrower with more data of the same kind', () => {
    const more = momentsOf(
      drawRows(1, 80, 5).flatMap((row) =>
        [0, 1, 2, 3].map((k) => ({ ...row, cluster: row.cluster * 4 + k })),
      ),
    )
    expect(width(ask(more))).toBeLessThan(width(ask(usual)))
  })

  it('is undefined for an empty log, and says so', () => {
    const empty = ask(momentsOf([]))
    expect(empty.interval).toBeNull()
    expect(empty.reason).toMatch(/no rows/)
  })

  it('is undefined when no row has any weight, for a ratio', () => {
    if (estimator !== snips) return
    const nothing = ask(momentsOf([1, 2, 3].map((cluster) => ({ cluster, w: 0, r: 1 }))))
    expect(nothing.interval).toBeNull()
    expect(nothing.reason).toMatch(/undefined/)
  })

  it('refuses a confidence outside 0 to 1', () => {
    expect(() => ask(usual, { confidence: 95 })).toThrow(/between 0 and 1/)
  })
})

describe('moves with the rewards', () => {
  it.each(['auto', 'normal', 't', 'logit-t', 'bootstrap', 'bca', 'sequence', 'cressie-read'] as const)(
    '%s of SNIPS',
    (method) => {
      const moved = momentsOf(drawRows(1, 80, 5).map((row) => ({ ...row, r: row.r + 3 })))
      const [low, high] = bounds(clickInterval(snips, moved, { ...known, method, rewardRange: [3, 4] }))
      const [lowBefore, highBefore] = bounds(clickInterval(snips, usual, { ...known, method }))
      close(low, lowBefore + 3)
      close(high, highBefore + 3)
    },
  )
})
