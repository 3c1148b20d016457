import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { drawNormal } from '../../random/distributions.js'
import { randomStream } from '../../random/stream.js'
import { type Estimator, influenceOf, standardErrorOf, termsOf, valueOf } from '../estimator.js'
import { estimatorNamed } from '../estimators/index.js'
import { Moments } from '../moments.js'
import { degreesOfFreedomOf } from '../reliability.js'
import { one, reward, type RowValues, type Term, weight, weightedReward } from '../term.js'
import {
  differenceInterval,
  INTERVAL_METHODS,
  INTERVAL_TERMS,
  type IntervalMethod,
  type IntervalOptions,
  intervalFor,
} from './auto.js'
import { bootstrapValues, poissonCount } from './bootstrap.js'
import { cressieReadPoint } from './empirical-likelihood.js'
import type { IntervalResult } from './interval.js'
import { studentQuantile } from './student.js'

const golden = JSON.parse(readFileSync(new URL('../estimators/golden.json', import.meta.url), 'utf8'))
const snips = estimatorNamed('snips')
const ips = estimatorNamed('ips')
const dr = estimatorNamed('dr')
const sndr = estimatorNamed('sndr')
const terms = [
  ...termsOf([snips, ips, dr, sndr, estimatorNamed('clipped-ips', 2)]),
  ...INTERVAL_TERMS,
  reward,
]

interface Row extends Partial<RowValues> {
  cluster: number
  r: number
  w: number
}

/** The sums of rows by cluster, keys from the clusters' numbers. */
function momentsOf(rows: readonly Row[]): Moments {
  const places = new Map<number, number>()
  for (const { cluster } of rows) if (!places.has(cluster)) places.set(cluster, places.size)
  const sums = new Map(terms.map(({ name }) => [name, new Float64Array(places.size)]))
  for (const row of rows)
    for (const term of new Map(terms.map((one) => [one.name, one])).values())
      sums.get(term.name)![places.get(row.cluster)!]! += term.of({ q: 0.3, v: 0.3, m: 1, ...row })
  return new Moments(
    Uint32Array.from(places.keys(), (cluster) => Math.imul(cluster + 1, 0x9e3779b1)),
    sums,
  )
}

/** A log of `users` users with `each` rows; weights of mean 1, between 0.1 and 1.9. */
function drawRows(seed: number, users: number, each: number, rate = 0.3): Row[] {
  const random = randomStream(seed, 'intervals')
  return Array.from({ length: users * each }, (_, k) => ({
    cluster: Math.floor(k / each),
    w: 0.1 + 1.8 * random.uniform(),
    r: random.uniform() < rate ? 1 : 0,
  }))
}

const bounds = (result: IntervalResult): readonly [number, number] => {
  if (!result.interval) throw new Error(`no interval: ${result.reason}`)
  return result.interval
}
const width = (result: IntervalResult): number => bounds(result)[1] - bounds(result)[0]
const close = (a: number, b: number, tolerance = 1e-9): void =>
  expect(Math.abs(a - b)).toBeLessThanOrEqual(tolerance * Math.max(1, Math.abs(a), Math.abs(b)))

const usual = momentsOf(drawRows(1, 80, 5))
const known: IntervalOptions = { maxWeight: 2, bootstrap: 400 }
const estimatorFor = (method: IntervalMethod): Estimator =>
  method === 'bernstein' || method === 'hoeffding' ? ips : snips

