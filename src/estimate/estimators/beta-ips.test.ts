import { describe, expect, it } from 'vitest'
import { randomStream } from '../../random/stream.js'
import { toyWorld } from '../../world/toy.js'
import { type Estimator, influenceOf, standardErrorOf, termsOf, valueOf } from '../estimator.js'
import { evaluate } from '../evaluate.js'
import { bootstrapValues } from '../intervals/bootstrap.js'
import { differenceInterval } from '../intervals/difference.js'
import { jackknifeErrorOf, jackknifeOf } from '../intervals/large-sample.js'
import { Moments } from '../source/moments.js'
import { influencesOf, spreadOf } from '../spread.js'
import { betaIps, ips, snips } from './importance.js'

interface Row {
  readonly w: number
  readonly r: number
}

const mean = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0) / values.length

/** The formula of the paper, as it is read: two passes over the rows. */
function slowValue(rows: readonly Row[]): number {
  const meanWeight = mean(rows.map(({ w }) => w))
  const meanWeighted = mean(rows.map(({ w, r }) => w * r))
  const covariance = mean(rows.map(({ w, r }) => (w * r - meanWeighted) * (w - meanWeight)))
  const variance = mean(rows.map(({ w }) => (w - meanWeight) ** 2))
  const beta = covariance / variance
  return mean(rows.map(({ w, r }) => w * (r - beta))) + beta
}

/** Every row its own cluster. */
function momentsOf(rows: readonly Row[], estimators: readonly Estimator[] = [betaIps, ips, snips]): Moments {
  const of: Record<string, (row: Row) => number> = {
    '1': () => 1,
    w: ({ w }) => w,
    w·r: ({ w, r }) => w * r,
    w·w: ({ w }) => w * w,
    '(w·w)·r': ({ w, r }) => w * w * r,
  }
  return new Moments(
    Uint32Array.from(rows, (_, g) => g * 7919),
    new Map(termsOf(estimators).map(({ name }) => [name, Float64Array.from(rows, of[name]!)])),
  )
}

/** Weights of mean 1; rewards that do not depend on them, `level` on average. */
function drawRows(seed: number, count: number, level: number): Row[] {
  const random = randomStream(seed, 'beta-ips')
  return Array.from({ length: count }, () => {
    const w = random.uniform() < 0.8 ? 0.25 : 4
    return { w, r: random.uniform() < level ? 1 : 0 }
  })
}

describe('β-IPS', () => {
  it('of four rows: β = 4/3 and V = 1/3', () => {
    const rows = [
      { w: 1, r: 0 },
      { w: 1, r: 1 },
      { w: 1, r: 0 },
      { w: 3, r: 1 },
    ]
    // Means: w 1.5, wr 1; w² 3, w²r 2.5. β = (2.5 − 1.5)/(3 − 2.25) = 4/3, V = 1 − (4/3)(0.5) = 1/3.
    expect(valueOf(betaIps, momentsOf(rows))).toBeCloseTo(1 / 3, 14)
  })

  it('is the formula of the paper', () => {
    for (let seed = 0; seed < 20; seed++) {
      const rows = drawRows(seed, 50, 0.3)
      expect(valueOf(betaIps, momentsOf(rows))).toBeCloseTo(slowValue(rows), 12)
    }
  })

  it('moves with the rewards, as IPS does not', () => {
    const rows = drawRows(1, 200, 0.3)
    const moved = rows.map(({ w, r }) => ({ w, r: r + 5 }))
    expect(valueOf(betaIps, momentsOf(moved))! - valueOf(betaIps, momentsOf(rows))!).toBeCloseTo(5, 10)
  })

  it('is IPS where all weights are alike, for there is nothing to correct by', () => {
    const rows = drawRows(2, 30, 0.5).map(({ r }) => ({ w: 1.5, r }))
    expect(valueOf(betaIps, momentsOf(rows))).toBe(valueOf(ips, momentsOf(rows)))
    expect(influenceOf(betaIps, momentsOf(rows))).toEqual(influenceOf(ips, momentsOf(rows)))
  })

  it.each([0.02, 0.5, 0.98])('has no larger error than IPS and SNIPS, mean reward %d', (level) => {
    const errors = [betaIps, ips, snips].map((estimator) => {
      let squares = 0
      for (let seed = 0; seed < 400; seed++)
        squares += (valueOf(estimator, momentsOf(drawRows(seed, 300, level)))! - level) ** 2
      return Math.sqrt(squares / 400)
    })
    expect(errors[0]).toBeLessThan(1.03 * Math.min(errors[1]!, errors[2]!))
  })

  it('has a standard error that the spread over logs confirms, by influences, jackknife and bootstrap', () => {
    const values: number[] = []
    const claimed = [0, 0, 0]
    for (let seed = 0; seed < 400; seed++) {
      const moments = momentsOf(drawRows(seed, 300, 0.5))
      values.push(valueOf(betaIps, moments)!)
      claimed[0]! += standardErrorOf(influenceOf(betaIps, moments))! / 400
      claimed[1]! += jackknifeErrorOf(jackknifeOf(betaIps, moments)!)! / 400
      if (seed < 40) claimed[2]! += spread([...bootstrapValues(betaIps, moments, { resamples: 200 })]) / 40
    }
    for (const error of claimed) expect(Math.abs(error / spread(values) - 1)).toBeLessThan(0.1)
  })

  it('leaves out a cluster as if it had never been there', () => {
    const rows = drawRows(3, 12, 0.5)
    const falls = jackknifeOf(betaIps, momentsOf(rows))!
    const without = momentsOf(rows.filter((_, k) => k !== 4))
    expect(falls[4]).toBeCloseTo(valueOf(betaIps, momentsOf(rows))! - valueOf(betaIps, without)!, 12)
  })

  it('pairs two policies on one log: the difference is far tighter than two intervals', () => {
    const rows = drawRows(4, 500, 0.5)
    const other = rows.map(({ w, r }) => ({ w: 0.9 * w + 0.1, r }))
    const [first, second] = [rows, other].map((weighed) => influencesOf(betaIps, momentsOf(weighed)))
    const difference = valueOf(betaIps, momentsOf(rows))! - valueOf(betaIps, momentsOf(other))!
    const { se } = differenceInterval(first!, second!, 0.95, difference)
    expect(se).toBeLessThan(0.3 * spreadOf(first!)!)
  })

  it('is evaluated by name, with an interval around it', async () => {
    const log = toyWorld({ seed: 3, users: 200, items: 10 }).draw()
    const { evaluation } = await evaluate(log, {
      target: { kind: 'uniform' },
      estimators: ['beta-ips', 'snips'],
    })
    const [beta, selfNormalised] = evaluation.estimates
    expect(beta!.interval![0]).toBeLessThan(beta!.value!)
    expect(Math.abs(beta!.value! - selfNormalised!.value!)).toBeLessThan(3 * selfNormalised!.se!)
  })
})

function spread(values: readonly number[]): number {
  const centre = mean(values)
  return Math.sqrt(mean(values.map((value) => (value - centre) ** 2)))
}
