import { describe, expect, it } from 'vitest'
import { fixedPolicy } from '../policy/probabilities.js'
import { type Log, takeRows } from '../log/log.js'
import type { Model } from '../model/model.js'
import { modelPolicy } from '../model/model-policy.js'
import { log as naturalLog } from '../portable-math.js'
import { randomStream } from '../random/stream.js'
import { tastesWorld } from '../world/tastes.js'
import { worldOf } from '../world/world.js'
import { splitByRow } from '../log/split.js'
import { certify, type Certificate } from './certificate.js'
import { fewUsersLog, fewUsersTruth, withClock } from './example-plane.js'
import { settingsFor } from './settings-for.js'
import { train } from './train.js'
import { softmaxAt } from '../policy/score-rule.js'

const modelOf = (users: number, scores: readonly number[]): Model => ({
  kind: 'popularity',
  users,
  items: scores.length,
  scores: () => Float32Array.from(scores),
  foldIn: () => Float32Array.from(scores),
})

/** Clicks at the rates given, shown by the probabilities given, whoever the user. */
const worldWith = (rates: readonly number[], shown: readonly number[], seed: number, exposures = 20) =>
  worldOf({
    name: 'plain',
    seed,
    userIds: Array.from({ length: 100 }, (_, user) => String(user)),
    itemIds: rates.map((_, item) => String(item)),
    logging: fixedPolicy('logging', Float64Array.from(shown)),
    exposures,
    clickRate: (_, item) => rates[item]!,
  })

const certified = (log: Log, scores: readonly number[]): Promise<Certificate> =>
  certify(splitByRow(log, { seed: 1, validation: 0, test: 0.5 }), modelOf(100, scores), { temperature: 1 })

describe('a certificate', () => {
  it('launches a policy that is better beyond doubt, with bounds below what it truly earns', async () => {
    const { policy, logging, difference, decision } = await certified(
      worldWith([0.1, 0.6], [0.5, 0.5], 1).draw(),
      [0, 3],
    )
    expect(decision).toBe('launch')
    const truth = 0.1 + 0.5 / (1 + Math.exp(-3))
    expect(policy.verdict.level).toBe('trust')
    expect(policy.atLeast).toBeLessThan(truth)
    expect(policy.atLeast).toBeGreaterThan(0.5)
    expect(logging.value).toBeCloseTo(0.35, 1)
    expect(difference.atLeast).toBeGreaterThan(0.15)
  })

  it('keeps the logging policy where the learnt one is no better, or the same', async () => {
    const world = worldWith([0.1, 0.6], [0.2, 0.8], 2)
    const worse = await certified(world.draw(), [0, 0])
    expect(worse.decision).toBe('keep')
    expect(worse.difference.atMost).toBeLessThan(0)
    const same = await certified(
      world.draw(),
      [0.2, 0.8].map((share) => naturalLog(share)),
    )
    expect(same.decision).toBe('keep')
    expect(same.policy.value).toBeCloseTo(same.logging.value!, 6)
  })

  it('promises nothing for a policy that hardly any row speaks for', async () => {
    const log = worldWith([0.1, 0.6, 0.5], [0.6, 0.399, 0.001], 5).draw()
    const { policy, decision } = await certified(log, [0, 0, 20])
    expect(policy.verdict.means).toBe('cannot-tell')
    expect(policy.verdict.reasons[0]!.code).toBe('dominated')
    expect([policy.atLeast, policy.atMost]).toEqual([null, null])
    expect(decision).toBe('keep')
  })

  it('does not take items that the test impressions missed to be as good as the others', async () => {
    // Half of the policy is an item that earns nothing and that no row shows.
    const log = worldWith([0.1, 0.6, 0], [0.4999, 0.5, 0.0001], 5).draw()
    const rows = log.item.filter((item) => item === 2).length
    expect(rows).toBe(0)
    const { policy } = await certified(log, [-20, 0, 0])
    expect(policy.value).toBeGreaterThan(0.5)
    expect(policy.atLeast ?? 0).toBeLessThan(0.3)
  })

  it('is the same when all rewards are lowered below 0, less that', async () => {
    const log = worldWith([0.1, 0.6], [0.5, 0.5], 1).draw()
    const amounts = { ...log, reward: log.reward.map((reward) => 2 * reward) }
    const lowered = { ...log, reward: log.reward.map((reward) => 2 * reward - 2) }
    const [plain, less] = [await certified(amounts, [0, 3]), await certified(lowered, [0, 3])]
    expect(less.policy.atLeast).toBeCloseTo(plain.policy.atLeast! - 2, 10)
    expect(less.difference.atLeast).toBeCloseTo(plain.difference.atLeast!, 10)
  })
})

