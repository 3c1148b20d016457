import { describe, expect, it } from 'vitest'
import { randomStream } from '../../random/stream.js'
import { valueOf } from '../estimator.js'
import { estimatorNamed } from '../estimators/index.js'
import { Moments } from '../source/moments.js'
import { one, weight, weightedReward } from '../term.js'
import {
  clickInterval,
  bounds,
  close,
  dr,
  drawRows,
  ips,
  momentsOf,
  type Row,
  snips,
  usual,
  width,
} from './example-moments.js'

const ask = (rows: readonly Row[], estimator = snips, maxWeight = 2) =>
  clickInterval(estimator, momentsOf(rows), { method: 'betting', maxWeight })

/** The capital of one side against v, a row at a time, as the definition reads. */
function slowCapital(rows: readonly Row[], sign: 1 | -1, v: number, maxWeight: number): number {
  const bets = Array.from({ length: sign > 0 ? 33 : 23 }, (_, k) => 2 ** (0.5 * k - 11) / maxWeight)
  const most = 0.9 / (maxWeight * (sign > 0 ? v : 1 - v))
  const capitals = bets.map((bet) =>
    rows.reduce((capital, { w, r }) => capital * (1 + sign * Math.min(bet, most) * w * (r - v)), 1),
  )
  return capitals.reduce((sum, capital) => sum + capital, 0) / bets.length
}

/** Rows of two weights with mean 1; clicks do not depend on them. */
function drawRare(seed: number, count: number, rate: number): Row[] {
  const random = randomStream(seed, 'betting')
  return Array.from({ length: count }, (_, cluster) => ({
    cluster,
    w: random.uniform() < 0.9 ? 0.5 : 5.5,
    r: random.uniform() < rate ? 1 : 0,
  }))
}

