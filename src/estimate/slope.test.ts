import { describe, expect, it } from 'vitest'
import type { Log } from '../log/log.js'
import { drawNormal } from '../random/distributions.js'
import { randomStream } from '../random/stream.js'
import { type TunedEstimator, influenceOf, isTuned, standardErrorOf, termsOf, valueOf } from './estimator.js'
import { clippedIps, drOs, subGaussianIps, switchDr } from './estimators/shrinking.js'
import { ESTIMATORS } from './estimators/index.js'
import { vectorise } from '../sql/vectorise.js'
import { momentsOf } from './source/prepared-log.js'
import type { WeighedRows } from './source/sum-terms.js'
import { lambdaGrid, slope, tune } from './tuning.js'
import { summariseWeights } from './weight-summary.js'

const TUNED = ESTIMATORS.all.filter(isTuned).map((tuned) => [tuned.name, tuned] as const)

/** The grid for some weights. */
const gridFor = (tuned: TunedEstimator, weights: Float64Array): number[] => {
  const { median } = summariseWeights(weights)
  return lambdaGrid(tuned, { largest: median === null ? null : Math.max(...weights), median })
}

/** Points from pairs of value and standard error, the unbiased end first. */
const pointsOf = (...pairs: [number, number][]) => pairs.map(([value, se]) => ({ value, se }))

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

  it('takes the only point there is, and refuses an empty list', () => {
    expect(slope(pointsOf([0.5, 0.1]))).toBe(0)
    expect(() => slope([])).toThrow('at least one point')
  })
})

/** What a family makes of a weight: the reward of a row counts as much. */
function effective(tuned: TunedEstimator, lambda: number, w: number): number {
  const [r, q, v] = [1, 0, 0].map((x) => Float64Array.of(x))
  const { expression } = tuned.with(lambda).ratios[0]!.numerator
  return vectorise([expression], { r: r!, w: Float64Array.of(w), q: q!, v: v! })(0, 1)[0]![0]!
}

describe.each(TUNED)('a grid of λ for %s', (_name, tuned) => {
  const weights = Float64Array.from({ length: 1001 }, (_, k) => (k < 100 ? 0 : Math.exp(k / 150 - 2)))
  const largest = weights.at(-1)!
  const grid = gridFor(tuned, weights)

  it('starts at the end that leaves weights as they are', () => {
    expect(grid[0]).toBe(tuned.tuning.unchanged.lambda)
    expect(effective(tuned, grid[0]!, largest)).toBe(largest)
    expect(new Set(grid).size).toBe(grid.length)
  })

  it('affects the largest weight more and more', () => {
    const left = grid.map((lambda) => effective(tuned, lambda, largest))
    for (let k = 1; k < left.length; k++) expect(left[k]!).toBeLessThanOrEqual(left[k - 1]!)
    expect(left.at(-1)!).toBeLessThan(0.2 * largest)
    // The first step is not a leap: estimators between unchanged and tame are on the grid.
    expect(left[1]!).toBeGreaterThan(0.4 * largest)
  })

  it('is the one λ when no weight is above 0, or all are 1', () => {
    expect(gridFor(tuned, new Float64Array(5))).toEqual([tuned.tuning.unchanged.lambda])
    expect(gridFor(tuned, new Float64Array(5).fill(1))).toEqual([tuned.tuning.unchanged.lambda, 1])
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

/** Sums of all λ of a grid. */
const momentsOver = (
  seen: WeighedRows,
  tuned: TunedEstimator,
  grid: readonly number[],
  by: 'row' | 'user' = 'row',
) => momentsOf(seen, termsOf(grid.map((lambda) => tuned.with(lambda))), by)

describe('tune', () => {
  const rows = tasteWorld(1, 20, 0.5).draw(0, 500)
  const options = (seen: WeighedRows, tuned: TunedEstimator) => {
    const grid = gridFor(tuned, seen.weight)
    return { grid, moments: momentsOver(seen, tuned, grid) }
  }

  it.each(TUNED)('gives the estimates of %s along the grid', (_name, tuned) => {
    const { grid, moments: all } = options(rows, tuned)
    const { curve, chosen } = tune(tuned, { grid, moments: all })
    expect(curve.map(({ lambda }) => lambda)).toEqual(grid)
    expect(grid).toContain(chosen)
    for (const { lambda, value, se } of curve) {
      const estimator = tuned.with(lambda)
      const moments = momentsOf(rows, termsOf([estimator]), 'row')
      expect(value).toBe(valueOf(estimator, moments))
      expect(se).toBe(standardErrorOf(influenceOf(estimator, moments)))
    }
  })

  it('trap: a tuned λ is not cached from another policy', () => {
    // The second policy is near the logging one: its weights are tame, and its λ is another.
    const tame: WeighedRows = { ...rows, weight: rows.weight.map((w) => (1 + Math.min(w, 3)) / 2) }
    const alone = tune(clippedIps, options(tame, clippedIps))
    const first = tune(clippedIps, options(rows, clippedIps))
    const after = tune(clippedIps, options(tame, clippedIps))
    expect(after).toEqual(alone)
    expect(after.chosen).not.toBe(first.chosen)
  })

  it('takes the unbiased end when nothing has a standard error', () => {
    const grid = gridFor(clippedIps, rows.weight)
    const one = { ...rows, log: { ...rows.log, user: new Uint32Array(500) } }
    const moments = momentsOver(one, clippedIps, grid, 'user')
    expect(tune(clippedIps, { grid, moments })).toEqual({ curve: [], chosen: Infinity })
  })

  it('refuses a grid without a λ', () => {
    const { moments } = options(rows, drOs)
    expect(() => tune(drOs, { grid: [], moments })).toThrow('no λ to choose from')
  })
})

describe('SLOPE on heavy-tailed weights', () => {
  /** RMSE of the tuned estimate, and of the unbiased end, as multiples of that of the best fixed λ. */
  function regret(tuner: TunedEstimator, against: number, rows: number): { tuned: number; unbiased: number } {
    const world = tasteWorld(3, 20, against)
    // One grid for all replicates, so that there is a best λ to compare with.
    const grid = gridFor(tuner, world.draw(1000, 20_000).weight)
    const squares = new Float64Array(grid.length)
    let tuned = 0
    const replicates = 60
    for (let replicate = 0; replicate < replicates; replicate++) {
      const moments = momentsOver(world.draw(replicate, rows), tuner, grid)
      const { curve, chosen } = tune(tuner, { moments, grid })
      curve.forEach(({ lambda, value }, k) => {
        squares[k]! += (value - world.truth) ** 2
        if (lambda === chosen) tuned += (value - world.truth) ** 2
      })
    }
    const best = Math.min(...squares)
    return { tuned: Math.sqrt(tuned / best), unbiased: Math.sqrt(squares[0]! / best) }
  }

  it('comes within twice the error of the best fixed λ, and on average well below the unbiased end', () => {
    const found: ReturnType<typeof regret>[] = []
    for (const tuner of [clippedIps, subGaussianIps, switchDr, drOs])
      for (const against of [0.5, 1]) found.push(regret(tuner, against, 1000))
    const mean = (of: (one: (typeof found)[number]) => number): number =>
      found.reduce((sum, one) => sum + of(one), 0) / found.length
    for (const { tuned } of found) expect(tuned).toBeLessThan(2)
    expect(mean(({ tuned }) => tuned)).toBeLessThan(1.6)
    expect(mean(({ unbiased }) => unbiased)).toBeGreaterThan(1.2 * mean(({ tuned }) => tuned))
  })
})
