import { beforeEach, describe, expect, it } from 'vitest'
import { evaluate } from '$core/estimate/evaluate.js'
import { popularityTargets } from '$core/estimate/popularity-targets.js'
import { isLacking } from '$core/estimate/source/source.js'
import { graphOf, isLinked } from '$core/graph/graph.js'
import type { Log } from '$core/log/log.js'
import { splitByRow } from '$core/log/split.js'
import type { Embeddings } from '$core/model/embedding-model.js'
import { randomStream } from '$core/random/stream.js'
import { tastesWorld } from '$core/world/tastes.js'
import { compareTargets } from './compare.js'
import { evaluateTarget, evaluationEvidence, weightsOfTarget } from './evaluate.js'
import { hold } from './held.js'
import { keepModel } from './models.js'
import type { TargetChoice } from './target-choice.js'
import { softmaxAt } from '$core/policy/score-rule.js'

const world = tastesWorld({ seed: 3, users: 150, items: 25, exposures: 40 })
const log = world.draw()
const choices = { estimators: ['ips', 'snips', 'dr'], seed: 4 } as const

/** A model with scores that are random but fixed. */
function anyEmbeddings(seed: number): Embeddings {
  const [users, items, dim] = [log.userIds.length, log.itemIds.length, 4]
  const random = randomStream(seed, 'embeddings')
  const final = Float32Array.from({ length: (users + items) * dim }, () => random.uniform() - 0.5)
  const graph = graphOf(users, items, new Uint32Array(0), new Uint32Array(0))
  return { kind: 'mf', layers: 0, dim, graph, initial: final, final }
}

const training = { by: 'row', validation: 0.1, test: 0.4, seed: 1 } as const
const model = (id: number, temperature = 1, part = training): TargetChoice => ({
  kind: 'model',
  id,
  name: `Model ${id}`,
  rule: softmaxAt(temperature),
  training: part,
})

beforeEach(() => {
  hold({ log, world })
  keepModel({ id: 1, embeddings: anyEmbeddings(1) })
  keepModel({ id: 2, embeddings: anyEmbeddings(2) })
})

describe('an evaluation at the desk', () => {
  it('is the one of the command line, whatever was asked before', async () => {
    const popularity = { kind: 'popularity', rule: softmaxAt(0.5) } as const
    for (const target of [popularity, { kind: 'uniform' }, popularity] as const) {
      const { evaluation } = await evaluateTarget({ target, choices })
      const expected =
        target.kind === 'popularity'
          ? ({ kind: 'policy', policy: popularityTargets(log).by(softmaxAt(0.5)) } as const)
          : target
      expect(evaluation).toEqual((await evaluate(log, { ...choices, target: expected })).evaluation)
    }
  })

  it('knows the truth in a world, and only there', async () => {
    const target = { kind: 'logging' } as const
    expect((await evaluateTarget({ target, choices })).truth).toBe(world.value(world.logging))
    hold({ log })
    expect((await evaluateTarget({ target, choices })).truth).toBeNull()
  })

  it('keeps the weights of different policies apart, whatever was asked in between', async () => {
    const [uniform, logging] = [{ kind: 'uniform' }, { kind: 'logging' }] as const
    const { evidence } = await evaluate(log, { target: uniform, estimators: ['snips'] })
    const expected = await evidence.weights()
    if (isLacking(expected)) throw new Error(expected.lacking)
    await evaluateTarget({ target: uniform, choices })
    expect(await weightsOfTarget({ target: uniform, choices })).toEqual(expected)
    await evaluateTarget({ target: logging, choices })
    expect(await weightsOfTarget({ target: uniform, choices })).toEqual(expected)
    // Another log has other weights for the same policy.
    hold({ log: { ...log, propensity: log.propensity!.map((b) => b / 2) } })
    const halved = await weightsOfTarget({ target: uniform, choices })
    expect(halved.heaviest).toBe(2 * expected.heaviest)
  })

  it('comes with its evidence for a report, including the curve over λ', async () => {
    const question = { target: { kind: 'uniform' }, choices } as const
    const { evaluation, evidence } = await evaluationEvidence({ ...question, forReport: true })
    const alone = await evaluate(log, { ...choices, target: question.target, withCurve: true })
    expect(evaluation).toEqual(alone.evaluation)
    const { weights, distributions, curves } = alone.evidence
    expect(structuredClone(evidence)).toEqual({
      weights: await weights(),
      distributions,
      curves,
      days: null,
    })
  })
})

