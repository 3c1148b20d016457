import { describe, expect, it } from 'vitest'
import type { Log } from '../log/log.js'
import { drawNormal } from '../random/distributions.js'
import { randomStream } from '../random/stream.js'
import { influenceOf, standardErrorOf, termsOf, valueOf } from './estimator.js'
import { ESTIMATOR_NAMES, estimatorNamed, tunedFamily } from './estimators/index.js'
import { memorySource } from './memory-source.js'
import type { MomentSource } from './moments.js'
import type { WeighedRows } from './rows.js'
import type { RowValues } from './term.js'
import { lambdaGrid, slope, tune } from './slope.js'

const TUNED_NAMES = ESTIMATOR_NAMES.filter((name) => tunedFamily(name))

/** Points from [value, width] pairs, the unbiased end first. */
const pointsOf = (...pairs: [number, number][]) =>
  pairs.map(([value, width], k) => ({ lambda: -k, value, width }))

describe('slope', () => {
  it('takes the narrowest point while all agree', () => {
    expect(slope(pointsOf([0.5, 0.4], [0.4, 0.2], [0.35, 0.1]))).toBe(2)
  })

  it('stays at the unbiased end when every other point disagrees with it', () => {
    expect(slope(pointsOf([0.5, 0.04], [0.3, 0.02], [0.1, 0.01]))).toBe(0)
  })

  it('stops where a point disagrees with one before it', () => {
    expect(slope(pointsOf([0.5, 0.2], [0.45, 0.1], [0.4, 0.05], [0.1, 0.01]))).toBe(2)
  })

  it('asks for agreement with all points before, not with the nearest alone', () => {
    // Each step is small, but the last is far from the first.
    expect(slope(pointsOf([0.5, 0.1], [0.4, 0.09], [0.3, 0.08], [0.2, 0.07]))).toBe(2)
  })

  it('adds the width of the point to √6 − 1 widths of the one before', () => {
    const edge = 0.1 + (Math.sqrt(6) - 1) * 0.2
    expect(slope(pointsOf([0, 0.2], [edge - 1e-12, 0.1]))).toBe(1)
    expect(slope(pointsOf([0, 0.2], [edge + 1e-12, 0.1]))).toBe(0)
  })

  it('takes the unbiased end when all widths are equal', () => {
    expect(slope(pointsOf([0.5, 0.1], [0.5, 0.1], [0.49, 0.1]))).toBe(0)
  })

  it('passes over a point that is wider than one with less bias', () => {
    // Were it counted, the third would have to agree with it.
    expect(slope(pointsOf([0.5, 0.1], [0.9, 0.2], [0.5, 0.05]))).toBe(2)
    expect(slope(pointsOf([0.5, 0.1], [0.5, 0.2]))).toBe(0)
  })

  it('takes the only point there is, and refuses none', () => {
    expect(slope(pointsOf([0.5, 0.1]))).toBe(0)
    expect(() => slope([])).toThrow('at least one point')
  })
})

/** What a family makes of a weight: the reward of a row counts as much. */
function effective(name: string, lambda: number, w: number): number {
  const row: RowValues = { r: 1, w, q: 0, v: 0, m: NaN }
  return tunedFamily(name)!.make(lambda).ratios[0]!.numerator.of(row)
}

describe.each(TUNED_NAMES)('a grid of λ for %s', (name) => {
  const weights = Float64Array.from({ length: 1001 }, (_, k) => (k < 100 ? 0 : Math.exp(k / 150 - 2)))
  const largest = weights.at(-1)!
  const grid = lambdaGrid(name, weights)

  it('starts at the end that leaves weights as they are', () => {
    expect(grid[0]).toBe(tunedFamily(name)!.unchanged)
    expect(effective(name, grid[0]!, largest)).toBe(largest)
    expect(new Set(grid).size).toBe(grid.length)
  })

  it('takes hold of the largest weight more and more', () => {
    const left = grid.map((lambda) => effective(name, lambda, largest))
    for (let k = 1; k < left.length; k++) expect(left[k]!).toBeLessThanOrEqual(left[k - 1]!)
    expect(left.at(-1)!).toBeLessThan(0.2 * largest)
    // The first step is not a leap: estimators between unchanged and tame are on the grid.
    expect(left[1]!).toBeGreaterThan(0.4 * largest)
  })

  it('is the one λ when no weight is above 0, or all are 1', () => {
    expect(lambdaGrid(name, new Float64Array(5))).toEqual([tunedFamily(name)!.unchanged])
    expect(lambdaGrid(name, new Float64Array(5).fill(1))).toEqual([tunedFamily(name)!.unchanged, 1])
  })
})

