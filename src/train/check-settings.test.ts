import { describe, expect, it } from 'vitest'
import { checkSettings } from './check-settings.js'
import { DEFAULT_SETTINGS, type TrainSettings } from './settings.js'

describe('checkSettings', () => {
  it('lets the defaults through as they are', () => {
    expect(checkSettings(DEFAULT_SETTINGS)).toEqual(DEFAULT_SETTINGS)
  })

  it('takes the layers from matrix factorisation', () => {
    expect(checkSettings({ ...DEFAULT_SETTINGS, model: 'mf' }).layers).toBe(0)
  })

  it.each<[string, object, string]>([
    ['model', { model: 'gcn' }, 'There is no model "gcn".'],
    ['loss', { loss: 'hinge' }, 'There is no loss "hinge".'],
    ['regulariser', { regulariser: { kind: 'l1', strength: 1 } }, 'There is no regulariser "l1".'],
    ['measure', { stopOn: 'auc' }, 'There is no stopping measure "auc".'],
  ])('refuses a %s that nobody knows', (_, chosen, message) => {
    expect(() => checkSettings({ ...DEFAULT_SETTINGS, ...(chosen as Partial<TrainSettings>) })).toThrow(
      expect.objectContaining({
        code: 'unknown-name',
        message,
        remedy: expect.stringMatching(/Choose one of /) as string,
      }) as Error,
    )
  })

  it.each<[string, object, string]>([
    ['an unknown target', { weightTarget: { kind: 'best' } }, 'There is no weight target "best".'],
    ['unknown negatives', { negatives: { kind: 'hard' } }, 'There is no way to draw negatives "hard".'],
    ['an unknown use of weights', { ips: 'twice' }, 'There is no way to use weights "twice".'],
    ['a number for a loss without one', { loss: 'bpr', parameter: 1 }, 'bpr cannot have the number 1.'],
    ['a clip of 0', { loss: 'clipped-ips', parameter: 0 }, 'clipped-ips cannot have the number 0.'],
    ['a negative λ', { loss: 'poem', parameter: -1 }, 'poem cannot have the number -1.'],
    [
      'a regulariser beside an objective',
      { loss: 'ips', regulariser: { kind: 'shrink', strength: 0.1 } },
      'The objective ips has no weights for the regulariser shrink to change',
    ],
    [
      'an objective by resampling',
      { loss: 'ips', ips: 'resample' },
      'The loss ips weighs impressions by a policy',
    ],
    ['an unknown start', { loss: 'ips', model: 'mf', start: 'warm' }, 'There is no start "warm".'],
    ['a start that layers would blur', { loss: 'ips', start: 'logging' }, 'can start at the logging policy'],
    ['no dimension', { dim: 0 }, 'The setting dim cannot be 0.'],
    ['half a dimension', { dim: 1.5 }, 'The setting dim cannot be 1.5.'],
    ['layers below 0', { layers: -1 }, 'The setting layers cannot be -1.'],
    ['LightGCN without layers', { layers: 0 }, 'LightGCN without layers is matrix factorisation.'],
    ['an empty batch', { batch: 0 }, 'The setting batch cannot be 0.'],
    ['no epoch', { epochs: 0 }, 'The setting epochs cannot be 0.'],
    ['a k of 0', { k: 0 }, 'The setting k cannot be 0.'],
    ['no patience', { patience: 0 }, 'The setting patience cannot be 0.'],
    ['half a step of patience', { patienceSteps: 0.5 }, 'The setting patienceSteps cannot be 0.5.'],
    ['no evaluation', { evaluateEvery: 0 }, 'The setting evaluateEvery cannot be 0.'],
    ['a seed below 0', { seed: -1 }, 'The setting seed cannot be -1.'],
    ['a seed beyond whole numbers', { seed: 2 ** 60 }, 'The setting seed cannot be'],
    ['nothing drawn', { drawn: 0 }, 'The setting drawn cannot be 0.'],
    ['a learning rate of 0', { learningRate: 0 }, 'The setting learningRate cannot be 0.'],
    [
      'a learning rate that is not a number',
      { learningRate: NaN },
      'The setting learningRate cannot be NaN.',
    ],
    ['a temperature of 0', { temperature: 0 }, 'The setting temperature cannot be 0.'],
    ['a negative penalty', { l2: -1 }, 'The setting l2 cannot be -1.'],
    ['an infinite penalty', { l2: Infinity }, 'The setting l2 cannot be Infinity.'],
    ['a negative gain', { minimumGain: -1 }, 'The setting minimumGain cannot be -1.'],
    [
      'a target without temperature',
      { weightTarget: { kind: 'model', temperature: 0, epsilon: 0.1 } },
      'The setting temperature of the target cannot be 0.',
    ],
    [
      'a target mixed beyond 1',
      { weightTarget: { kind: 'model', temperature: 1, epsilon: 1.1 } },
      'The setting epsilon of the target cannot be 1.1.',
    ],
    [
      'a power of popularity beyond numbers',
      { negatives: { kind: 'popularity', power: 100 } },
      'The setting power of popularity cannot be 100.',
    ],
    [
      'a strength below 0, even where the loss has no weights',
      { loss: 'bpr', regulariser: { kind: 'variance', strength: -1 } },
      'The regulariser variance cannot have the strength -1.',
    ],
    [
      'relmf by resampling',
      { loss: 'relmf', ips: 'resample' },
      'The loss relmf gives clicks a negative weight',
    ],
  ])('refuses %s', (_, chosen, message) => {
    const refused = (() => {
      try {
        return checkSettings({ ...DEFAULT_SETTINGS, ...(chosen as Partial<TrainSettings>) })
      } catch (error) {
        return error
      }
    })()
    expect(refused).toMatchObject({ code: 'bad-option', message: expect.stringContaining(message) })
    expect((refused as { remedy?: string }).remedy).toBeTruthy()
  })
})