describe('a certificate of a policy over features', () => {
  const scoresAt = (x: number): Float32Array => Float32Array.of(3 * x, -3 * x, 0)
  const onAll = (log: Log): Promise<Certificate> => {
    const { features, names, user } = log.contexts!
    const none = takeRows(log, new Uint32Array(0))
    return certify(
      { train: none, validation: none, test: log },
      {
        kind: 'linear',
        users: user.length,
        items: 3,
        scores: (context) => scoresAt(features[context * names.length]!),
        foldIn: () => scoresAt(0),
      },
      { temperature: 1 },
    )
  }

  it('is not moved by rows that are repeated under the same user', async () => {
    const log = fewUsersLog(1, 40, 50)
    // A log that is in a file twice is refused.
    const thrice = takeRows(
      log,
      Uint32Array.from({ length: 3 * log.rows }, (_, row) => row % log.rows),
    )
    const [once, again] = [await onAll(log), await onAll(withClock(thrice))]
    expect(once.policy.atLeast).toBeGreaterThan(0)
    expect(again.policy.atLeast).toBeCloseTo(once.policy.atLeast!, 10)
    expect(again.difference.atLeast).toBeCloseTo(once.difference.atLeast!, 10)
  })

  it.each([8, 40])('promises too much in at most one of twenty logs of %d users', async (users) => {
    const truth = fewUsersTruth(scoresAt)
    const gain = truth - fewUsersTruth(() => [0, 0, 0])
    let [above, gainAbove] = [0, 0]
    for (let seed = 1; seed <= 30; seed++) {
      const { policy, difference } = await onAll(fewUsersLog(seed, users, 200))
      if (policy.atLeast !== null && policy.atLeast > truth) above++
      if (difference.atLeast !== null && difference.atLeast > gain) gainAbove++
    }
    // P(Binomial(30, 0.05) > 4) is 0.016.
    expect(above).toBeLessThanOrEqual(4)
    expect(gainAbove).toBeLessThanOrEqual(4)
  })
})

describe('certificates of learnt policies', () => {
  const SEEDS = 20
  const settings = settingsFor(true, {
    loss: 'snips',
    dim: 4,
    batch: 256,
    epochs: 4,
    learningRate: 0.05,
  })
  const worlds = {
    'clicks are drawn anew at every impression': (seed: number) => {
      const world = tastesWorld({ seed, users: 60, items: 10, exposures: 60 })
      return { log: world.draw(), logging: world.value(world.logging), world }
    },
    'a user who clicked an item once clicks it always': (seed: number) => {
      const world = tastesWorld({ seed, users: 60, items: 10, exposures: 60 })
      const fixed = Array.from({ length: 600 }, (_, pair) =>
        randomStream(seed, 'answers', pair).uniform() < world.clickRate(Math.floor(pair / 10), pair % 10)
          ? 1
          : 0,
      )
      const truth = worldOf({
        ...world,
        exposures: 60,
        clickRate: (user, item) => fixed[user * 10 + item]!,
      })
      return { log: truth.draw(), logging: truth.value(truth.logging), world: truth }
    },
  }

  it.each(Object.entries(worlds))('promise too much in at most one of twenty where %s', async (_, make) => {
    let [above, gainAbove, launched] = [0, 0, 0]
    for (let seed = 1; seed <= SEEDS; seed++) {
      const { log, logging, world } = make(seed)
      const { model, training } = await train(splitByRow(log, { seed, validation: 0.2, test: 0.3 }), {
        ...settings,
        seed,
      })
      const { policy, difference, decision } = training.certificate!
      const truth = world.value(modelPolicy(model, softmaxAt(1)))
      if (policy.atLeast !== null && policy.atLeast > truth) above++
      if (difference.atLeast !== null && difference.atLeast > truth - logging) gainAbove++
      if (decision === 'launch') launched++
    }
    // P(Binomial(20, 0.05) > 3) is 0.016.
    expect(above).toBeLessThanOrEqual(3)
    expect(gainAbove).toBeLessThanOrEqual(3)
    expect(launched).toBeGreaterThan(SEEDS / 2)
  })
})
