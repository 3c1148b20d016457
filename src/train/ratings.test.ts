import { describe, expect, it } from 'vitest'
import { startNodeThread } from '../node/start-thread.js'
import { wasmKernel } from '../kernels/wasm/wasm-kernel.js'
import { splitByRow } from '../log/split.js'
import { choosePropensity } from '../propensity/choice.js'
import { ratingsWorld } from '../world/ratings.js'
import { batchesPerEpoch, drawBatches } from './batches.js'
import { checkSettings } from './check-settings.js'
import { clickGraph, eventsOf } from './events.js'
import { imputationModel } from './imputation-model.js'
import { referenceKernel } from '../kernels/reference.js'
import { meanRating, predicted, ratingRows } from './rating-rows.js'
import { settingsFor } from './settings-for.js'
import { train } from './train.js'

const world = ratingsWorld({ seed: 2, users: 150, items: 60, density: 0.15, exposures: 10 })
const log = choosePropensity(world.draw('chosen'), { kind: 'naive-bayes', slice: world.draw('random') })
const split = splitByRow(log, { seed: 1 })
const quick = { dim: 8, epochs: 25, patience: 25, learningRate: 0.03, batch: 256 } as const

/** A plan with imputed ratings of any kind. */
function planOf(imputes: boolean) {
  const settings = settingsFor(true, { loss: imputes ? 'dr-jl' : 'ips-mse', ...quick })
  const graph = clickGraph(split.train)
  const events = eventsOf(split.train, graph, settings.loss)
  const weights = Float64Array.from({ length: events.count }, (_, k) => 0.5 + (k % 3))
  const size = (graph.users + graph.items) * settings.dim
  const embeddings = Float32Array.from({ length: size }, (_, k) => ((k * 7) % 11) / 10 - 0.5)
  return {
    events,
    graph,
    weights,
    counts: weights,
    settings,
    drawsBeside: false,
    ratings: {
      ...ratingRows(split.train, events, settings),
      ...(imputes && { imputation: { dim: settings.dim, users: graph.users, embeddings } }),
    },
  }
}

describe('the batches of ratings', () => {
  it('hold every rating once, less the mean, with its weight', () => {
    const plan = planOf(false)
    const batchAt = drawBatches(plan)(1)
    let [count, sum] = [0, 0]
    for (let number = 0; number < batchesPerEpoch(plan); number++) {
      const { users, rewards, weights } = batchAt(number)
      count += users.length
      rewards!.forEach((rating, k) => (sum += rating * weights[k]!))
    }
    expect(count).toBe(split.train.rows)
    const expected = plan.ratings.ratings.reduce((total, rating, k) => total + rating * plan.weights[k]!, 0)
    expect(sum).toBeCloseTo(expected, 2)
  })

  it('hold with each rating what is imputed for it, taken back, and for a pair drawn among all', () => {
    const plan = planOf(true)
    const { users, items, weights, rewards } = drawBatches(plan)(1)(0)
    expect(users.length).toBe(3 * Math.floor(256 / 3))
    const pairs = new Set<number>()
    for (let k = 0; k < users.length; k += 3) {
      expect([users[k], items[k]]).toEqual([users[k + 1], items[k + 1]])
      expect(weights[k + 1]).toBe(-weights[k]!)
      expect(weights[k + 2]).toBe(3)
      for (const place of [k + 1, k + 2])
        expect(rewards![place]).toBeCloseTo(
          predicted(plan.ratings.imputation!, users[place]!, items[place]!),
          5,
        )
      pairs.add(users[k + 2]! * 60 + items[k + 2]!)
    }
    expect(pairs.size).toBeGreaterThan(75)
  })
})

