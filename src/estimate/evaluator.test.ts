import { describe, expect, it } from 'vitest'
import { type Log, takeRows } from '../log/log.js'
import { fixedPolicy } from '../policy/probabilities.js'
import type { Policy } from '../policy/policy.js'
import { popularityPolicy } from '../policy/popularity.js'
import { policyFamily } from '../policy/policy-family.js'
import { toyWorld } from '../world/toy.js'
import { type EvaluateOptions, evaluate, evaluatorOf } from './evaluate.js'
import { ESTIMATORS } from './estimators/index.js'
import { bootstrapAll } from './intervals/bootstrap.js'
import { ips, snips } from './estimators/importance.js'
import { termsOf } from './estimator.js'
import { momentsOf } from './source/prepared-log.js'
import { popularityTargets } from './popularity-targets.js'
import { crossFit, itemMean } from './reward/reward-model.js'
import { type Target, importanceWeights, predictions, unsupportedMass } from './target.js'
import { softmaxAt } from '../policy/score-rule.js'

const world = toyWorld({ seed: 3, users: 120, items: 20, exposures: 10, skew: 2 })
const drawn = world.draw()
/** The rows in an order that mixes users, with positions and a catalogue of one item more than is ever shown. */
const log: Log = {
  ...takeRows(
    drawn,
    Uint32Array.from({ length: drawn.rows }, (_, row) => (row * 7919) % drawn.rows),
  ),
  itemIds: [...drawn.itemIds, 'never shown'],
  position: Float64Array.from({ length: drawn.rows }, (_, row) => row % 3),
}
const tastes = policyFamily(
  'tastes',
  (user) => Float32Array.from({ length: 21 }, (_, item) => (item * user) % 7),
  {
    items: 21,
  },
)
const policyTarget = (policy: Policy): Target => ({ kind: 'policy', policy })
const targets: Target[] = [
  { kind: 'uniform' },
  { kind: 'logging' },
  policyTarget(tastes.by(softmaxAt(1))),
  policyTarget(
    popularityPolicy(
      Array.from({ length: 21 }, (_, item) => item),
      softmaxAt(0.5),
    ),
  ),
  policyTarget(popularityTargets(log).by(softmaxAt(2))),
  policyTarget(tastes.by(softmaxAt(3))),
]

describe('evaluatorOf', () => {
  it.each<[string, Omit<EvaluateOptions, 'target'>]>([
    ['the default estimators', {}],
    [
      'every estimator',
      {
        estimators: ESTIMATORS.all.filter(({ rows }) => rows !== 'slates').map(({ name }) => name),
        categories: log.itemIds.map((_, item) => `c${item % 4}`),
      },
    ],
    ['rows as clusters, by the bootstrap', { cluster: 'row', interval: 'bootstrap', bootstrap: 20, seed: 5 }],
  ])('says what evaluate says, to the bit, whatever was asked before: %s', async (_, options) => {
    const evaluator = evaluatorOf(log, options)
    for (const target of [...targets, ...targets.toReversed()]) {
      const { evaluation, evidence } = await evaluator.evaluate(target)
      const alone = await evaluate(log, { ...options, target })
      expect(evaluation).toEqual(alone.evaluation)
      expect(await evidence.weights()).toEqual(await alone.evidence.weights())
      expect(evidence.influences).toEqual(alone.evidence.influences)
      expect(evidence.distributions).toEqual(alone.evidence.distributions)
    }
  })

  it('answers questions that were asked at the same time', async () => {
    const evaluator = evaluatorOf(log)
    const together = await Promise.all(targets.map((target) => evaluator.evaluate(target)))
    for (const [k, { evaluation, evidence }] of together.entries()) {
      const alone = await evaluate(log, { target: targets[k]! })
      expect(evaluation).toEqual(alone.evaluation)
      expect(await evidence.weights()).toEqual(await alone.evidence.weights())
    }
  })

  it('fits the reward model once', async () => {
    let fits = 0
    const rewardModel = {
      ...itemMean,
      fit: (...given: Parameters<typeof itemMean.fit>) => {
        fits++
        return itemMean.fit(...given)
      },
    }
    const evaluator = evaluatorOf(log, { rewardModel, estimators: ['dm'] })
    for (const target of targets) await evaluator.evaluate(target)
    expect(fits).toBe(5)
  })

  it('draws the bootstrap distributions of IPS and SNIPS when they are asked for', async () => {
    const target = targets[3]!
    const { evidence } = await evaluatorOf(log, { bootstrap: 30, seed: 2 }).evaluate(target)
    const rows = { log, weight: importanceWeights(log, target) }
    const moments = momentsOf(rows, termsOf([ips, snips]), 'user')
    const drawnAnew = bootstrapAll([ips, snips], moments, { resamples: 30, seed: 2 })
    expect(evidence.distributions.map(({ name }) => name)).toEqual(['IPS', 'SNIPS'])
    expect(evidence.distributions.map(({ values }) => values)).toEqual(drawnAnew)
    expect(evidence.distributions).toBe(evidence.distributions)
  })

  it('draws the replicates of every estimate that has a value, with the clusters of those distributions', async () => {
    const { evaluation, evidence } = await evaluate(log, {
      target: { kind: 'uniform' },
      estimators: ['snips', 'dr', 'mips'],
      bootstrap: 200,
    })
    expect([...evidence.replicates.keys()]).toEqual(['snips', 'dr'])
    expect(evidence.replicates.get('snips')).toEqual(evidence.distributions[1]!.values)
    const draws = evidence.replicates.get('dr')!
    const mean = draws.reduce((sum, value) => sum + value, 0) / draws.length
    const se = Math.sqrt(draws.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (draws.length - 1))
    expect(se / evaluation.estimates[1]!.se!).toBeCloseTo(1, 0)
  })

  it('refuses an invalid number of resamples, even before any are drawn', async () => {
    await expect(evaluatorOf(log, { bootstrap: 2.5 }).evaluate(targets[0]!)).rejects.toThrow('whole number')
  })

  it('refuses a log without rows', () => {
    expect(() => evaluatorOf(takeRows(log, new Uint32Array(0)))).toThrow('no rows')
  })
})

describe('a policy that says which users share probabilities', () => {
  const groups = (user: number): number => user % 3
  const parts = [0, 1, 2].map((group) =>
    fixedPolicy(
      'part',
      Array.from({ length: 21 }, (_, item) => (item + group) % 5),
    ),
  )
  const plain: Policy = {
    ...parts[0]!,
    name: 'by group',
    probabilities: (user) => parts[groups(user)]!.probabilities(user),
  }
  const grouped: Policy = { ...plain, groupOf: groups }

  it('has the weights, values and unsupported mass it has when every user is asked about', () => {
    const models = crossFit(itemMean, log, 1)
    const [asked, told] = [policyTarget(plain), policyTarget(grouped)]
    expect(importanceWeights(log, told)).toEqual(importanceWeights(log, asked))
    expect(predictions(log, told, models)).toEqual(predictions(log, asked, models))
    expect(unsupportedMass(log, told)).toBe(unsupportedMass(log, asked))
    expect(unsupportedMass(log, told)).toBeGreaterThan(0)
  })

  it('is asked about each group once', () => {
    const asked: number[] = []
    const counting: Policy = {
      ...grouped,
      probabilities: (user) => {
        asked.push(groups(user))
        return plain.probabilities(user)
      },
    }
    importanceWeights(log, policyTarget(counting))
    expect(asked.toSorted()).toEqual([0, 1, 2])
  })
})