describe.each(INTERVAL_METHODS)('%s', (method) => {
  const estimator = estimatorFor(method)
  const ask = (moments: Moments, options: IntervalOptions = {}): IntervalResult =>
    intervalFor(estimator, moments, { ...known, method, ...options })

  it('holds the estimate', () => {
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

  it('is narrower with more of the same', () => {
    const more = momentsOf(
      drawRows(1, 80, 5).flatMap((row) =>
        [0, 1, 2, 3].map((k) => ({ ...row, cluster: row.cluster * 4 + k })),
      ),
    )
    expect(width(ask(more))).toBeLessThan(width(ask(usual)))
  })

  it('is none for an empty log, and says so', () => {
    const empty = ask(momentsOf([]))
    expect(empty.interval).toBeNull()
    expect(empty.reason).toMatch(/no rows/)
  })

  it('is none when no row has any weight, for a ratio', () => {
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
      const [low, high] = bounds(intervalFor(snips, moved, { ...known, method, rewardRange: [3, 4] }))
      const [lowBefore, highBefore] = bounds(intervalFor(snips, usual, { ...known, method }))
      close(low, lowBefore + 3)
      close(high, highBefore + 3)
    },
  )
})

describe('the bootstrap', () => {
  it('has the standard error of the clusters in the limit', () => {
    for (const estimator of [snips, ips, dr, sndr]) {
      const values = bootstrapValues(estimator, usual, { resamples: 4000, seed: 3 })
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length
      const spread = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length)
      expect(spread / standardErrorOf(influenceOf(estimator, usual))!).toBeCloseTo(1, 1)
    }
  })

  it('counts clusters by a Poisson law of mean 1', () => {
    expect([0, 1580030167, 1580030168, 3160060337, 4294967295].map(poissonCount)).toEqual([0, 0, 1, 2, 13])
    const random = randomStream(1, 'poisson')
    const counts = Array.from({ length: 20_000 }, () => poissonCount(random.word()))
    const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length
    expect(mean).toBeCloseTo(1, 1)
    expect(counts.reduce((sum, count) => sum + (count - mean) ** 2, 0) / counts.length).toBeCloseTo(1, 1)
  })

  it('gives the same replicates for ever', () => {
    const values = bootstrapValues(snips, momentsOf(drawRows(1, 20, 3)), { resamples: 6, seed: 11 })
    expect([...values]).toMatchInlineSnapshot(`
      [
        0.2443511286603207,
        0.12552159879610952,
        0.26354500897717453,
        0.24565602337599607,
        0.40572331740168205,
        0.28750299594473444,
      ]
    `)
  })

  it('gives others for another seed, and begins alike for more resamples', () => {
    const few = bootstrapValues(snips, usual, { resamples: 10, seed: 1 })
    expect(bootstrapValues(snips, usual, { resamples: 30, seed: 1 }).slice(0, 10)).toEqual(few)
    expect(bootstrapValues(snips, usual, { resamples: 10, seed: 2 })).not.toEqual(few)
    expect(bootstrapValues(snips, usual, { resamples: 10, seed: 1 + 2 ** 32 })).not.toEqual(few)
    expect(bootstrapValues(snips, usual)).toHaveLength(50)
  })

  it('draws the same clusters for two estimators of one log', () => {
    // SNDR with a constant model is SNIPS, replicate by replicate.
    const one = bootstrapValues(snips, usual, { resamples: 20 })
    const other = bootstrapValues(sndr, usual, { resamples: 20 })
    one.forEach((value, b) => close(value, other[b]!))
  })

  it('refuses half a resample', () => {
    expect(() => bootstrapValues(snips, usual, { resamples: 10.5 })).toThrow(/whole number/)
    expect(bootstrapValues(snips, usual, { resamples: 0 })).toHaveLength(0)
  })

  it('says when its resamples are few', () => {
    expect(intervalFor(snips, usual, { method: 'bootstrap' }).reason).toMatch(/50 resamples/)
    expect(intervalFor(snips, usual, { method: 'bootstrap', bootstrap: 1000 }).reason).toBeUndefined()
  })
})

describe('traps of other tools', () => {
  it('SNIPS interval with a fixed denominator: rewards that are all 1 leave no spread', () => {
    // With the mean weight kept fixed, w·r/mean(w) would seem to vary; the ratio is 1 in every resample.
    const certain = momentsOf(drawRows(2, 50, 4, 1.1))
    for (const value of bootstrapValues(snips, certain)) close(value, 1)
    expect(intervalFor(snips, certain, { method: 't' }).interval).toBeNull()
    expect(width(intervalFor(ips, certain, { method: 't' }))).toBeGreaterThan(0.05)
  })

  it('Hoeffding multiplied by n: it narrows as 1/√n, and has the textbook width', () => {
    const at = (users: number): number =>
      width(intervalFor(ips, momentsOf(drawRows(4, users, 1, 0.5)), { method: 'hoeffding', maxWeight: 2 }))
    close(at(4000), 2 * 2 * Math.sqrt(Math.log(2 / 0.05) / 8000))
    close(at(4000) / at(16_000), 2)
  })

  it.each(['bernstein', 'hoeffding', 'cressie-read'] as const)(
    'sample maximum as range: %s without an a-priori range is none',
    (method) => {
      const result = intervalFor(estimatorFor(method), usual, { method })
      expect(result.interval).toBeNull()
      expect(result.reason).toMatch(/largest possible weight is not known/)
    },
  )

  it.each(['bernstein', 'hoeffding', 'cressie-read'] as const)(
    'sample maximum as range: %s widens with the range though the sample is the same',
    (method) => {
      const at = (maxWeight: number): number =>
        width(intervalFor(estimatorFor(method), usual, { method, maxWeight }))
      expect(at(4)).toBeGreaterThan(at(2))
    },
  )

  it.each(['bernstein', 'hoeffding', 'cressie-read'] as const)(
    'a range that the log breaks: %s is none',
    (method) => {
      const result = intervalFor(estimatorFor(method), momentsOf(drawRows(1, 50, 1, 0.9)), {
        method,
        maxWeight: 1.2,
      })
      expect(result.interval).toBeNull()
      expect(result.reason).toMatch(/allow|above/)
    },
  )

  it('bootstrap that mis-pairs rows: numerator and denominator of a cluster are drawn together', () => {
    // w·r = 0.5·w in every row: any resample that keeps the pairs is exactly ½.
    const paired = momentsOf(drawRows(5, 40, 2).map((row) => ({ ...row, r: 0.5 })))
    for (const value of bootstrapValues(snips, paired, { resamples: 200 })) close(value, 0.5)
  })

  it.each(['auto', 't', 'normal', 'logit-t', 'bootstrap', 'bca', 'sequence'] as const)(
    'one nonzero weight gives SE 0: %s is none',
    (method) => {
      const rows = [1, 2, 3, 4, 5].map((cluster) => ({ cluster, w: cluster === 3 ? 4 : 0, r: 1 }))
      const result = intervalFor(snips, momentsOf(rows), { method })
      expect(result.interval).toBeNull()
      expect(result.reason).toMatch(/one cluster holds all the weight/i)
    },
  )

  it.each(['auto', 't', 'normal', 'logit-t', 'bootstrap', 'bca', 'sequence'] as const)(
    'one cluster only: %s is none',
    (method) => {
      const result = intervalFor(snips, momentsOf(drawRows(1, 1, 20)), { method })
      expect(result.interval).toBeNull()
      expect(result.reason).toMatch(/one cluster only/)
    },
  )

  it('rows of one user taken as independent: copies of rows within users do not narrow the interval', () => {
    const rows = drawRows(6, 60, 2)
    const copied = momentsOf(rows.flatMap((row) => [row, row, row]))
    close(
      width(intervalFor(snips, copied, { method: 't' })),
      width(intervalFor(snips, momentsOf(rows), { method: 't' })),
    )
  })
})

describe('auto', () => {
  it('takes the jackknife on the logit scale where enough clicks carry the estimate', () => {
    const result = intervalFor(snips, usual)
    expect(result.method).toBe('logit-t')
    expect(result.reason).toBeUndefined()
  })

  it('stays inside the range of rewards', () => {
    const [low, high] = bounds(intervalFor(snips, momentsOf(drawRows(8, 400, 1, 0.04))))
    expect(low).toBeGreaterThan(0)
    expect(high).toBeLessThan(1)
  })

  const few = momentsOf(drawRows(9, 300, 1, 0.01))

  it('takes the worst case below ten effective clicks, when a largest weight is known', () => {
    const result = intervalFor(snips, few, { maxWeight: 2 })
    expect(result.method).toBe('cressie-read')
    expect(result.reason).toMatch(/effective clicks/)
    expect(intervalFor(estimatorNamed('clipped-ips', 2), few).method).toBe('bernstein')
  })

  it('warns when none is', () => {
    const result = intervalFor(snips, few)
    expect(result.method).toBe('logit-t')
    expect(result.interval).not.toBeNull()
    expect(result.reason).toMatch(/too narrow/)
  })

  it('gives an upper bound without a single click, and none without a largest weight', () => {
    const silent = momentsOf(drawRows(9, 300, 1, -1))
    expect(intervalFor(snips, silent).interval).toBeNull()
    const [low, high] = bounds(intervalFor(snips, silent, { maxWeight: 2 }))
    expect(low).toBe(0)
    expect(high).toBeGreaterThan(0.005)
    expect(high).toBeLessThan(0.2)
  })

  it('says when an estimate beyond the rewards takes the plain scale', () => {
    const above = momentsOf(drawRows(10, 200, 1, 0.97).map((row) => ({ ...row, w: row.w * 1.3 })))
    const result = intervalFor(ips, above)
    expect(result.method).toBe('jackknife-t')
    expect(result.reason).toMatch(/not on the logit scale/)
  })

  it('manages without the sums of weights and rewards, as for slates', () => {
    const clicks: Term = { name: 'weighted clicks', of: ({ w, r }) => w * r, sql: 'w * r' }
    const slates: Term = { name: 'slates', of: () => 1, sql: '1.0' }
    const own = new Moments(
      usual.keys,
      new Map([
        [clicks.name, usual.sums(weightedReward)],
        [slates.name, usual.sums(one)],
      ]),
    )
    const slate: Estimator = { name: 'iips', ratios: [{ numerator: clicks, denominator: slates }] }
    expect(intervalFor(slate, own)).toEqual(intervalFor(ips, usual))
    const bare = new Moments(
      usual.keys,
      new Map([weight, weightedReward].map((term) => [term.name, usual.sums(term)])),
    )
    expect(intervalFor(snips, bare, { method: 'cressie-read', maxWeight: 2 }).reason).toMatch(/not asked for/)
  })

  it('bounds what shrunk weights leave, and says that it does not cover the bias', () => {
    const result = intervalFor(estimatorNamed('clipped-ips', 2), usual, { method: 'bernstein' })
    expect(result.reason).toMatch(/bias/)
    expect(intervalFor(snips, usual, { method: 'bernstein', maxWeight: 2 }).reason).toMatch(/snips is none/)
    expect(intervalFor(dr, usual, { method: 'cressie-read', maxWeight: 2 }).reason).toMatch(/dr is another/)
  })
})

describe('Cressie–Read', () => {
  it('has the golden point estimate', () => {
    const { action, reward: rewards, propensity, pi, expect: expected } = golden.hand
    const rows = action.map((a: number, k: number) => ({
      cluster: k,
      r: rewards[k],
      w: pi[k][a] / propensity[k],
    }))
    const moments = momentsOf(rows)
    close(cressieReadPoint(moments, moments.sums(reward)), expected['cressie-read point'], 1e-12)
  })

  it('is the published interval when every row is its own cluster', () => {
    // The closed form of VowpalWabbit/estimators (bandits/cressieread.py), computed in Python.
    const rows = (factor: number): Row[] =>
      Array.from({ length: 40 }, (_, k) => ({
        cluster: k,
        w: factor * (0.1 + ((k * 37) % 40) / 20),
        r: k % 3 === 0 ? 1 : 0,
      }))
    const ask = (factor: number): readonly [number, number] =>
      bounds(intervalFor(snips, momentsOf(rows(factor)), { method: 'cressie-read', maxWeight: 4 }))
    close(ask(1)[0], 0.1564418471969221, 1e-12)
    close(ask(1)[1], 0.5175181161392918, 1e-12)
    close(ask(0.7)[0], 0.12840599963844415, 1e-12)
    close(ask(0.7)[1], 0.6343614169281149, 1e-12)
  })

  it('spends its budget exactly, for users of unequal activity', () => {
    const maxWeight = 2.5
    const rows = drawRows(13, 60, 6).filter((_, k) => k % 6 <= Math.floor(k / 6) % 6)
    const moments = momentsOf(rows)
    const [sizes, weights, weighted] = [one, weight, weightedReward].map((term) => [...moments.sums(term)])
    const largest = Math.max(...sizes!)
    // T² of the excess weight and, with a value, of S_g[wr] − V n_g, over the clusters and the imagined one.
    const cost = (imagined: number, r: number, value?: number): number => {
      const d = [...sizes!.map((n, g) => weights![g]! - n), largest * (imagined - 1)]
      const e = [
        ...sizes!.map((n, g) => weighted![g]! - (value ?? 0) * n),
        largest * (imagined * r - (value ?? 0)),
      ]
      const mean = (x: number[]): number => x.reduce((sum, one) => sum + one, 0) / x.length
      const covariance = (x: number[], y: number[]): number =>
        mean(x.map((one, k) => (one - mean(x)) * (y[k]! - mean(y))))
      const [dd, de, ee] = [covariance(d, d), covariance(d, e), covariance(e, e)]
      if (value === undefined) return (d.length * mean(d) ** 2) / dd
      return (
        (d.length * (ee * mean(d) ** 2 - 2 * de * mean(d) * mean(e) + dd * mean(e) ** 2)) /
        (dd * ee - de * de)
      )
    }
    const cheapest = cost(moments.total(weight) < moments.total(one) ? maxWeight : 0, 0)
    const budget = cheapest + studentQuantile(0.975, 60) ** 2
    const [low, high] = bounds(intervalFor(snips, moments, { method: 'cressie-read', maxWeight }))
    close(Math.min(cost(0, 0, low), cost(maxWeight, 0, low)), budget, 1e-6)
    close(Math.min(cost(0, 1, high), cost(maxWeight, 1, high)), budget, 1e-6)
  })

  it('lies inside its own interval, and nearer to SNIPS than to IPS where weights run high', () => {
    const moments = momentsOf(drawRows(12, 200, 1).map((row) => ({ ...row, w: row.w * 1.2 })))
    const point = cressieReadPoint(moments, moments.sums(reward), 3)
    const [low, high] = bounds(intervalFor(snips, moments, { method: 'cressie-read', maxWeight: 3 }))
    expect(point).toBeGreaterThan(low)
    expect(point).toBeLessThan(high)
    expect(Math.abs(point - valueOf(snips, moments)!)).toBeLessThan(Math.abs(point - valueOf(ips, moments)!))
  })

  it('does not change when every row stands for two', () => {
    const rows = drawRows(1, 80, 5)
    const doubled = momentsOf(rows.flatMap((row) => [row, row]))
    const [low, high] = bounds(intervalFor(snips, doubled, { ...known, method: 'cressie-read' }))
    close(low, bounds(intervalFor(snips, usual, { ...known, method: 'cressie-read' }))[0])
    close(high, bounds(intervalFor(snips, usual, { ...known, method: 'cressie-read' }))[1])
  })
})

describe('the confidence sequence', () => {
  it('holds the truth at every look in at least 95 of 100 logs, where repeated t intervals do not', () => {
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
            ['w', ones.subarray(0, seen)],
            ['wr', rewards.subarray(0, seen)],
          ]),
        )
        const holds = (method: IntervalMethod): boolean => {
          const [low, high] = bounds(intervalFor(snips, moments, { method, tightestAt: 300 }))
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
    expect(() => intervalFor(snips, usual, { method: 'sequence', tightestAt: 0 })).toThrow(/tightestAt/)
  })

  it('is 1.55 times a normal interval where it is tightest, and wider elsewhere', () => {
    const ratio = (tightestAt: number): number =>
      width(intervalFor(snips, usual, { method: 'sequence', tightestAt })) /
      width(intervalFor(snips, usual, { method: 'normal' }))
    expect(ratio(80)).toBeCloseTo(1.55, 2)
    for (const elsewhere of [10, 60, 110, 1000]) expect(ratio(elsewhere)).toBeGreaterThan(ratio(80))
  })
})

