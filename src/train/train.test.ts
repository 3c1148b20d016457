import { describe, expect, it } from 'vitest'
import { referenceKernel } from '../kernels/reference.js'
import { tastesWorld } from '../world/tastes.js'
import { uniformPolicy } from '../policy/probabilities.js'
import { exampleSplit, logOf, type Row, SMALL } from './example-split.js'
import { LOSSES } from './losses/index.js'
import { type TrainSettings } from './settings.js'
import { settingsFor } from './settings-for.js'
import { STOPPING_MEASURES } from './stopping-measures.js'
import { train } from './train.js'
import type { EpochRecord } from './training.js'

const split = exampleSplit()

/** The best epoch of records by the rule: better than the best so far by more than the minimum. */
function bestOf(records: readonly EpochRecord[], minimumGain: number): EpochRecord {
  return records.reduce((best, one) =>
    one.ndcg !== null && (best.ndcg === null || one.ndcg > best.ndcg + minimumGain) ? one : best,
  )
}

describe('training', () => {
  it('stops once patience has run out, and keeps the best epoch', async () => {
    const { training, model, judge } = await train(split, { ...SMALL, epochs: 500, patience: 5 })
    expect(training.stopped).toBe('patience')
    expect(training.epochs).toHaveLength(training.best.epoch + 5)
    const best = bestOf(training.epochs, 1e-4)
    expect(training.best).toEqual({ epoch: best.epoch, measure: 'ndcg', value: best.ndcg })
    // The model returned is that of the best epoch, not of the last.
    expect(judge.model(model).validation!.ndcg.value).toBeCloseTo(best.ndcg!, 12)
    expect(training.ranked[0]!.validation!.ndcg.value).toBeCloseTo(best.ndcg!, 12)
    expect(training.epochs.at(-1)!.ndcg!).toBeLessThan(best.ndcg!)
  })

  it('waits for as many steps besides, since an epoch of a small log has few', async () => {
    const given = { ...SMALL, epochs: 500, patience: 1 }
    const { training } = await train(split, { ...given, patienceSteps: 100 })
    const perEpoch = training.epochs[0]!.steps
    const waited = training.epochs.at(-1)!.epoch - training.best.epoch
    expect(training.stopped).toBe('patience')
    // The first epoch that ends at 100 steps or beyond, and none before it.
    expect(waited).toBe(Math.ceil(100 / perEpoch))
    expect(waited).toBeGreaterThan(1)
    const impatient = (await train(split, given)).training
    expect(impatient.epochs.at(-1)!.epoch - impatient.best.epoch).toBe(1)
  })

  it('does not count a gain below the minimum', async () => {
    const minimumGain = 0.02
    const { training } = await train(split, { ...SMALL, epochs: 500, patience: 4, minimumGain })
    const best = bestOf(training.epochs, minimumGain)
    expect(training.best.epoch).toBe(best.epoch)
    const highest = Math.max(...training.epochs.map(({ ndcg }) => ndcg!))
    expect(highest - best.ndcg!).toBeLessThanOrEqual(minimumGain)
    expect(highest).toBeGreaterThan(best.ndcg!)
  })

  it('evaluates every so many epochs and the last, and counts patience in evaluations', async () => {
    const { training } = await train(split, { ...SMALL, epochs: 8, evaluateEvery: 3 })
    expect(training.epochs.map(({ ndcg }) => ndcg !== null)).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8].map((epoch) => epoch % 3 === 0 || epoch === 8),
    )
    const long = await train(split, { ...SMALL, epochs: 500, evaluateEvery: 3, patience: 2 })
    expect(long.training.stopped).toBe('patience')
    expect(long.training.epochs).toHaveLength(long.training.best.epoch + 6)
    expect(long.training.best.epoch % 3).toBe(0)
  })

  it('trains the same when it is evaluated less often', async () => {
    const losses = async (evaluateEvery: number) =>
      (await train(split, { ...SMALL, evaluateEvery })).training.epochs.map(({ loss }) => loss)
    expect(await losses(4)).toEqual(await losses(1))
  })

  const ofRankings = STOPPING_MEASURES.all.flatMap(({ name, isError }) => (isError ? [] : [name]))
  it.each(ofRankings)('can be stopped on %s', async (stopOn) => {
    const { training, model, judge } = await train(split, { ...SMALL, stopOn })
    const { validation } = judge.model(model)
    const record = training.epochs[training.best.epoch - 1]!
    const expected: Record<string, number> = {
      ndcg: record.ndcg!,
      recall: record.recall!,
      mrr: validation!.mrr.value,
      snips: record.snips!.value!,
      'lower-bound': record.snips!.atLeast ?? NaN,
      unbiased: validation!.ips!.ndcg.value,
    }
    expect(training.best.measure).toBe(stopOn)
    expect(training.best.value).toBeCloseTo(expected[stopOn]!, 9)
  })

  it('can be stopped on a log of uniform exposure', async () => {
    const world = tastesWorld({ seed: 3, users: 60, items: 40, exposures: 30 })
    const unbiased = world.draw({ policy: uniformPolicy(40) })
    const { training } = await train(split, { ...SMALL, stopOn: 'unbiased' }, { unbiased })
    const without = await train(split, { ...SMALL, stopOn: 'unbiased' })
    expect(training.best.value).not.toBe(without.training.best.value)
    expect(training.epochs.map(({ loss }) => loss)).toEqual(without.training.epochs.map(({ loss }) => loss))
  })

  it('keeps the last epoch where nothing can be known', async () => {
    const { training } = await train(exampleSplit({ validation: 0 }), { ...SMALL, evaluateEvery: 3 })
    expect(training.best).toEqual({ epoch: 4, measure: 'ndcg', value: null })
    expect(training.epochs.every(({ ndcg, snips }) => ndcg === null && snips === null)).toBe(true)
    expect(training.notes.join()).toContain('so the last epoch (4) is kept')
  })

  it('keeps the epoch with the highest bound where a verdict refuses all of them', async () => {
    const few = exampleSplit({ validation: 0.02 })
    const { training } = await train(
      few,
      settingsFor(true, { ...SMALL, loss: 'ips', stopOn: 'lower-bound', epochs: 8 }),
    )
    const bounds = training.epochs.map(({ snips }) => snips!.atLeast!)
    expect(training.epochs.every(({ snips }) => snips!.doubt !== undefined)).toBe(true)
    expect(training.best).toMatchObject({ value: null, epoch: 1 + bounds.indexOf(Math.max(...bounds)) })
    expect(training.best.epoch).toBeLessThan(8)
    expect(training.notes.join(' ')).toContain(
      `so epoch ${training.best.epoch} is kept, whose bound is the highest`,
    )
  })

  it('reports every epoch in full', async () => {
    const told: EpochRecord[] = []
    const { training } = await train(
      split,
      { ...SMALL, loss: 'ips-bpr' },
      { onEpoch: (record) => told.push(record) },
    )
    expect(told).toEqual(training.epochs)
    const steps = Math.ceil(training.weights.events / 64)
    told.forEach((record, k) => {
      expect(record).toEqual({
        epoch: k + 1,
        steps: steps * (k + 1),
        loss: expect.any(Number),
        ndcg: expect.any(Number),
        recall: expect.any(Number),
        snips: {
          value: expect.any(Number),
          interval: [expect.any(Number), expect.any(Number)],
          ess: expect.any(Number),
          essRatio: expect.any(Number),
        },
        weights: {
          mean: expect.closeTo(1, 9),
          max: training.weights.max,
          essRatio: training.weights.essRatio,
          topPercentShare: training.weights.topPercentShare,
        },
        trainSeconds: expect.any(Number),
        seconds: expect.any(Number),
      })
      expect(record.seconds).toBeGreaterThanOrEqual(record.trainSeconds)
    })
  })

  it('says what it was made from', async () => {
    let told
    const { training } = await train(
      split,
      { ...SMALL, epochs: 1 },
      { onWeights: (report) => (told = report) },
    )
    expect(training.schema).toBe('hindcast.training/1')
    expect(training.log).toMatchObject({ rows: 3600, users: 60, items: 40, propensitySource: 'logged' })
    expect(training.settings).toMatchObject({ ...SMALL, epochs: 1, loss: 'bpr' })
    expect(training.weights).toBe(told)
    expect(training.stopped).toBe('epochs')
    expect(training.ranked.map(({ model }) => model)).toEqual(['lightgcn'])
  })

  it.each(LOSSES.names)('with %s brings its loss down', async (loss) => {
    const { training } = await train(split, {
      ...SMALL,
      loss,
      epochs: 6,
      ...(LOSSES.named(loss).form === 'squared' && { model: 'mf', stopOn: 'mse' }),
      ...(!LOSSES.named(loss).objective && { regulariser: { kind: 'shrink', strength: 0.5 } }),
    })
    const losses = training.epochs.map((record) => record.loss)
    expect(losses.at(-1)!).toBeLessThan(losses[0]!)
  })

  it.each<[string, Partial<TrainSettings>]>([
    ['matrix factorisation', { model: 'mf' }],
    ['resampled clicks', { loss: 'ips-bpr', ips: 'resample' }],
    ['a softmax that draws from all items', { loss: 'softmax', negatives: { kind: 'all' }, drawn: 8 }],
    ['popular negatives', { negatives: { kind: 'popularity', power: 0.75 } }],
    ['batches of one', { batch: 1, epochs: 1, regulariser: { kind: 'variance', strength: 1 } }],
    ['one batch an epoch', { batch: 4096 }],
    ['a click and its neighbour in a batch of one', { loss: 'relmf', batch: 1, epochs: 1 }],
  ])('works with %s', async (_, chosen) => {
    const { training, model } = await train(split, { ...SMALL, ...chosen })
    expect(model.final.every(Number.isFinite)).toBe(true)
    expect(Number.isFinite(training.epochs.at(-1)!.loss)).toBe(true)
  })

  it('agrees with the float64 reference', async () => {
    const chosen = { ...SMALL, loss: 'ips-bpr', epochs: 2 } as const
    const fast = await train(split, chosen)
    const slow = await train(split, chosen, { kernel: async (settings) => referenceKernel(settings) })
    fast.training.epochs.forEach(({ loss }, k) => expect(loss).toBeCloseTo(slow.training.epochs[k]!.loss, 5))
    fast.model.final.forEach((value, k) => expect(Math.abs(value - slow.model.final[k]!)).toBeLessThan(1e-3))
  })

  it('works on a single click', async () => {
    const one: Row[] = [[0, 0, 1, 0.5]]
    const none = logOf([], { users: 1, items: 3 })
    const { training } = await train(
      { train: logOf(one, { items: 3 }), validation: none, test: none },
      { ...SMALL, loss: 'ips-bpr' },
    )
    expect(training.weights).toMatchObject({ events: 1, essRatio: 1, warnings: [] })
  })

  it('has not changed', async () => {
    const { training, model } = await train(split, { ...SMALL, loss: 'ips-bpr', epochs: 2 })
    const rounded = (value: number | null): number => Number(value!.toFixed(5))
    expect(
      training.epochs.map(({ steps, loss, ndcg, recall }) => [steps, ...[loss, ndcg, recall].map(rounded)]),
    ).toMatchInlineSnapshot(`
      [
        [
          9,
          0.68456,
          0.18468,
          0.27778,
        ],
        [
          18,
          0.65179,
          0.22622,
          0.32778,
        ],
      ]
    `)
    expect(Array.from(model.final.subarray(0, 4), rounded)).toMatchInlineSnapshot(`
      [
        0.03188,
        0.03181,
        -0.10182,
        -0.2398,
      ]
    `)
  })
})
