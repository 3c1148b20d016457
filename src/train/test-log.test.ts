import { describe, expect, it } from 'vitest'
import type { Log } from '../log/log.js'
import { splitByRow } from '../log/split.js'
import type { Model } from '../model/model.js'
import { uniformPolicy } from '../policy/probabilities.js'
import { ratingsWorld } from '../world/ratings.js'
import { tastesWorld } from '../world/tastes.js'
import { settingsFor } from './settings-for.js'
import { type TestLog, testLogJudge } from './test-log.js'
import { train } from './train.js'
import { trainOnLog } from './train-on-log.js'

/** A log of rows [user, item, reward], of 3 users and 5 items. */
const logOf = (rows: readonly (readonly [number, number, number])[]): Log => ({
  rows: rows.length,
  user: Uint32Array.from(rows, ([user]) => user),
  item: Uint32Array.from(rows, ([, item]) => item),
  reward: Float64Array.from(rows, ([, , reward]) => reward),
  userIds: ['a', 'b', 'c'],
  itemIds: ['1', '2', '3', '4', '5'],
  catalogueKnown: true,
  propensitySource: 'none',
})
const split = { train: logOf([[0, 0, 1], [1, 1, 1], [2, 2, 1]]), validation: logOf([[0, 1, 1]]), test: logOf([]) } // prettier-ignore
const settings = settingsFor(false, { k: 2 })
/** Items by their number, the last one best. */
const inOrder: Model = {
  kind: 'popularity',
  users: 3,
  items: 5,
  scores: () => Float32Array.of(1, 2, 3, 4, 5),
  foldIn: () => Float32Array.of(1, 2, 3, 4, 5),
}
const judged = (testLog: TestLog) => testLogJudge(testLog, split, settings)

describe('a test log', () => {
  it('of clicks alone is ranked among all items that training does not know', async () => {
    const { facts, judge } = judged({ log: logOf([[0, 4, 1], [1, 3, 1], [0, 0, 1]]), unknownRows: 7 }) // prettier-ignore
    expect(facts).toEqual({
      among: 'all',
      rows: 2,
      users: 2,
      clicks: 2,
      // The last row was clicked in training.
      leftOut: { unknown: 7, seen: 1 },
    })
    const found = (await judge(inOrder, false))!
    // User a: item 5 of {3, 4, 5}, first of three. User b: item 4 of {1, 3, 4, 5}, above two of three.
    expect(found.auc!.value).toBeCloseTo((1 + 2 / 3) / 2, 12)
    expect(found.ndcg!.value).toBeCloseTo((1 + 1 / Math.log2(3)) / 2, 12)
    expect(found.recall!.value).toBe(1)
    expect(found.mse).toBeUndefined()
  })

  it('with rewards that differ is ranked among the rated items', async () => {
    const log = logOf([[0, 2, 1], [0, 3, 0], [1, 0, 0], [1, 4, 1], [2, 0, 0]]) // prettier-ignore
    const { facts, judge } = judged({ log })
    expect(facts).toMatchObject({ among: 'rated', rows: 5, users: 3, clicks: 2 })
    const found = (await judge(inOrder, false))!
    expect(found).toMatchObject({ auc: { value: 0.5 }, orderedUsers: 2, users: 3, ratings: 5 })
    expect(found.ndcg!.value).toBeCloseTo((1 / Math.log2(3) + 1) / 2, 12)
    expect(judged({ log, among: 'all' }).facts.among).toBe('all')
  })

  it('of nothing that training has not seen says so', async () => {
    const { facts, judge } = judged({ log: logOf([[0, 0, 1], [0, 1, 1]]) }) // prettier-ignore
    expect(facts.rows).toBe(0)
    expect(await judge(inOrder, false)).toBeNull()
  })

  it('judges the model and its baselines, and changes no bit of the training', async () => {
    const world = tastesWorld({ seed: 4, users: 60, items: 30, exposures: 40 })
    const testLog = { log: world.draw({ policy: uniformPolicy(30) }) }
    const choices = { settings: { epochs: 3, dim: 8, batch: 128 }, baselines: 'all' } as const
    const [plain, tested] = [
      await trainOnLog(world.draw(), choices),
      await trainOnLog(world.draw(), choices, { testLog }),
    ]
    expect(tested.training.best).toEqual(plain.training.best)
    expect(tested.training.testLog!.among).toBe('rated')
    expect(tested.training.ranked.map(({ testLog: on }) => on!.auc!.interval !== null)).toEqual([
      true,
      true,
      true,
      true,
    ])
    expect(plain.training.ranked.every((one) => !('testLog' in one))).toBe(true)
  })

  it('has the errors of predicted ratings, close to those over all pairs where it is random', async () => {
    const world = ratingsWorld({ seed: 2, users: 150, items: 60, density: 0.15, exposures: 20 })
    const { model, training } = await train(
      splitByRow(world.draw('chosen')),
      settingsFor(false, { loss: 'mse', dim: 8, epochs: 15, learningRate: 0.03, batch: 256 }),
      { testLog: { log: world.draw('random') } },
    )
    const { mse } = training.ranked[0]!.testLog!
    const scores = world.userIds.map((_, user) => model.scores(user))
    const truth = world.squaredError((user, item) => scores[user]![item]! + training.meanRating!)
    expect(mse!.interval![0]).toBeLessThan(truth * 1.15)
    expect(mse!.interval![1]).toBeGreaterThan(truth)
    expect(training.testLog!.leftOut.seen).toBeGreaterThan(0)
  })
})
