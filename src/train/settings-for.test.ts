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
    const isWeighted = /^(ips|sn)-/.test(loss)
    expect(settingsFor(true, { loss }).regulariser.kind).toBe(isWeighted ? 'shrink' : 'none')
  })

  it('lets the choice of a regulariser stand', () => {
    const none = { kind: 'none', strength: 0 } as const
    expect(settingsFor(true, { regulariser: none })).toMatchObject({ loss: 'ips-bpr', regulariser: none })
  })
})
