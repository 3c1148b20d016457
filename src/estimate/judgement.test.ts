import { describe, expect, it } from 'vitest'
import type { Log } from '../log/log.js'
import { exp, log as naturalLog } from '../portable-math.js'
import { randomStream } from '../random/stream.js'
import { DIAGNOSTIC_TERMS } from './diagnostics.js'
import type { Estimator } from './estimator.js'
import { ips } from './estimators/ips.js'
import { snips } from './estimators/snips.js'
import { type Judgement, judgementOf } from './judgement.js'
import { reliabilityOf } from './reliability.js'
import { momentsOf } from './source/moments-of.js'
import { influencesOf } from './spread.js'
import { weightedReward } from './term.js'

interface Row {
  readonly user: number
  readonly w: number
  readonly r: number
}

const sumsOf = (rows: readonly Row[]) => {
  const users = Math.max(...rows.map(({ user }) => user)) + 1
  const log: Log = {
    rows: rows.length,
    user: Uint32Array.from(rows, ({ user }) => user),
    item: new Uint32Array(rows.length),
    userIds: Array.from({ length: users }, (_, user) => `u${user}`),
    itemIds: ['a'],
    catalogueKnown: false,
    reward: Float64Array.from(rows, ({ r }) => r),
    propensitySource: 'logged',
  }
  return momentsOf({ log, weight: Float64Array.from(rows, ({ w }) => w) }, DIAGNOSTIC_TERMS, 'user')
}

const judge = (rows: readonly Row[], isBinary = true, estimator: Estimator = snips): Judgement => {
  const moments = sumsOf(rows)
  return judgementOf(estimator, moments, influencesOf(estimator, moments), isBinary)
}

/** Weights that differ by user and row, and clicks on every fifth row. */
const uneven = Array.from({ length: 3000 }, (_, k): Row => ({
  user: k % 150,
  w: 0.2 + ((k * 7) % 11) / 5 + (k % 150 < 10 ? 2 : 0),
  r: Math.floor(k / 150) % 5 === 0 ? 1 : 0,
}))

describe('the clicks to be expected', () => {
  it('are p·n where rows are independent and weigh the same', () => {
    const rows = Array.from({ length: 1000 }, (_, k): Row => ({ user: k, w: 1, r: k % 4 === 0 ? 1 : 0 }))
    const { effectiveClicks, degreesOfFreedom, topClusterShare, ess } = judge(rows)
    expect(effectiveClicks).toBeCloseTo(250, 0)
    expect(degreesOfFreedom).toBeCloseTo(1000, 9)
    expect(topClusterShare).toBeCloseTo(1 / 1000, 12)
    expect(ess).toBeCloseTo(1000, 9)
  })

  it('are G·p·m/(1 − p + pm) for G users of m rows each', () => {
    const [users, each, p] = [50, 20, 0.25]
    const rows = Array.from({ length: users * each }, (_, k): Row => ({
      user: k % users,
      w: 1,
      r: k % 4 === 0 ? 1 : 0,
    }))
    const expected = (users * p * each) / (1 - p + p * each)
    expect(judge(rows).effectiveClicks / expected).toBeCloseTo(1, 2)
  })

  it('are those of logs that are drawn again with the same weights: (E Σy)²/E Σy²', () => {
    const { uniform } = randomStream(7, 'clicks')
    const p = 0.2
    let [total, squares] = [0, 0]
    const draws = 400
    for (let draw = 0; draw < draws; draw++) {
      const y = new Float64Array(150)
      for (const { user, w } of uneven) if (uniform() < p) y[user]! += w
      for (const sum of y) {
        total += sum / draws
        squares += (sum * sum) / draws
      }
    }
    expect(judge(uneven).effectiveClicks / (total ** 2 / squares)).toBeCloseTo(1, 1.7)
  })

  it('do not hang on which of two rows of the same weight was clicked', () => {
    const rows = uneven.map((row, k) => ({ ...row, w: 1 + (k % 150 < 75 ? 0 : 1) }))
    // The same number of clicks at each weight, given to the first users alone.
    const clicksAt = (w: number): number => rows.filter((row) => row.w === w && row.r === 1).length
    const left = new Map([1, 2].map((w) => [w, clicksAt(w)]))
    const gathered = rows
      .toSorted((a, b) => a.user - b.user)
      .map((row) => {
        const clicks = left.get(row.w)!
        left.set(row.w, Math.max(0, clicks - 1))
        return { ...row, r: clicks > 0 ? 1 : 0 }
      })
    const [even, uneasy] = [judge(rows), judge(gathered)]
    for (const part of ['effectiveClicks', 'degreesOfFreedom', 'topClusterShare', 'ess'] as const)
      expect(uneasy[part]! / even[part]!).toBeCloseTo(1, 9)
    // What was seen differs: the clicks of few users count as few.
    expect(uneasy.clicksSeen!).toBeLessThan(0.6 * even.clicksSeen!)
  })

  it('hardly change where a few clicks more happened to be seen: the log’s own rate weighs in', () => {
    const rows = Array.from({ length: 300 }, (_, k): Row => ({
      user: k,
      w: k % 10 === 0 ? 5.5 : 0.5,
      r: k % 20 === 1 ? 1 : 0,
    }))
    const lucky = rows.map((row, k) => (k === 0 || k === 10 ? { ...row, r: 1 } : row))
    const seen = (some: readonly Row[]): number => {
      const moments = sumsOf(some)
      return moments.total(weightedReward)
    }
    expect(seen(lucky) / seen(rows)).toBeGreaterThan(2)
    expect(judge(lucky).effectiveClicks / judge(rows).effectiveClicks).toBeLessThan(1.3)
  })
})

describe('degrees of freedom of the weights', () => {
  it('are few where few users hold the weight', () => {
    const rows = uneven.map((row) => ({ ...row, w: row.user < 4 ? 100 : 0.01 }))
    expect(judge(rows).degreesOfFreedom).toBeCloseTo(4, 1)
    expect(judge(rows).topClusterShare).toBeCloseTo(0.25, 2)
  })
})

describe('rewards other than clicks', () => {
  const amounts = (tail: number): Row[] => {
    const { uniform } = randomStream(11, 'amounts')
    return Array.from({ length: 4000 }, (_, user) => ({
      user,
      w: 1,
      r: exp(-tail * naturalLog(1 - uniform())),
    }))
  }

  it('are judged by what was seen', () => {
    const rows = amounts(0.2)
    const moments = sumsOf(rows)
    const influences = influencesOf(ips, moments)
    const { effectiveClicks, degreesOfFreedom, topClusterShare } = reliabilityOf(
      moments.sums(weightedReward),
      influences[0]!.influence,
    )
    expect(judge(rows, false, ips)).toMatchObject({
      effectiveClicks,
      degreesOfFreedom,
      topClusterShare,
      clicksSeen: null,
    })
  })

  it.each([0.2, 0.8])('have the tail of their weighted rewards: Pareto %d', (tail) => {
    expect(Math.abs(judge(amounts(tail), false).rewardTail! - tail)).toBeLessThan(0.2)
  })

  it('have no tail where they are clicks, or all the same', () => {
    expect(judge(uneven).rewardTail).toBeNull()
    const five = uneven.map((row) => ({ ...row, user: 0, w: 1, r: 5 * row.r }))
    expect(judge(five, false).rewardTail).toBeNull()
  })
})
