import { describe, expect, it } from 'vitest'
import type { Log } from '../log/log.js'
import type { Metric } from '../metrics/user-mean.js'
import { randomStream } from '../random/stream.js'
import { rankBaselines } from './baselines.js'
import { exampleSplit, SMALL } from './example-split.js'
import { train } from './train.js'

// Every item is shown alike and none is better than others, so that tastes are all there is to learn.
const split = exampleSplit({
  users: 150,
  items: 60,
  exposures: 100,
  temperature: Infinity,
  qualityStrength: 0,
  validation: 0.1,
  test: 0.2,
})
const settings = { ...SMALL, epochs: 40, patience: 8, batch: 256 }

/** NDCG on the test part of the trained model, of popularity, and of rankings by lot. */
async function ranked(log: Log): Promise<{ trained: Metric; popularity: Metric; chance: number }> {
  const result = await train({ ...split, train: log }, settings)
  const { ranked: models } = await rankBaselines(result)
  const { model, judge } = result
  const lots = Array.from({ length: 20 }, (_, lot) => {
    const random = randomStream(lot, 'scores by lot')
    const byLot = { ...model, scores: () => Float32Array.from({ length: 60 }, () => random.uniform()) }
    return judge.model(byLot).test!.ndcg.value
  })
  return {
    trained: models[0]!.test!.ndcg,
    popularity: models.find(({ model: name }) => name === 'popularity')!.test!.ndcg,
    chance: lots.reduce((a, b) => a + b) / lots.length,
  }
}

describe('a trained model', () => {
  it('ranks better than popularity where there are tastes to learn', async () => {
    const { trained, popularity, chance } = await ranked(split.train)
    expect(trained.interval![0]).toBeGreaterThan(popularity.interval![1])
    expect(trained.value).toBeGreaterThan(1.5 * chance)
  })

  it('ranks by chance where training clicks were shuffled', async () => {
    const random = randomStream(1, 'shuffled training clicks')
    const reward = split.train.reward.slice()
    for (let k = reward.length - 1; k > 0; k--) {
      const other = Math.floor(random.uniform() * (k + 1))
      ;[reward[k], reward[other]] = [reward[other]!, reward[k]!]
    }
    const { trained, chance } = await ranked({ ...split.train, reward })
    expect(trained.interval![0]).toBeLessThan(chance)
    expect(trained.interval![1]).toBeGreaterThan(chance)
  })
})