describe('a paired difference', () => {
  const rows = drawRows(20, 100, 3)
  const a = momentsOf(rows)
  const b = momentsOf(rows.map((row) => ({ ...row, w: 0.9 * row.w + 0.1 })))
  const difference = (one: Moments, other: Moments): ReturnType<typeof differenceInterval> =>
    differenceInterval(
      influenceOf(snips, one),
      influenceOf(snips, other),
      0.95,
      valueOf(snips, one)! - valueOf(snips, other)!,
    )

  it('is far tighter than two intervals', () => {
    expect(width(difference(a, b))).toBeLessThan(0.2 * width(intervalFor(snips, a, { method: 't' })))
  })

  it('changes sign with the order of the two', () => {
    const [low, high] = bounds(difference(a, b))
    const [lowBack, highBack] = bounds(difference(b, a))
    close(low, -highBack)
    close(high, -lowBack)
    close(difference(a, b).pValue!, difference(b, a).pValue!)
  })

  it('holds no difference exactly when the p-value is above 1 − confidence', () => {
    fc.assert(
      fc.property(fc.double({ min: -0.1, max: 0.1, noNaN: true }), (shift) => {
        const { interval, pValue } = differenceInterval(
          influenceOf(snips, a),
          influenceOf(snips, b),
          0.95,
          shift,
        )
        expect(interval![0] <= 0 && 0 <= interval![1]).toBe(pValue! >= 0.05)
      }),
    )
  })

  it('warns when a few clusters make it', () => {
    const phi = influenceOf(snips, a)
    const heavy = phi.map((x, g) => (g === 7 ? x + 0.5 : x))
    expect(differenceInterval(heavy, phi, 0.95, 0.1).reason).toMatch(/few clusters/)
    expect(difference(a, b).reason).toBeUndefined()
  })

  it('is none for two estimates that are the same, undefined, or of other clusters', () => {
    expect(difference(a, a)).toMatchObject({ interval: null, se: null, pValue: null })
    expect(difference(a, a).reason).toMatch(/do not differ/)
    const phi = influenceOf(snips, a)
    expect(
      differenceInterval(
        phi,
        phi.map((x) => 2 * x),
        0.95,
        NaN,
      ).reason,
    ).toMatch(/undefined/)
    expect(differenceInterval(phi, phi.slice(1), 0.95, 0).reason).toMatch(/different clusters/)
    expect(differenceInterval(phi.slice(0, 1), phi.slice(1, 2), 0.95, 0).reason).toMatch(/fewer than two/)
  })
})

