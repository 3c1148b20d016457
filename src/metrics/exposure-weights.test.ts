import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { graphOf } from '../graph/graph.js'
import type { Rankings } from '../kernels/kernel.js'
import { drawNormal } from '../random/distributions.js'
import { type RandomStream, randomStream } from '../random/stream.js'
import { anyExample, tablesOf } from './example-rankings.js'
import { type MetricsAtK, rankingMetricsOf } from './ranking-metrics-of.js'

const NAMES = ['ndcg', 'recall', 'precision', 'map', 'mrr', 'hitRate'] as const
/** Metrics that are sums over clicks: for them the weights correct all of the exposure. */
const ADDITIVE = ['ndcg', 'recall', 'precision'] as const

describe('metrics under uniform exposure', () => {
  it('are exactly the unweighted ones where all propensities are equal, intervals included', () => {
    fc.assert(
      fc.property(anyExample, fc.double({ min: 1e-300, max: 1, noNaN: true }), (any, b) => {
        const { rankings, relevant, training } = tablesOf(any)
        const propensity = new Float64Array(relevant.neighbours.length).fill(b)
        const metrics = rankingMetricsOf(rankings, relevant, { training, propensity })!
        for (const name of NAMES) {
          expect(metrics.ips![name]).toEqual(metrics[name])
          expect(metrics.snips![name]).toEqual(metrics[name])
        }
      }),
      { seed: 1 },
    )
  })

  it('depend on the ratios of propensities alone', () => {
    const chance = fc.double({ min: 0.01, max: 1, noNaN: true })
    fc.assert(
      fc.property(anyExample, fc.array(chance, { minLength: 96, maxLength: 96 }), (any, chances) => {
        const { rankings, relevant, training } = tablesOf(any)
        const propensity = Float64Array.from(relevant.neighbours, (_, place) => chances[place]!)
        const at = (b: Float64Array) => rankingMetricsOf(rankings, relevant, { training, propensity: b })!
        const quarter = at(propensity.map((b) => b / 4))
        expect(quarter.ips).toEqual(at(propensity).ips)
        expect(quarter.snips).toEqual(at(propensity).snips)
      }),
      { seed: 2 },
    )
  })

  it('are those done by hand', () => {
    const { rankings, relevant, training } = tablesOf({
      items: 4,
      k: 2,
      users: [
        { ranked: [0, 1], clicked: [0, 3] },
        { ranked: [0, 2], clicked: [1, 2] },
      ],
    })
    // Weights 1/b: 2 (found at rank 1) and 10; 4 and 5 (found at rank 2).
    const propensity = Float64Array.of(0.5, 0.1, 0.25, 0.2)
    const { ips, snips } = rankingMetricsOf(rankings, relevant, { training, propensity })!
    expect(snips!.recall.value).toBeCloseTo((2 / 12 + 5 / 9) / 2, 14)
    expect(ips!.recall.value).toBeCloseTo((2 / 2 + 5 / 2) / (12 / 2 + 9 / 2), 14)
    const ideal = 1 + 1 / Math.log2(3)
    expect(snips!.ndcg.value).toBeCloseTo((2 / 6 / ideal + 5 / 4.5 / Math.log2(3) / ideal) / 2, 14)
    expect(ips!.mrr.value).toBeCloseTo((2 + 5 / 2) / (12 / 2 + 9 / 2), 14)
  })

  it('stay finite for the smallest propensities there are', () => {
    const { rankings, relevant, training } = tablesOf({
      items: 3,
      k: 2,
      users: [
        { ranked: [0, 1], clicked: [0, 1] },
        { ranked: [0, 2], clicked: [2] },
      ],
    })
    const propensity = Float64Array.of(Number.MIN_VALUE, 1, 1)
    const { ips, snips } = rankingMetricsOf(rankings, relevant, { training, propensity })!
    expect(ips!.recall.value).toBe(1)
    expect(snips!.recall.value).toBe(1)
  })
})

const ITEMS = 80
const USERS = 400
const K = 10

/**
 * Users with `liked` items each, more often popular ones, and a ranker that leans to popular ones too; `shown`
 * is the chance of each item to be shown, in proportion to popularity.
 */
function popularityWorld(liked: number): { pleasing: number[][]; rankings: Rankings; shown: Float64Array } {
  const popularity = Float64Array.from({ length: ITEMS }, (_, item) => 1 / (item + 4))
  const topOf = (scores: Float64Array, count: number): number[] =>
    Array.from(scores.keys())
      .toSorted((a, b) => scores[b]! - scores[a]!)
      .slice(0, count)
  const pleasing: number[][] = []
  const ranked: number[] = []
  for (let user = 0; user < USERS; user++) {
    const random = randomStream(5, 'tastes', user)
    const taste = popularity.map((p) => 0.5 * Math.log(p) + drawNormal(random))
    pleasing.push(topOf(taste, liked))
    ranked.push(
      ...topOf(
        taste.map((t, item) => t + 0.5 * Math.log(popularity[item]!) + drawNormal(random)),
        K,
      ),
    )
  }
  const total = popularity.reduce((sum, p) => sum + p, 0)
  const rankings = { users: Uint32Array.from(pleasing.keys()), k: K, items: Uint32Array.from(ranked) }
  return { pleasing, rankings, shown: popularity.map((p) => p / total) }
}

