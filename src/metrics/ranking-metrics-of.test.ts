import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NO_ITEM } from '../kernels/kernel.js'
import { anyExample, type Example, tablesOf } from './example-rankings.js'
import { popularityBuckets } from './ranking-metrics-of.js'
import type { MetricsAtK, RankingMetrics } from './ranking-metrics-of.js'
import { rankingMetricsOf, type RankingMetricsOptions } from './ranking-metrics-of.js'

const NAMES = ['ndcg', 'recall', 'precision', 'map', 'mrr', 'hitRate'] as const

function metricsOf(
  example: Example,
  options: Omit<RankingMetricsOptions, 'training'> = {},
): RankingMetrics | null {
  const { rankings, relevant, training } = tablesOf(example)
  return rankingMetricsOf(rankings, relevant, { training, ...options })
}
const valuesOf = (metrics: MetricsAtK): number[] => NAMES.map((name) => metrics[name].value)

/** The definitions, word for word and as slow as they are plain. */
function plainly(ranked: readonly number[], clicked: readonly number[], k: number): number[] {
  const found = (upTo: number): number =>
    ranked.slice(0, upTo).filter((item) => clicked.includes(item)).length
  const isHit = (rank: number): boolean => clicked.includes(ranked[rank - 1]!)
  const ranks = Array.from({ length: k }, (_, place) => place + 1)
  const sum = (over: number[], of: (rank: number) => number): number =>
    over.reduce((total, rank) => total + of(rank), 0)
  const hits = ranks.filter(isHit)
  const most = Math.min(k, clicked.length)
  return [
    sum(hits, (rank) => 1 / Math.log2(rank + 1)) /
      sum(ranks.slice(0, most), (rank) => 1 / Math.log2(rank + 1)),
    found(k) / clicked.length,
    found(k) / k,
    sum(hits, (rank) => found(rank) / rank) / most,
    hits.length > 0 ? 1 / hits[0]! : 0,
    hits.length > 0 ? 1 : 0,
  ]
}
const meanOf = (rows: number[][]): number[] =>
  rows[0]!.map((_, column) => rows.reduce((sum, row) => sum + row[column]!, 0) / rows.length)
const expectClose = (seen: number[], expected: number[]): void =>
  seen.forEach((value, k) => expect(value).toBeCloseTo(expected[k]!, 12))

const example: Example = {
  items: 6,
  k: 3,
  users: [
    { ranked: [0, 1, 2], clicked: [1, 5], trained: [3] },
    { ranked: [0, 3, 1], clicked: [0], trained: [2] },
    { ranked: [4, 2, 5], clicked: [], trained: [0, 1] },
    { ranked: [0, 2], clicked: [3], trained: [0, 1] },
  ],
}