it('the t interval takes the effective degrees of freedom, the normal one none', () => {
  // Two heavy users that contradict each other, among forty light ones.
  const rows = drawRows(21, 42, 3).map((row) =>
    row.cluster < 2 ? { ...row, w: 20, r: row.cluster } : { ...row, w: 1 },
  )
  const moments = momentsOf(rows)
  const influence = influenceOf(snips, moments)
  const error = standardErrorOf(influence)!
  const freedom = degreesOfFreedomOf(influence)
  expect(freedom).toBeLessThan(10)
  close(width(intervalFor(snips, moments, { method: 't' })), 2 * studentQuantile(0.975, freedom) * error)
  close(width(intervalFor(snips, moments, { method: 'normal' })), 2 * 1.959963984540054 * error)
})

it('the empirical Bernstein interval is what its formula says', () => {
  const rows: Row[] = Array.from({ length: 4000 }, (_, k) => ({ cluster: k, w: 1, r: k % 4 === 0 ? 1 : 0 }))
  const logarithm = Math.log(4 / 0.05)
  const variance = (0.25 * 0.75 * 4000) / 3999
  const half = Math.sqrt((2 * variance * logarithm) / 4000) + (7 * 3 * logarithm) / (3 * 3999)
  const [low, high] = bounds(intervalFor(ips, momentsOf(rows), { method: 'bernstein', maxWeight: 3 }))
  close(low, 0.25 - half)
  close(high, 0.25 + half)
})

