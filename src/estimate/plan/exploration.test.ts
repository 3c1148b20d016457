import { describe, expect, it } from 'vitest'
import { evaluate } from '../evaluate.js'
import { drawnLog, UNIFORM_LOSS } from './example-world.js'
import { plan } from './plan.js'
import type { ExplorationPoint } from './plan-record.js'

const TARGET = { kind: 'column', name: 'target' } as const
const BASE = { users: 1500, rowsPerUser: 4, days: 1, byUser: 0.15 }

const meanOf = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0) / values.length

const errorOfMean = (values: readonly number[]): number =>
  Math.sqrt(
    values.reduce((sum, x) => sum + (x - meanOf(values)) ** 2, 0) / (values.length * (values.length - 1)),
  )

describe('what more exploration would buy', () => {
  it('is nothing for ε = 0: today’s effective sample, errors and rows', async () => {
    const log = drawnLog({ ...BASE, seed: 1 })
    const { exploration, value, difference, goals } = await plan(log, {
      target: TARGET,
      detect: 0.01,
      width: 0.02,
    })
    const { evaluation } = await evaluate(log, { target: TARGET })
    const [today] = exploration!.points
    expect(today!.epsilon).toBe(0)
    expect(today!.ess).toBeCloseTo(evaluation.diagnostics.ess!, 6)
    expect(today!.seOfValue).toBeCloseTo(value.se, 12)
    expect(today!.seOfDifference!).toBeCloseTo(difference.se, 12)
    expect(today!.cost).toBe(0)
    today!.moreRows.forEach((rows, k) =>
      expect(Math.abs(rows! - goals[k]!.needed!.more.rows)).toBeLessThanOrEqual(1),
    )
  })

  it('of an exact example: two items, shown 3 of 4 times and 1 of 4', async () => {
    const log = {
      rows: 4,
      user: Uint32Array.of(0, 1, 2, 3),
      item: Uint32Array.of(0, 0, 0, 1),
      userIds: ['a', 'b', 'c', 'd'],
      itemIds: ['x', 'y'],
      catalogueKnown: true,
      reward: Float64Array.of(1, 0, 1, 0),
      propensity: Float64Array.of(0.75, 0.75, 0.75, 0.25),
      propensitySource: 'logged',
    } as const
    const { exploration } = await plan(log, { target: { kind: 'uniform' }, epsilons: [1] })
    const [today, uniform] = exploration!.points
    // w = 2/3, 2/3, 2/3, 2: (Σw)²/Σw² = 16/(16/3) = 3. Of a uniform logger every weight is 1.
    expect(today!.ess).toBeCloseTo(3, 12)
    expect(uniform!.ess).toBeCloseTo(4, 12)
    // The uniform policy by SNIPS: (2/3 + 2/3)/4 = 1/3; the logging policy earned 1/2.
    expect(exploration!.uniformValue).toBeCloseTo(1 / 3, 12)
    expect(uniform!.cost).toBeCloseTo(1 / 6, 12)
  })

  it('is what logs of such a logger show: effective sample, error of the value', async () => {
    const epsilons = [0.1, 0.4, 1]
    const seeds = Array.from({ length: 8 }, (_, seed) => seed)
    const planned: ExplorationPoint[][] = []
    for (const seed of seeds)
      planned.push([
        ...(await plan(drawnLog({ ...BASE, seed }), { target: TARGET, epsilons })).exploration!.points,
      ])
    for (const [k, epsilon] of [0, ...epsilons].entries()) {
      const seen: { ess: number; seOfValue: number }[] = []
      for (const seed of seeds) {
        const log = drawnLog({ ...BASE, epsilon, seed: 100 + seed })
        const { evaluation } = await evaluate(log, { target: TARGET, estimators: ['snips'] })
        seen.push({ ess: evaluation.diagnostics.ess!, seOfValue: evaluation.estimates[0]!.se! })
      }
      for (const what of ['ess', 'seOfValue'] as const) {
        const [expected, found] = [planned.map((points) => points[k]![what]), seen.map((one) => one[what])]
        const error = Math.hypot(errorOfMean(expected), errorOfMean(found))
        expect(error / meanOf(found)).toBeLessThan(0.02)
        expect(Math.abs(meanOf(expected) - meanOf(found))).toBeLessThan(4 * error)
      }
    }
  })

  it('costs ε times what random items earn less, to within its error', async () => {
    const { exploration } = await plan(drawnLog({ ...BASE, users: 6000, seed: 3 }), {
      target: TARGET,
      epsilons: [0.2],
    })
    const { cost, costSe } = exploration!.points[1]!
    expect(Math.abs(cost - 0.2 * UNIFORM_LOSS)).toBeLessThan(4 * costSe!)
    expect(costSe!).toBeLessThan(0.003)
  })

  it('leaves the difference from another policy unknown, and says why there is none at all', async () => {
    const log = drawnLog({ ...BASE, users: 300, seed: 4 })
    const against = { target: { kind: 'uniform' } } as const
    const { exploration } = await plan(log, { target: TARGET, against, width: 0.1 })
    expect(exploration!.points[0]!.seOfDifference).toBeNull()
    expect(exploration!.points[0]!.moreRows.map((rows) => rows === null)).toEqual([true, false, true])
    const { exploration: none, explorationReason } = await plan(log, {
      target: TARGET,
      against,
      estimator: 'clipped-ips:3',
    })
    expect(none).toBeNull()
    expect(explorationReason).toContain('snips and ips')
  })
})