describe('rankingMetricsOf', () => {
  it('is what is done by hand, users without clicks left out', () => {
    const metrics = metricsOf(example)!
    const ndcg = 1 / Math.log2(3) / (1 + 1 / Math.log2(3))
    expectClose(
      valuesOf(metrics),
      meanOf([
        [ndcg, 1 / 2, 1 / 3, 1 / 4, 1 / 2, 1],
        [1, 1, 1 / 3, 1, 1, 1],
        [0, 0, 0, 0, 0, 0],
      ]),
    )
    expect(metrics.users).toBe(3)
    expect(metrics.k).toBe(3)
    // Ranked: 0 three times, 1 and 2 twice, 3 once, 4 and 5 never.
    expect(metrics.coverage).toBe(4 / 6)
    expect(metrics.gini).toBeCloseTo((2 * (3 * 1 + 4 * 2 + 5 * 2 + 6 * 3)) / (6 * 8) - 7 / 6, 14)
    // Training clicks 2, 2, 1, 1, 0, 0.
    expect(metrics.meanPopularity).toBeCloseTo((3 * 2 + 2 * 2 + 2 * 1 + 1 * 1) / 8, 14)
    expect(metrics).not.toHaveProperty('ips')
    expect(metrics).not.toHaveProperty('snips')
  })

  it('judges each bucket by its own clicks alone, in the same rankings', () => {
    const { buckets } = metricsOf(example)!
    // Head: item 0; middle: item 1; tail: the rest.
    expect(buckets.map(({ bucket, items, users }) => [bucket, items, users])).toEqual([
      ['head', 1, 1],
      ['middle', 1, 1],
      ['tail', 4, 2],
    ])
    expectClose(
      buckets.map(({ recommendedShare }) => recommendedShare),
      [3 / 8, 2 / 8, 3 / 8],
    )
    expectClose(valuesOf(buckets[0]!), [1, 1, 1 / 3, 1, 1, 1])
    expectClose(valuesOf(buckets[1]!), [1 / Math.log2(3), 1, 1 / 3, 1 / 2, 1 / 2, 1])
    expectClose(valuesOf(buckets[2]!), [0, 0, 0, 0, 0, 0])
  })

  it('leaves out a bucket in which nobody clicked', () => {
    const { buckets } = metricsOf({ ...example, users: example.users.slice(1) })!
    expect(buckets.map(({ bucket }) => bucket)).toEqual(['head', 'tail'])
  })

  it('agrees with the definitions for any rankings, k beyond the catalogue and users without clicks included', () => {
    fc.assert(
      fc.property(anyExample, (any) => {
        const metrics = metricsOf(any)!
        const counted = any.users.filter(({ clicked }) => clicked.length > 0)
        expectClose(
          valuesOf(metrics),
          meanOf(counted.map(({ ranked, clicked }) => plainly(ranked, clicked, any.k))),
        )
        const popularity = Uint32Array.from(
          { length: any.items },
          (_, item) => any.users.filter(({ trained }) => trained!.includes(item)).length,
        )
        const bucketOf = popularityBuckets(popularity)
        for (const bucket of metrics.buckets) {
          const inBucket = (item: number): boolean =>
            bucketOf[item] === ['head', 'middle', 'tail'].indexOf(bucket.bucket)
          const users = counted.filter(({ clicked }) => clicked.some(inBucket))
          expect(bucket.users).toBe(users.length)
          expectClose(
            valuesOf(bucket),
            meanOf(users.map(({ ranked, clicked }) => plainly(ranked, clicked.filter(inBucket), any.k))),
          )
        }
      }),
      { seed: 1, numRuns: 300 },
    )
  })

  it('keeps every value, share and interval within [0, 1], the value inside its interval', () => {
    fc.assert(
      fc.property(anyExample, (any) => {
        const metrics = metricsOf(any)!
        for (const at of [metrics, ...metrics.buckets])
          for (const name of NAMES) {
            const { value, interval } = at[name]
            const [low, high] = interval ?? [value, value]
            expect([0, low, value, high, 1]).toEqual([0, low, value, high, 1].toSorted((a, b) => a - b))
          }
        for (const share of [metrics.coverage, metrics.gini]) {
          expect(share).toBeGreaterThanOrEqual(0)
          expect(share).toBeLessThanOrEqual(1)
        }
      }),
      { seed: 2 },
    )
  })

  it('does not depend on the order in which users are ranked', () => {
    fc.assert(
      fc.property(anyExample, (any) => {
        const { rankings, relevant, training } = tablesOf(any)
        const rows = Array.from({ length: any.users.length }, (_, row) => row).toReversed()
        const turned = {
          users: rankings.users.toReversed(),
          k: any.k,
          items: Uint32Array.from(
            rows.flatMap((row) => Array.from(rankings.items.subarray(row * any.k, (row + 1) * any.k))),
          ),
        }
        const before = rankingMetricsOf(rankings, relevant, { training })!
        const after = rankingMetricsOf(turned, relevant, { training })!
        expectClose(valuesOf(after), valuesOf(before))
        expect([after.coverage, after.gini, after.meanPopularity, after.users]).toEqual([
          before.coverage,
          before.gini,
          before.meanPopularity,
          before.users,
        ])
      }),
      { seed: 3 },
    )
  })

  it('does not change when users without held-out clicks are ranked too', () => {
    fc.assert(
      fc.property(anyExample, fc.shuffledSubarray([0, 1, 2, 3, 4, 5]), (any, order) => {
        const idle = { ranked: order.filter((item) => item < any.items), clicked: [], trained: [] }
        expect(metricsOf({ ...any, users: [...any.users, idle, idle] })).toEqual(metricsOf(any))
      }),
      { seed: 4 },
    )
  })

  it('finds no less at a larger k, and the same as a ranking cut at k', () => {
    fc.assert(
      fc.property(anyExample, (any) => {
        let before: RankingMetrics | undefined
        for (let k = 1; k <= any.k; k++) {
          const metrics = metricsOf(any, { k })!
          expect(metrics).toEqual(metricsOf({ ...any, k }))
          for (const name of ['recall', 'mrr', 'hitRate'] as const)
            if (before) expect(metrics[name].value).toBeGreaterThanOrEqual(before[name].value - 1e-12)
          before = metrics
        }
      }),
      { seed: 5 },
    )
  })

  it('finds as many clicks in all buckets together as in all', () => {
    fc.assert(
      fc.property(anyExample, (any) => {
        const metrics = metricsOf(any)!
        // Precision × k × users is the number of hits.
        const hits = metrics.precision.value * any.k * metrics.users
        const inBuckets = metrics.buckets.reduce(
          (sum, { precision, users }) => sum + precision.value * any.k * users,
          0,
        )
        expect(inBuckets).toBeCloseTo(hits, 9)
      }),
      { seed: 6 },
    )
  })

  it('gives 1 to rankings with the clicks in front', () => {
    fc.assert(
      fc.property(anyExample, (any) => {
        const users = any.users.map((user) => ({
          ...user,
          ranked: [...user.clicked, ...user.ranked.filter((item) => !user.clicked.includes(item))],
        }))
        const metrics = metricsOf({ ...any, users })!
        for (const name of ['ndcg', 'map', 'mrr', 'hitRate'] as const) expect(metrics[name].value).toBe(1)
        if (any.k >= any.items) expect(metrics.recall.value).toBe(1)
      }),
      { seed: 7 },
    )
  })

  it('is null where no ranked user has a held-out click', () => {
    expect(metricsOf({ items: 3, k: 2, users: [{ ranked: [0, 1], clicked: [] }] })).toBeNull()
    const { relevant, training } = tablesOf(example)
    const nobody = { users: new Uint32Array(0), k: 5, items: new Uint32Array(0) }
    expect(rankingMetricsOf(nobody, relevant, { training })).toBeNull()
  })

  it('counts only users who are ranked', () => {
    const { rankings, relevant, training } = tablesOf(example)
    const second = { users: Uint32Array.of(1), k: 3, items: rankings.items.subarray(3, 6) }
    const metrics = rankingMetricsOf(second, relevant, { training })!
    expect(metrics.users).toBe(1)
    expect(metrics.ndcg).toEqual({ value: 1, interval: null })
  })

  it('has all its intervals at the confidence asked for', () => {
    const users = Array.from({ length: 12 }, (_, user) => ({
      ranked: [0, 1, 2],
      clicked: user % 3 === 0 ? [0, 3] : [user % 2, 2],
      trained: [0],
    }))
    const at = (confidence?: number): RankingMetrics =>
      metricsOf(
        { items: 4, k: 3, users },
        {
          propensity: Float64Array.from({ length: 24 }, (_, click) => 0.1 + (click % 5) / 10),
          ...(confidence !== undefined && { confidence }),
        },
      )!
    const widths = (metrics: RankingMetrics): number[] =>
      [metrics, ...metrics.buckets, metrics.ips!, metrics.snips!].flatMap((part) =>
        NAMES.map((name) => part[name].interval).map((interval) =>
          interval ? interval[1] - interval[0] : NaN,
        ),
      )
    expect(widths(at())).toEqual(widths(at(0.95)))
    const narrow = widths(at(0.5))
    widths(at(0.95)).forEach((width, k) => {
      if (width > 0) expect(narrow[k]).toBeLessThan(width)
    })
    expect(narrow.filter((width) => width > 0).length).toBeGreaterThan(20)
  })

  describe('refuses', () => {
    const { rankings, relevant, training } = tablesOf(example)
    const withItems = (...items: number[]) => ({
      users: Uint32Array.of(0),
      k: 3,
      items: Uint32Array.from(items),
    })
    it.each<[string, Parameters<typeof rankingMetricsOf>, RegExp]>([
      [
        'a k beyond the rankings',
        [rankings, relevant, { training, k: 4 }],
        /at k = 4 .* rankings of 3 items/,
      ],
      ['a k of 0', [rankings, relevant, { training, k: 0 }], /at k = 0/],
      ['half a k', [rankings, relevant, { training, k: 1.5 }], /at k = 1\.5/],
      ['a confidence of 0', [rankings, relevant, { training, confidence: 0 }], /0 is not a confidence level/],
      ['a confidence of 1', [rankings, relevant, { training, confidence: 1 }], /1 is not a confidence level/],
      [
        'a confidence of 95',
        [rankings, relevant, { training, confidence: 95 }],
        /95 is not a confidence level/,
      ],
      [
        'clicks of other users',
        [rankings, { offsets: new Uint32Array(3), neighbours: new Uint32Array(0) }, { training }],
        /cover 2 users, but the training graph 4/,
      ],
      [
        'a user it does not know',
        [{ ...rankings, users: Uint32Array.of(0, 1, 2, 4) }, relevant, { training }],
        /User 4 is ranked/,
      ],
      [
        'a user ranked twice',
        [{ ...rankings, users: Uint32Array.of(0, 1, 1, 2) }, relevant, { training }],
        /User 1 is ranked twice/,
      ],
      ['an item it does not know', [withItems(0, 6, 1), relevant, { training }], /Item 6 is ranked/],
      [
        'an item ranked twice',
        [withItems(0, 5, 0), relevant, { training }],
        /Item 0 appears twice in the ranking of user 0/,
      ],
      [
        'rankings of nothing',
        [withItems(NO_ITEM, NO_ITEM, NO_ITEM), relevant, { training }],
        /contain no items for any of the 1 users/,
      ],
      [
        'clicks on an item it does not know',
        [rankings, { offsets: relevant.offsets, neighbours: relevant.neighbours.map(() => 6) }, { training }],
        /Item 6 was clicked/,
      ],
      [
        'too few propensities',
        [rankings, relevant, { training, propensity: Float64Array.of(1) }],
        /1 propensities for 4/,
      ],
      [
        'a propensity of 0',
        [rankings, relevant, { training, propensity: new Float64Array(4) }],
        /click 0 has propensity 0/,
      ],
      [
        'a propensity without end',
        [rankings, relevant, { training, propensity: Float64Array.of(1, 1, Infinity, 1) }],
        /click 2 has propensity Infinity/,
      ],
    ])('%s', (_what, call, message) => {
      expect(() => rankingMetricsOf(...call)).toThrow(message)
      expect(() => rankingMetricsOf(...call)).toThrow(
        expect.objectContaining({ code: 'bad-option', remedy: expect.any(String) as string }) as Error,
      )
    })
  })
})
