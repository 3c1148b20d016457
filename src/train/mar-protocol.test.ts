import { describe, expect, it } from 'vitest'
import { marSchema } from '../schemas/training.js'
import { ratingsWorld } from '../world/ratings.js'
import { marProtocol, meanAndDeviation } from './mar-protocol.js'

const world = ratingsWorld({ seed: 2, users: 150, items: 60, density: 0.15, exposures: 20 })
const [chosen, random] = [world.draw('chosen'), world.draw('random')]
const settings = { dim: 8, epochs: 20, learningRate: 0.03, batch: 256, l2: 0.1 } as const

describe('the MAR protocol', () => {
  it('puts three methods side by side on random ratings, over seeds', async () => {
    const models: string[] = []
    const report = await marProtocol(chosen, random, {
      settings,
      seeds: 2,
      slice: 0.2,
      unknownRows: 3,
      onModel: async (name) => void models.push(name),
    })
    expect(models).toEqual(['mf', 'mf-ips', 'dr-jl'])
    const [mf, ips, dr] = report.methods.map(({ over }) => over.mse!.mean)
    expect(ips).toBeLessThan(0.8 * mf!)
    expect(dr).toBeLessThan(0.8 * mf!)
    expect(ips).toBeLessThan(report.constantError)
    for (const { runs, over, tried, settings: used } of report.methods) {
      expect(runs.map(({ seed }) => seed)).toEqual([0, 1])
      expect(over.mse).toEqual(meanAndDeviation(runs.map(({ metrics }) => metrics.mse!.value)))
      expect(over.auc!.mean).toBeGreaterThan(0.5)
      expect(tried).toEqual([])
      expect(used.l2).toBe(0.1)
    }
    // What propensities were estimated from is in no test.
    const { sliceRows, parameters } = report.propensities
    expect(sliceRows / random.rows).toBeCloseTo(0.2, 1)
    expect(report.test.rows + report.test.leftOut.seen).toBe(random.rows - sliceRows)
    expect(report.test.leftOut.unknown).toBe(3)
    expect(parameters['propensity of reward 5']).toBeGreaterThan(3 * parameters['propensity of reward 3']!)
    expect(marSchema.parse(JSON.parse(JSON.stringify(report)))).toEqual(report)
  })

  it('takes the propensities of a log that has them, and tests on all random ratings', async () => {
    const propensity = Float64Array.from(chosen.user, (user, row) =>
      world.propensity(user, chosen.item[row]!),
    )
    const report = await marProtocol({ ...chosen, propensity, propensitySource: 'logged' }, random, {
      settings: { ...settings, epochs: 2 },
      seeds: 1,
    })
    expect(report.propensities).toEqual({ from: 'log', sliceRows: 0, parameters: {} })
    expect(report.test.rows + report.test.leftOut.seen).toBe(random.rows)
    expect(report.methods[0]!.over.mse!.deviation).toBeNull()
  })

  it('chooses a penalty for each method on its own validation ratings', async () => {
    const { l2: _, ...open } = settings
    const { methods } = await marProtocol(chosen, random, {
      settings: { ...open, epochs: 3 },
      seeds: 1,
      slice: 0.2,
      penalties: [0.1, 30],
    })
    for (const { tried, settings: used } of methods) {
      expect(tried.map(({ l2 }) => l2)).toEqual([0.1, 30])
      expect(used.l2).toBe(tried[0]!.error! <= tried[1]!.error! ? 0.1 : 30)
    }
  })

  it.each([
    [{ seeds: 0 }, 'cannot train with 0 seeds'],
    [{ slice: 1 }, 'A share of 1 of the random ratings'],
    [{ settings: { loss: 'bpr' as const } }, 'compares matrix factorisation by three losses'],
  ])('refuses %j', async (options, message) => {
    await expect(marProtocol(chosen, random, options)).rejects.toThrow(message)
  })

  it('refuses ratings that are all alike', async () => {
    const same = { ...chosen, reward: chosen.reward.map(() => 1) }
    await expect(marProtocol(same, random)).rejects.toThrow('Every rating of the training log is 1')
  })
})