describe('the betting sequence', () => {
  it('ends where the capital reaches 2/α, as the definition reads', () => {
    const rows = drawRows(3, 200, 1, 0.1)
    const [low, high] = bounds(ask(rows))
    expect(slowCapital(rows, 1, low, 2) / 40).toBeCloseTo(1, 6)
    expect(slowCapital(rows, -1, high, 2) / 40).toBeCloseTo(1, 6)
  })

  it('of rows without a click: from 0 up to where the average of (1 + λv)ⁿ is 40, with bets of at most 0.9', () => {
    const rows = Array.from({ length: 300 }, (_, cluster) => ({ cluster, w: 1, r: 0 }))
    const [low, high] = bounds(ask(rows, snips, 1))
    expect(low).toBe(0)
    const capital = (v: number): number => {
      const bets = Array.from({ length: 23 }, (_, k) => Math.min(2 ** (0.5 * k - 11), 0.9 / (1 - v)))
      return bets.reduce((sum, bet) => sum + (1 + bet * v) ** 300, 0) / 23
    }
    expect(capital(high) / 40).toBeCloseTo(1, 6)
    expect(high).toBeLessThan(0.03)
  })

  it('bets whose stake is the value have a mean of 1: nobody wins on average', () => {
    // All eight logs of three rows, each as likely as it is: the expectation, exactly.
    const rate = 0.3
    for (const sign of [1, -1] as const) {
      let expected = 0
      for (let log = 0; log < 8; log++) {
        const clicks = [0, 1, 2].map((k) => (log >> k) & 1)
        const rows = clicks.map((r, cluster) => ({ cluster, w: 1, r }))
        const chance = clicks.reduce((product, r) => product * (r === 1 ? rate : 1 - rate), 1)
        expected += chance * slowCapital(rows, sign, rate, 1)
      }
      expect(expected).toBeCloseTo(1, 12)
    }
  })

  it('contains the value at each of 12 looks from the fifth row on, in at least 95 of 100 logs', () => {
    let held = 0
    for (let seed = 0; seed < 100; seed++) {
      const rows = drawRare(seed, 400, 0.02)
      const sums = [one, weight, weightedReward].map(
        ({ name }, t) => [name, Float64Array.from(rows, ({ w, r }) => [1, w, w * r][t]!)] as const,
      )
      const holds = Array.from({ length: 12 }, (_, k) => Math.round(5 * 80 ** (k / 11))).every((seen) => {
        const moments = new Moments(
          new Uint32Array(seen),
          new Map(sums.map(([name, values]) => [name, values.subarray(0, seen)])),
        )
        const [low, high] = bounds(clickInterval(ips, moments, { method: 'betting', maxWeight: 5.5 }))
        return low <= 0.02 && 0.02 <= high
      })
      held += holds ? 1 : 0
    }
    expect(held).toBeGreaterThanOrEqual(95)
  })

  it('is narrower than Bernstein’s interval, which holds for one look only', () => {
    const moments = momentsOf(drawRare(1, 4000, 0.02))
    const at = (method: 'betting' | 'bernstein'): number =>
      width(clickInterval(ips, moments, { method, maxWeight: 5.5 }))
    expect(at('betting')).toBeLessThan(0.8 * at('bernstein'))
  })

  it('stays within the range of rewards, wherever that is', () => {
    const rows = drawRows(1, 60, 1, 0.2)
    const [low, high] = bounds(ask(rows))
    const moved = momentsOf(rows.map((row) => ({ ...row, r: row.r - 2 })))
    const range = { method: 'betting', maxWeight: 2, rewardRange: [-2, -1] } as const
    const [movedLow, movedHigh] = bounds(clickInterval(snips, moved, range))
    close(movedLow, low - 2)
    close(movedHigh, high - 2)
    expect(bounds(clickInterval(ips, moved, range))[0]).toBeGreaterThanOrEqual(-2)
  })

  it('holds for β-IPS too, which estimates the same', () => {
    const betaIps = estimatorNamed('beta-ips')
    const moments = momentsOf(drawRows(1, 300, 1, 0.3))
    const sums = new Map([one, weight, weightedReward].map((term) => [term.name, moments.sums(term)]))
    const squares = moments.sums(weight).map((w) => w * w)
    sums.set('w·w', squares)
    sums.set(
      '(w·w)·r',
      squares.map((square, g) => (square * moments.sums(weightedReward)[g]!) / moments.sums(weight)[g]!),
    )
    const whole = new Moments(moments.keys, sums)
    const [low, high] = bounds(clickInterval(betaIps, whole, { method: 'betting', maxWeight: 2 }))
    expect(low).toBeLessThan(valueOf(betaIps, whole)!)
    expect(high).toBeGreaterThan(valueOf(betaIps, whole)!)
  })

  it('says what clusters of several rows ask for, and nothing where rows are clusters', () => {
    expect(clickInterval(snips, usual, { method: 'betting', maxWeight: 2 }).reason).toBe(
      'It holds at every look if the rows of a cluster all arrive between two looks.',
    )
    expect(ask(drawRows(1, 50, 1)).reason).toBeUndefined()
  })

  it('is none for what it does not bound, or by buckets that grow', () => {
    const reasonOf = (result: ReturnType<typeof clickInterval>): string | undefined => {
      expect(result.interval).toBeNull()
      return result.reason
    }
    expect(reasonOf(clickInterval(dr, usual, { method: 'betting', maxWeight: 2 }))).toMatch(/ips and snips/)
    expect(reasonOf(clickInterval(snips, usual, { method: 'betting' }))).toMatch(
      /largest possible weight is unknown/,
    )
    expect(reasonOf(ask(drawRows(1, 50, 1), snips, 1.2))).toMatch(/weights above 1.2/)
    const large = drawRows(1, 50, 1).map((row) => ({ ...row, r: 5 * row.r }))
    expect(reasonOf(ask(large))).toMatch(/rewards outside 0 to 1/)
    const sums = new Map([one, weight, weightedReward].map((term) => [term.name, usual.sums(term)]))
    const buckets = new Moments(usual.keys, sums, { by: 'bucket' })
    expect(reasonOf(clickInterval(snips, buckets, { method: 'betting', maxWeight: 2 }))).toMatch(
      /buckets of them grow/,
    )
  })
})
