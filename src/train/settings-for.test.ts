import { describe, expect, it } from 'vitest'
import { LOSSES } from './losses/index.js'
import { DEFAULT_SETTINGS } from './settings.js'
import { settingsFor } from './settings-for.js'

describe('settingsFor', () => {
  it('takes plain BPR for a log without propensities, and all other defaults', () => {
    expect(settingsFor(false)).toEqual(DEFAULT_SETTINGS)
  })

  it('takes ips-bpr, its weights shrunk, for a log with propensities', () => {
    expect(settingsFor(true)).toEqual({
      ...DEFAULT_SETTINGS,
      loss: 'ips-bpr',
      regulariser: { kind: 'shrink', strength: 0.1 },
    })
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
    expect(settingsFor(true, { regulariser: none })).toMatchObject({ loss: 'ips-bpr', regulariser: none })
  })
})
