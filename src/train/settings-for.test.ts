import { describe, expect, it } from 'vitest'
import { LOSSES } from './losses/index.js'
import { DEFAULT_SETTINGS } from './settings.js'
import { settingsFor } from './settings-for.js'

describe('settingsFor', () => {
  it('takes iALS for a log without propensities, as long as nothing asks for gradients', () => {
    expect(settingsFor(false)).toEqual({ ...DEFAULT_SETTINGS, model: 'ials', epochs: 16 })
    expect(settingsFor(false, { dim: 8, seed: 3, k: 5 }).model).toBe('ials')
    for (const chosen of [
      { learningRate: 0.01 },
      { layers: 1 },
      { loss: 'bpr' },
      { patienceSteps: 9 },
    ] as const)
      expect(settingsFor(false, chosen).model).toBe('lightgcn')
  })

  it('takes ips-softmax for a log with propensities: weights shrunk, the epoch chosen under uniform exposure', () => {
    const given = settingsFor(true)
    expect(given).toMatchObject({
      model: 'lightgcn',
      loss: 'ips-softmax',
      regulariser: { kind: 'shrink', strength: 0.1 },
      stopOn: 'unbiased',
    })
    expect(given.patienceSteps).toBeGreaterThan(0)
    expect(settingsFor(false, { model: 'lightgcn' })).toMatchObject({ loss: 'softmax', stopOn: 'ndcg' })
  })

  it('leaves other losses the settings of the paper', () => {
    expect(settingsFor(true, { loss: 'bpr' })).toEqual(DEFAULT_SETTINGS)
    expect(settingsFor(false, { loss: 'bpr' })).toEqual(DEFAULT_SETTINGS)
  })

  it.each(LOSSES.names)('shrinks the weights of %s only where they are π/b', (loss) => {
    // Ratings have few propensities, each seen often: they stay as they are.
    const isWeighted = /^(ips|sn)-/.test(loss) && LOSSES.named(loss).form !== 'squared'
    expect(settingsFor(true, { loss }).regulariser.kind).toBe(isWeighted ? 'shrink' : 'none')
  })

  it('learns a policy by matrix factorisation, over all items while they are few, and stops on its lower bound', () => {
    expect(settingsFor(true, { loss: 'poem', dim: 8 })).toEqual({
      ...DEFAULT_SETTINGS,
      loss: 'poem',
      model: 'mf',
      drawn: 511,
      learningRate: 5e-3,
      stopOn: 'lower-bound',
      patience: 10,
      dim: 8,
    })
    expect(settingsFor(true, { loss: 'poem', stopOn: 'snips', model: 'lightgcn' })).toMatchObject({
      stopOn: 'snips',
      model: 'lightgcn',
    })
  })

  it('lets the choice of a regulariser stand', () => {
    const none = { kind: 'none', strength: 0 } as const
    expect(settingsFor(true, { regulariser: none })).toMatchObject({ loss: 'ips-softmax', regulariser: none })
  })
})