it('BCa leans towards the long tail, further than percentiles do', () => {
  const rows: Row[] = Array.from({ length: 60 }, (_, k) => ({ cluster: k, w: 1, r: k % 12 === 0 ? 1 : 0.05 }))
  const ask = (method: IntervalMethod): readonly [number, number] =>
    bounds(intervalFor(snips, momentsOf(rows), { method, bootstrap: 4000 }))
  expect(ask('bca')[0]).toBeGreaterThan(ask('bootstrap')[0])
  expect(ask('bca')[1]).toBeGreaterThan(ask('bootstrap')[1])
})

it('the logit interval is what its formula says', () => {
  const two: Row[] = [
    { cluster: 0, w: 1, r: 1 },
    { cluster: 1, w: 2, r: 0 },
    { cluster: 2, w: 1, r: 0 },
  ]
  // V = 1/4; left out: 0/3, 1/2, 1/3. t₂ of the first order: e = (3/4, −1/2, −1/4).
  const squares = (0.25 ** 2 + 0.25 ** 2 + (1 / 12) ** 2) * (2 / 3)
  const e = [0.75, -0.5, -0.25]
  const second = e.reduce((sum, x) => sum + x * x, 0)
  const freedom = Math.min(2, 2 / (e.reduce((sum, x) => sum + x ** 4, 0) / second ** 2 - 1 / 3))
  expect(freedom).toBe(2)
  const reach = (4.302652729749462 * Math.sqrt(squares)) / (0.25 * 0.75)
  const back = (x: number): number => 1 / (1 + Math.exp(-x))
  const [low, high] = bounds(intervalFor(snips, momentsOf(two), { method: 'logit-t' }))
  close(low, back(Math.log(1 / 3) - reach), 1e-12)
  close(high, back(Math.log(1 / 3) + reach), 1e-12)
})