type MetricsByName = Record<keyof MetricsAtK, number>

/** Metrics over many draws of held-out clicks: as they are, weighted, and as they are when just as many clicks come from uniform exposure. */
function overDraws(
  { pleasing, rankings, shown }: ReturnType<typeof popularityWorld>,
  draws: number,
  exposed: (items: readonly number[], random: RandomStream) => number[],
) {
  const training = graphOf(USERS, ITEMS, Uint32Array.of(), Uint32Array.of())
  const judge = (clicks: number[][]) => {
    const { byUser } = graphOf(
      USERS,
      ITEMS,
      Uint32Array.from(clicks.flatMap((items, user) => items.map(() => user))),
      Uint32Array.from(clicks.flat()),
    )
    const propensity = Float64Array.from(byUser.neighbours, (item) => shown[item]!)
    return rankingMetricsOf(rankings, byUser, { training, propensity })!
  }
  const sums = { plain: emptySums(), ips: emptySums(), snips: emptySums(), uniform: emptySums() }
  for (let draw = 0; draw < draws; draw++) {
    const clicks = pleasing.map((items, user) => exposed(items, randomStream(6, 'exposure', draw, user)))
    const uniform = clicks.map(({ length }, user) =>
      anyOf(pleasing[user]!, length, randomStream(6, 'uniform exposure', draw, user)),
    )
    const biased = judge(clicks)
    add(sums.plain, biased)
    add(sums.ips, biased.ips!)
    add(sums.snips, biased.snips!)
    add(sums.uniform, judge(uniform))
  }
  return sums
  function emptySums(): MetricsByName {
    return { ndcg: 0, recall: 0, precision: 0, map: 0, mrr: 0, hitRate: 0 }
  }
  function add(to: MetricsByName, metrics: MetricsAtK): void {
    for (const name of NAMES) to[name] += metrics[name].value / draws
  }
}

/** Some of the items, all alike: the first of a shuffle. */
function anyOf(items: readonly number[], count: number, random: RandomStream): number[] {
  const shuffled = [...items]
  for (let k = 0; k < count; k++) {
    const other = k + Math.floor(random.uniform() * (shuffled.length - k))
    ;[shuffled[k], shuffled[other]] = [shuffled[other]!, shuffled[k]!]
  }
  return shuffled.slice(0, count)
}

/** By how much a metric differs from what uniform exposure gives, relative to that. */
const errorsOf = (
  of: MetricsByName,
  uniform: MetricsByName,
  names: readonly (keyof MetricsAtK)[],
): number[] => names.map((name) => Math.abs(of[name] / uniform[name] - 1))

/** The items of a user that some rows of a log show, each row one item by its chance. */
function inRows(rows: number, shown: Float64Array) {
  return (items: readonly number[], random: RandomStream): number[] => {
    const found = new Set<number>()
    for (let row = 0; row < rows; row++) {
      let left = random.uniform()
      let item = 0
      while (item < ITEMS - 1 && (left -= shown[item]!) >= 0) item++
      if (items.includes(item)) found.add(item)
    }
    return [...found]
  }
}

describe('held-out clicks that come from popularity', () => {
  it('flatter a ranker that follows it, one or two clicks a user; IPS tells what uniform exposure would', () => {
    const world = popularityWorld(15)
    for (const rows of [1, 3]) {
      const { plain, ips, uniform } = overDraws(world, 150, inRows(rows, world.shown))
      expect(Math.min(...errorsOf(plain, uniform, NAMES))).toBeGreaterThan(0.25)
      expect(Math.max(...errorsOf(ips, uniform, ADDITIVE))).toBeLessThan(0.02)
      // Those that are no sums over clicks are corrected for the most part.
      expect(Math.max(...errorsOf(ips, uniform, NAMES))).toBeLessThan(0.06)
    }
  })

  it('leave SNIPS nothing to compare where each user has one click: it is the plain metric', () => {
    const world = popularityWorld(15)
    const { plain, snips } = overDraws(world, 3, inRows(1, world.shown))
    for (const name of NAMES) expect(snips[name]).toBeCloseTo(plain[name], 14)
  })

  it('flatter it just as much with many clicks a user; SNIPS comes the nearer to the truth the more there are', () => {
    const world = popularityWorld(70)
    const errors = [0.1, 0.3, 0.95].map((most) => {
      // Every item a user likes is found or not, of its own.
      const shown = world.shown.map((b) => most * Math.sqrt(b / world.shown[0]!))
      const { plain, snips, uniform } = overDraws({ ...world, shown }, 60, (items, random) =>
        items.filter((item) => random.uniform() < shown[item]!),
      )
      expect(Math.min(...errorsOf(plain, uniform, ADDITIVE))).toBeGreaterThan(0.3)
      return Math.max(...errorsOf(snips, uniform, ADDITIVE))
    })
    expect(errors[1]).toBeLessThan(errors[0]! / 2)
    expect(errors[2]).toBeLessThan(errors[1]! / 2)
    expect(errors[2]).toBeLessThan(0.02)
  })
})