/** Users with tastes; the logging policy leans away from what they like by `against`, the target to it. */
function tasteWorld(seed: number, items: number, against: number) {
  const random = randomStream(seed, 'tastes')
  const softmax = (scores: number[]): number[] => {
    const parts = scores.map(Math.exp)
    const total = parts.reduce((sum, part) => sum + part, 0)
    return parts.map((part) => part / total)
  }
  const users = Array.from({ length: 40 }, () => {
    const taste = Array.from({ length: items }, () => drawNormal(random))
    const pi = softmax(taste.map((t) => 2 * t))
    const rate = taste.map((t) => 0.3 / (1 + Math.exp(1 - t)))
    const guess = rate.map((r) => 0.5 * r + 0.03)
    return {
      pi,
      rate,
      guess,
      b: softmax(taste.map((t) => drawNormal(random) - against * t)),
      value: guess.reduce((sum, q, a) => sum + q * pi[a]!, 0),
    }
  })
  const truth =
    users.reduce((sum, { pi, rate }) => sum + rate.reduce((all, r, a) => all + r * pi[a]!, 0), 0) /
    users.length
  const draw = (replicate: number, rows: number): WeighedRows => {
    const stream = randomStream(seed, 'rows', replicate)
    const column = (): Float64Array => new Float64Array(rows)
    const [weight, reward, prediction, value] = [column(), column(), column(), column()]
    const user = new Uint32Array(rows)
    for (let k = 0; k < rows; k++) {
      user[k] = Math.floor(stream.uniform() * users.length)
      const shown = users[user[k]!]!
      let left = stream.uniform()
      const item = Math.max(
        0,
        shown.b.findIndex((b) => (left -= b) < 0),
      )
      weight[k] = shown.pi[item]! / shown.b[item]!
      reward[k] = stream.uniform() < shown.rate[item]! ? 1 : 0
      prediction[k] = shown.guess[item]!
      value[k] = shown.value
    }
    const log: Log = {
      rows,
      user,
      item: new Uint32Array(rows),
      userIds: users.map((_, u) => `user ${u}`),
      itemIds: ['a'],
      catalogueKnown: false,
      reward,
      propensitySource: 'logged',
    }
    return { log, weight, prediction, value }
  }
  return { truth, draw }
}

