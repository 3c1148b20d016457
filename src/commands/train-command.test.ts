import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { train } from '../cli/train.js'
import { trainChoicesOf } from '../cli/train-options.js'
import { modelFiles } from '../model/model-files.js'
import { readLogFile } from '../node/read-log.js'
import { writeLogFile } from '../node/write-log.js'
import { readVersion } from '../node/version.js'
import { checkSettings } from '../train/check-settings.js'
import { LOSSES } from '../train/losses/index.js'
import { REGULARISERS } from '../train/regularisers.js'
import { type TrainSettings } from '../train/settings.js'
import { STOPPING_MEASURES } from '../train/stopping-measures.js'
import { settingsFor } from '../train/settings-for.js'
import { baselineChoice, type TrainChoices, trainOnLog } from '../train/train-on-log.js'
import { modelToSave } from '../train/training-files.js'
import { tastesWorld } from '../world/tastes.js'
import { parsed, run } from './example-run.js'
import { trainCommandOf } from './train-command.js'

const log = { file: 'log.csv' }
const out = 'model'
const wordsOf = (choices: TrainChoices, hasPropensities = true): string[] =>
  trainCommandOf({ log, out, hasPropensities, ...choices })
const SHORT = ['train', 'log.csv', '--out', 'model']

/** Choices with all that was left open filled in. */
const filled = ({ settings, split, ...others }: TrainChoices, hasPropensities: boolean): unknown => ({
  settings: checkSettings(settingsFor(hasPropensities, settings)),
  split: { by: 'row', validation: 0.1, test: 0.1, ...split },
  baselines: baselineChoice(others),
})