describe('a model that was trained on the log', () => {
  const { train, test } = splitByRow(log, training)
  const shown = graphOf(150, 25, train.user, train.item)

  it('is evaluated on test rows not seen in training, where its true value lies in the interval', async () => {
    const { evaluation, truth } = await evaluateTarget({ target: model(1, 0.3), choices })
    const unseen = Array.from(test.user).filter((user, row) => !isLinked(shown.byUser, user, test.item[row]!))
    expect(evaluation.log.rows).toBe(unseen.length)
    expect(evaluation.target).toBe('Model 1@softmax=0.3')
    const [low, high] = evaluation.estimates.find(({ estimator }) => estimator === 'snips')!.interval!
    expect(truth).toBeGreaterThan(low)
    expect(truth).toBeLessThan(high)
    // The weights are those of a choice among the same items, on both sides.
    expect(Math.abs(evaluation.diagnostics.meanWeightZ!)).toBeLessThan(4)
  })

  it('is compared at other temperatures too where that goes into a report', async () => {
    const question = {
      target: model(1),
      against: { kind: 'popularity', rule: softmaxAt(2) },
      choices,
      estimator: 'snips',
    } as const
    expect((await compareTargets(question)).comparison.temperatures).toBeUndefined()
    const { comparison } = await compareTargets({ ...question, forReport: true })
    const [, own] = comparison.evaluations
    expect(comparison.temperatures!.map(({ target }) => target)).toEqual(['Model 1'])
    const itself = comparison.temperatures![0]!.points.find(({ temperature }) => temperature === 1)!
    expect(itself).toMatchObject({ value: own!.estimates[0]!.value, interval: own!.estimates[0]!.interval })
  })

  it('is compared on the same rows, where the other policy also chooses among items not seen in training', async () => {
    const targets: TargetChoice[] = [
      { kind: 'uniform' },
      { kind: 'logging' },
      { kind: 'popularity', rule: softmaxAt(2) },
      model(2),
    ]
    const { evaluation: alone } = await evaluateTarget({ target: model(1), choices })
    for (const against of targets) {
      const { comparison, trueDifference } = await compareTargets({
        target: model(1),
        against,
        choices,
        estimator: 'snips',
      })
      const [baseline, own] = comparison.evaluations
      expect(baseline!.log.rows).toBe(alone.log.rows)
      expect(own!.estimates[0]).toEqual(alone.estimates[1])
      if (against.kind !== 'logging')
        expect(Math.abs(baseline!.diagnostics.meanWeightZ!), against.kind).toBeLessThan(4)
      const [low, high] = comparison.differences[0]!.interval!
      expect(trueDifference, against.kind).toBeGreaterThan(low)
      expect(trueDifference, against.kind).toBeLessThan(high)
    }
  })

  it('is compared with a column as with the policy in it', async () => {
    const column = world.logging
    const target = Float64Array.from(log.item, (item, row) => column.probabilities(log.user[row]!)[item]!)
    const withColumn: Log = { ...log, target }
    hold({ log: withColumn, world })
    keepModel({ id: 1, embeddings: anyEmbeddings(1) })
    const ask = (against: TargetChoice) =>
      compareTargets({ target: model(1), against, choices, estimator: 'snips' })
    const { comparison } = await ask({ kind: 'column', name: 'p' })
    const { comparison: same } = await ask({ kind: 'logging' })
    expect(comparison.baseline).toBe('column:p')
    expect(comparison.differences[0]!.difference).toBeCloseTo(same.differences[0]!.difference!, 10)
  })

  it('is not compared with one that has seen other rows', async () => {
    const against = model(2, 1, { ...training, seed: 2 as 1 })
    await expect(compareTargets({ target: model(1), against, choices, estimator: 'snips' })).rejects.toThrow(
      'different parts',
    )
  })
})