describe('tune', () => {
  const rows = tasteWorld(1, 20, 0.5).draw(0, 500)
  const options = (seen: WeighedRows, name: string) =>
    ({ source: memorySource(seen), clusterBy: 'row', grid: lambdaGrid(name, seen.weight) }) as const

  it.each(TUNED_NAMES)('gives the estimates of %s along the grid', async (name) => {
    const { source, clusterBy, grid } = options(rows, name)
    const { curve, chosen } = await tune(name, { source, clusterBy, grid })
    expect(curve.map(({ lambda }) => lambda)).toEqual(grid)
    expect(grid).toContain(chosen)
    for (const { lambda, value, se } of curve) {
      const estimator = estimatorNamed(name, lambda)
      const moments = await source.moments(termsOf([estimator]), clusterBy)
      expect(value).toBe(valueOf(estimator, moments))
      expect(se).toBe(standardErrorOf(influenceOf(estimator, moments)))
    }
  })

  it('asks the source once for all λ', async () => {
    let asked = 0
    const { source, clusterBy, grid } = options(rows, 'switch-dr')
    const counting: MomentSource = {
      moments: (terms, by) => {
        asked++
        return source.moments(terms, by)
      },
    }
    await tune('switch-dr', { source: counting, clusterBy, grid })
    expect(asked).toBe(1)
  })

  it('takes its widths from the function given', async () => {
    const { source, clusterBy, grid } = options(rows, 'clipped-ips')
    const unsure = await tune('clipped-ips', { source, clusterBy, grid, width: (se) => 100 * se })
    expect(unsure.chosen).toBe(grid.at(-1))
    const sure = await tune('clipped-ips', { source, clusterBy, grid, width: (se) => 1e-9 * se })
    expect(sure.chosen).toBe(Infinity)
  })

  it('trap: a tuned λ is not cached from another policy', async () => {
    const name = 'clipped-ips'
    // The second policy is near the logging one: its weights are tame, and its λ is another.
    const tame: WeighedRows = { ...rows, weight: rows.weight.map((w) => (1 + Math.min(w, 3)) / 2) }
    const alone = await tune(name, options(tame, name))
    const first = await tune(name, options(rows, name))
    const after = await tune(name, options(tame, name))
    expect(after).toEqual(alone)
    expect(after.chosen).not.toBe(first.chosen)
  })

  it('takes the unbiased end when nothing has a standard error', async () => {
    const { source, grid } = options(
      { ...rows, log: { ...rows.log, user: new Uint32Array(500) } },
      'clipped-ips',
    )
    expect(await tune('clipped-ips', { source, clusterBy: 'user', grid })).toEqual({
      curve: [],
      chosen: Infinity,
    })
  })

  it('refuses an estimator without a λ, and a grid without one', async () => {
    const { source, clusterBy } = options(rows, 'clipped-ips')
    await expect(tune('snips', { source, clusterBy, grid: [1] })).rejects.toThrow('snips has no λ to tune')
    await expect(tune('dr-os', { source, clusterBy, grid: [] })).rejects.toThrow('no λ to choose from')
    expect(() => lambdaGrid('snips', rows.weight)).toThrow('snips has no λ to tune')
  })
})

describe('SLOPE on heavy-tailed weights', () => {
  /** RMSE of the tuned estimate, and of the unbiased end, as multiples of that of the best fixed λ. */
  async function regret(
    name: string,
    against: number,
    rows: number,
  ): Promise<{ tuned: number; unbiased: number }> {
    const world = tasteWorld(3, 20, against)
    // One grid for all replicates, so that there is a best λ to compare with.
    const grid = lambdaGrid(name, world.draw(1000, 20_000).weight)
    const squares = new Float64Array(grid.length)
    let tuned = 0
    const replicates = 60
    for (let replicate = 0; replicate < replicates; replicate++) {
      const source = memorySource(world.draw(replicate, rows))
      const { curve, chosen } = await tune(name, { source, clusterBy: 'row', grid })
      curve.forEach(({ lambda, value }, k) => {
        squares[k]! += (value - world.truth) ** 2
        if (lambda === chosen) tuned += (value - world.truth) ** 2
      })
    }
    const best = Math.min(...squares)
    return { tuned: Math.sqrt(tuned / best), unbiased: Math.sqrt(squares[0]! / best) }
  }

  it('comes within twice the error of the best fixed λ, and on average well below the unbiased end', async () => {
    const found: Awaited<ReturnType<typeof regret>>[] = []
    for (const name of ['clipped-ips', 'sub-gaussian-ips', 'switch-dr', 'dr-os'])
      for (const against of [0.5, 1]) found.push(await regret(name, against, 1000))
    const mean = (of: (one: (typeof found)[number]) => number): number =>
      found.reduce((sum, one) => sum + of(one), 0) / found.length
    for (const { tuned } of found) expect(tuned).toBeLessThan(2)
    expect(mean(({ tuned }) => tuned)).toBeLessThan(1.6)
    expect(mean(({ unbiased }) => unbiased)).toBeGreaterThan(1.2 * mean(({ tuned }) => tuned))
  })
})