const positive = fc.double({ min: 1e-12, max: 1e6, noNaN: true })
const whole = (max: number): fc.Arbitrary<number> => fc.integer({ min: 1, max })
const anyTrained: fc.Arbitrary<Partial<TrainSettings>> = fc.record(
  {
    model: fc.constantFrom('lightgcn', 'mf'),
    loss: fc.constantFrom(
      ...LOSSES.all.flatMap(({ name, form, withoutResampling }) =>
        withoutResampling === undefined && form !== 'squared' ? [name] : [],
      ),
    ),
    regulariser: fc.oneof(
      fc.constant({ kind: 'none' as const, strength: 0 }),
      fc.record({
        kind: fc.constantFrom(...REGULARISERS.names.filter((kind) => kind !== 'none')),
        strength: fc.double({ min: 0.01, max: 1, noNaN: true }),
      }),
    ),
    weightTarget: fc.oneof(
      fc.constantFrom(
        { kind: 'uniform' as const },
        { kind: 'inverse' as const },
        { kind: 'column' as const },
      ),
      fc.record({
        kind: fc.constant('model' as const),
        temperature: positive,
        epsilon: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
    ),
    ips: fc.constantFrom('weight', 'resample'),
    sampleBy: fc.constantFrom('event', 'user'),
    negatives: fc.oneof(
      fc.constantFrom({ kind: 'unclicked' as const }, { kind: 'all' as const }),
      fc.record({
        kind: fc.constant('popularity' as const),
        power: fc.double({ min: 0, max: 10, noNaN: true }),
      }),
    ),
    drawn: whole(4096),
    dim: whole(1024),
    layers: whole(16),
    learningRate: positive,
    batch: whole(2 ** 20),
    l2: fc.double({ min: 0, max: 1, noNaN: true }),
    epochs: whole(1e6),
    k: whole(1000),
    stopOn: fc.constantFrom(...STOPPING_MEASURES.names),
    patience: whole(1000),
    minimumGain: fc.double({ min: 0, max: 1, noNaN: true }),
    evaluateEvery: whole(100),
    temperature: positive,
    seed: fc.maxSafeNat(),
  },
  { requiredKeys: [] },
)
const anySolved: fc.Arbitrary<Partial<TrainSettings>> = fc.oneof(
  fc.record({ model: fc.constant('mf' as const), biases: fc.constant(true) }),
  fc.record(
    { model: fc.constant('ease' as const), lambda: positive, k: whole(1000) },
    { requiredKeys: ['model'] },
  ),
  fc.record(
    { model: fc.constant('ials' as const), lambda: positive, unobserved: positive, epochs: whole(100) },
    { requiredKeys: ['model'] },
  ),
  fc.record(
    { model: fc.constant('item-knn' as const), neighbours: whole(1000), shrinkage: positive },
    { requiredKeys: ['model'] },
  ),
  fc.record(
    { model: fc.constant('slim' as const), neighbours: whole(1000), lambda: positive },
    { requiredKeys: ['model'] },
  ),
  fc.record({ model: fc.constant('popularity' as const) }),
)
const anySettings = fc.oneof({ arbitrary: anyTrained, weight: 3 }, anySolved)
const anyChoices: fc.Arbitrary<TrainChoices> = fc.record(
  {
    settings: anySettings,
    split: fc.record(
      {
        by: fc.constantFrom('row', 'time'),
        validation: fc.double({ min: 0, max: 0.4, noNaN: true }),
        test: fc.double({ min: 0, max: 0.4, noNaN: true }),
      },
      { requiredKeys: [] },
    ),
    baselines: fc.constantFrom(true, false, 'all' as const, 'fast' as const, 'none' as const),
  },
  { requiredKeys: [] },
)

describe('trainCommandOf', () => {
  it.each([true, false])('leaves out defaults (propensities: %s)', (hasPropensities) => {
    expect(wordsOf({}, hasPropensities)).toEqual(SHORT)
    const all = { settings: settingsFor(hasPropensities), split: { by: 'row', validation: 0.1 } } as const
    // One model is another choice than the best of several.
    const model = ['--model', hasPropensities ? 'lightgcn' : 'ials']
    expect(wordsOf({ ...all, baselines: true }, hasPropensities)).toEqual([...SHORT, ...model])
  })

  it('names the loss only if the log implies another', () => {
    expect(wordsOf({ settings: { loss: 'bpr' } }, true)).toEqual([...SHORT, '--loss', 'bpr'])
    expect(wordsOf({ settings: { loss: 'ips-softmax' } }, true)).toEqual(SHORT)
    // Without propensities, none implies models that are solved.
    expect(wordsOf({ settings: { model: 'lightgcn' } }, false)).toEqual([...SHORT, '--loss', 'softmax'])
  })

  it('names the regulariser only if the loss implies another', () => {
    const shrink = { kind: 'shrink', strength: 0.1 } as const
    expect(wordsOf({ settings: { loss: 'ips-bce', regulariser: shrink } })).not.toContain('--pr')
    expect(wordsOf({ settings: { regulariser: { kind: 'none', strength: 0 } } })).toEqual([
      ...SHORT,
      '--pr',
      'none',
    ])
  })

  it.each<[Partial<TrainSettings>, string[]]>([
    [{ loss: 'dr-jl', l2: 0.2 }, ['--loss', 'dr-jl', '--l2', '0.2']],
    [{ loss: 'ips' }, ['--objective', 'ips']],
    [{ loss: 'poem', parameter: 2.5 }, ['--objective', 'poem:2.5']],
    [{ loss: 'snips', parameter: -1, start: 'logging' }, ['--objective', 'snips:-1', '--start', 'logging']],
    [
      { loss: 'dr', model: 'lightgcn', stopOn: 'snips' },
      ['--objective', 'dr', '--model', 'lightgcn', '--stop-on', 'snips'],
    ],
  ])('names a rating loss, or an objective with its number, and is read back: %j', (settings, words) => {
    const typed = wordsOf({ settings })
    expect(typed.slice(4).toSorted()).toEqual(words.toSorted())
    const again = trainChoicesOf(parsed(train, typed))
    expect(filled(again, true)).toEqual(filled({ settings }, true))
  })

  it('leaves out the layers of matrix factorisation, which has none', () => {
    const settings = checkSettings(settingsFor(true, { model: 'mf' }))
    expect(settings.layers).toBe(0)
    expect(wordsOf({ settings })).toEqual([...SHORT, '--model', 'mf'])
  })

  it('is parsed by the command line into the choices it was made from', () => {
    fc.assert(
      fc.property(anyChoices, fc.boolean(), (choices, hasPropensities) => {
        const again = trainChoicesOf(parsed(train, wordsOf(choices, hasPropensities)))
        expect(filled(again, hasPropensities)).toEqual(filled(choices, hasPropensities))
      }),
    )
  })

  it('names the column of the target once', () => {
    const words = trainCommandOf({
      log: { ...log, columns: { user: 'uid', target: 'new_prob' } },
      out,
      hasPropensities: true,
      settings: { weightTarget: { kind: 'column' } },
    })
    expect(words.slice(SHORT.length)).toEqual(['--weight-target', 'column:new_prob', '--columns', 'user=uid'])
  })

  it('trains the model that trainOnLog trains, to the last byte', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hindcast-train-command-'))
    try {
      const file = join(folder, 'log.parquet')
      await writeLogFile(file, tastesWorld({ seed: 5, users: 50, items: 30, exposures: 30 }).draw())
      const choices: TrainChoices = {
        settings: { epochs: 3, dim: 16, batch: 64, seed: 3, negatives: { kind: 'popularity', power: 0.5 } },
        split: { validation: 0.2 },
        baselines: false,
      }
      const words = trainCommandOf({
        log: { file },
        out: join(folder, out),
        hasPropensities: true,
        ...choices,
      })
      expect(await run(train, words)).toBe(0)
      const read = await readLogFile(file)
      const saved = modelToSave(await trainOnLog(read.log, choices), read.log, read.file)
      const versions = { hindcast: readVersion(), node: process.versions.node }
      const expected = await modelFiles(saved, versions)
      for (const { name, bytes } of expected)
        expect(Buffer.from(bytes).equals(await readFile(join(folder, out, name))), name).toBe(true)
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