describe('the imputation model', () => {
  it('rests on an identity: ê − e = (r̃ − r)(r̃ + r − 2s)', () => {
    const [s, r, imputed] = [3.2, 5, 4.1]
    expect((s - imputed) ** 2 - (s - r) ** 2).toBeCloseTo((imputed - r) * (imputed + r - 2 * s), 12)
  })

  it('comes closer to the errors of the other model, epoch by epoch', async () => {
    const { settings, graph, events } = planOf(false)
    const model = await imputationModel(
      { log: split.train, graph, events, settings },
      async (chosen) => referenceKernel(chosen),
      { graph, ...settings, form: 'squared', itemsPerSample: 1 },
    )
    const prediction = new Float32Array((graph.users + graph.items) * settings.dim)
    const ones = new Float64Array(events.count).fill(1)
    const { ratings } = ratingRows(split.train, events, settings)
    const misses: number[] = []
    for (let epoch = 1; epoch <= 12; epoch++) {
      const now = await model.learn(epoch, ones, prediction)
      misses.push(
        ratings.reduce((sum, rating, k) => {
          const imputed = predicted(now, events.users[k]!, events.items[k]!)
          return sum + (imputed ** 2 - rating ** 2) ** 2
        }, 0),
      )
    }
    expect(misses.at(-1)!).toBeLessThan(0.7 * misses[0]!)
  })
})

describe('rating losses', () => {
  const learn = async (loss: 'mse' | 'ips-mse' | 'dr-jl', threads?: number) => {
    const { model, training } = await train(
      split,
      settingsFor(true, { loss, ...quick }),
      threads === undefined
        ? {}
        : { kernel: (settings) => wasmKernel(settings, { threads, startThread: startNodeThread }) },
    )
    const scores = world.userIds.map((_, user) => model.scores(user))
    const error = world.squaredError((user, item) => scores[user]![item]! + training.meanRating!)
    return { error, model, training }
  }

  it('predict all pairs better once ratings that users chose to give are weighted', async () => {
    const [plain, weighted, robust] = [await learn('mse'), await learn('ips-mse'), await learn('dr-jl')]
    const constant = world.squaredError(() => weighted.training.meanRating!)
    expect(weighted.error).toBeLessThan(0.8 * plain.error)
    expect(robust.error).toBeLessThan(0.8 * plain.error)
    expect(weighted.error).toBeLessThan(constant)
    expect(robust.error).toBeLessThan(constant)
  })

  it('report errors on the validation ratings in every epoch, and on the test ratings at the end', async () => {
    const { training } = await learn('ips-mse')
    const { best, epochs, ranked } = training
    expect(best.measure).toBe('weighted-mse')
    const least = Math.min(...epochs.map(({ ratings }) => ratings!.weightedMse!))
    // A gain below the smallest that counts does not replace an earlier epoch.
    expect(-best.value!).toBeCloseTo(least, 3)
    expect(ranked[0]).toMatchObject({ validation: null, test: null })
    const { mse, auc, ratings } = ranked[0]!.rated!
    expect(ratings).toBe(split.test.rows)
    expect(mse!.interval![0]).toBeLessThan(mse!.value)
    expect(auc!.value).toBeGreaterThan(0.5)
  })

  it('learn the same bits on two threads', async () => {
    const [one, two] = [await learn('dr-jl', 1), await learn('dr-jl', 2)]
    expect(two.model.initial).toEqual(one.model.initial)
  })

  it('take the mean rating as weighted: that of all pairs, not of those that were chosen', () => {
    const truth = world.ratings.reduce((a, b) => a + b) / world.ratings.length
    const plain = meanRating(split.train, { loss: 'mse' })
    const weighted = meanRating(split.train, { loss: 'ips-mse' })
    expect(plain - truth).toBeGreaterThan(0.4)
    expect(Math.abs(weighted - truth)).toBeLessThan(0.15)
  })

  it('are for matrix factorisation, stopped by their errors', () => {
    const with_ = (more: object) => () => checkSettings(settingsFor(true, { loss: 'mse', ...more }))
    expect(with_({ model: 'lightgcn' })).toThrow('predicts ratings by matrix factorisation, not by LightGCN')
    expect(with_({ stopOn: 'ndcg' })).toThrow('cannot stop on ndcg')
    expect(with_({ dim: 2 })).toThrow('dim cannot be 2')
  })
})
