import { describe, expect, it } from 'vitest'
import { influenceOf, standardErrorOf, termsOf, valueOf } from '../estimator.js'
import { snips } from '../estimators/importance.js'
import { logOfDays, sumsOf } from '../example-days.js'
import type { ClusterColumn, Moments } from '../source/moments.js'
import { isLacking } from '../source/source.js'
import { influencesOf, spreadOf } from '../spread.js'
import { widened } from './interval.js'
import { askSums } from '../source/example-asks.js'

/** Clicks on every second day only: days differ as much as they can. */
const plain = logOfDays(3, { rows: 300, users: 60, days: 8 })
const log = {
  ...plain,
  reward: plain.time!.map((at, row) => (Math.floor(at / 86_400_000) % 2 === 0 ? plain.reward[row]! : 0)),
}
const momentsBy = async (...ways: ClusterColumn[]): Promise<Moments> => {
  const moments = await askSums(sumsOf(log), termsOf([snips]), ways)
  if (isLacking(moments)) throw new Error(moments.lacking)
  return moments
}
const narrow = { interval: [0.05, 0.3], method: 'bernstein', reason: 'because' } as const

describe('an interval that knows one way alone', () => {
  it('is widened about the estimate as much as the second way widens the standard error', async () => {
    const moments = await momentsBy('user', 'day')
    const value = valueOf(snips, moments)!
    const factor = spreadOf(influencesOf(snips, moments))! / standardErrorOf(influenceOf(snips, moments))!
    expect(factor).toBeGreaterThan(1.5)
    expect(widened(narrow, snips, moments)).toEqual({
      ...narrow,
      interval: [
        expect.closeTo(value - factor * (value - 0.05), 12),
        expect.closeTo(value + factor * (0.3 - value), 12),
      ],
    })
  })

  it('stays as it is where there is no second way, or no interval', async () => {
    expect(widened(narrow, snips, await momentsBy('user'))).toBe(narrow)
    const none = { ...narrow, interval: null }
    expect(widened(none, snips, await momentsBy('user', 'day'))).toBe(none)
  })

  it('is never narrowed by a second way that adds nothing, or less', async () => {
    const moments = await momentsBy('user')
    const both = await momentsBy('day')
    for (const second of [moments, await momentsBy('row')]) {
      // V_user + V_second − V_both is at most V_user.
      const crossed = moments.crossedWith([
        { sign: 1, moments: second },
        { sign: -1, moments: second === moments ? moments : both },
      ])
      expect(spreadOf(influencesOf(snips, crossed))!).toBeLessThanOrEqual(
        standardErrorOf(influenceOf(snips, moments))!,
      )
      expect(widened(narrow, snips, crossed)).toBe(narrow)
    }
  })
})
