import { describe, expect, it } from 'vitest'
import { trainingNotes } from './notes.js'
import { DEFAULT_SETTINGS, type TrainSettings } from './settings.js'

interface Case {
  readonly settings?: Partial<TrainSettings>
  readonly leftOut?: number
  readonly validationClicks?: number
  readonly withoutSnips?: string
  readonly warnings?: readonly string[]
  readonly best?: { epoch: number; value: number | null }
  readonly epochs?: number
  readonly stopped?: 'epochs' | 'patience'
}

/** The notes on a training about which, but for what is said, there is nothing to say. */
function notesOn(told: Case): string[] {
  const { leftOut = 0, validationClicks = 10, warnings = [], best = { epoch: 3, value: 0.2 } } = told
  return trainingNotes({
    settings: { ...DEFAULT_SETTINGS, ...told.settings },
    events: {
      count: 0,
      users: new Uint32Array(0),
      items: new Uint32Array(0),
      rows: new Uint32Array(0),
      clicked: new Uint8Array(0),
      leftOut,
    },
    judge: {
      epoch: () => Promise.reject(new Error('No epoch is judged.')),
      kernel: async () => ({ validation: null, test: null }),
      model: () => ({ validation: null, test: null }),
      ranked: async () => ({ validation: null, test: null }),
      compared: async () => ({ validation: null, test: null, byUser: null }),
      policy: async () => null,
      candidate: () => Promise.reject(new Error('No candidate is judged.')),
      keptValue: (value) => value,
      sample: undefined,
      atLast: async () => ({}),
      testLog: undefined,
      ratings: undefined,
      unbiasedNotes: () => [],
      validationClicks,
      testClicks: 1,
      withoutSnips: told.withoutSnips,
    },
    weights: {
      events: 1,
      ess: 1,
      essRatio: 1,
      rawEssRatio: 1,
      mean: 1,
      max: 1,
      min: 1,
      topPercentShare: 1,
      histogram: [],
      warnings,
    },
    run: {
      best: { ...best, embeddings: new Float32Array(0) },
      records: Array(told.epochs ?? 8).fill({}),
      stopped: told.stopped ?? 'patience',
      report: { events: 1 } as never,
    },
  })
}

describe('notes', () => {
  it('are empty where there is nothing to warn of', () => {
    expect(notesOn({})).toEqual([])
    expect(notesOn({ settings: { loss: 'ips-bpr', stopOn: 'unbiased' } })).toEqual([])
  })

  it.each<[string, Case, RegExp]>([
    ['warnings about weights', { warnings: ['Heavy.'] }, /^Heavy\.$/],
    [
      'a regulariser that cannot change the model',
      { settings: { loss: 'ips-bpr', stopOn: 'snips', regulariser: { kind: 'literal', strength: 1 } } },
      /literal regulariser .* no gradient/,
    ],
    [
      'a variance penalty, which needs no weights',
      { settings: { regulariser: { kind: 'variance', strength: 1 } } },
      /variance penalty makes large losses count more.*does not hold large weights back/,
    ],
    [
      'a regulariser of weights that are not there',
      { settings: { regulariser: { kind: 'shrink', strength: 0.1 } } },
      /The loss bpr has no weights/,
    ],
    [
      'negatives that correct for popularity again',
      { settings: { loss: 'ips-bpr', stopOn: 'snips', negatives: { kind: 'popularity', power: 1 } } },
      /both correct for exposure: .* twice/,
    ],
    ['clicks left out', { leftOut: 1 }, /^1 click left out/],
    [
      'a validation part without clicks',
      { validationClicks: 0, best: { epoch: 8, value: null } },
      /the last epoch \(8\) is kept/,
    ],
    [
      'a choice by clicks that exposure decided',
      { settings: { loss: 'ips-bpr' } },
      /chosen by ndcg on clicks from the logging policy/,
    ],
    [
      'the missing SNIPS of a weighted loss',
      { settings: { loss: 'ubpr', stopOn: 'unbiased' }, withoutSnips: 'there are no validation rows' },
      /SNIPS was not computed: there are no validation rows\./,
    ],
    [
      'a best epoch that is the last',
      { best: { epoch: 8, value: 0.3 }, stopped: 'epochs' },
      /more epochs may improve the model/,
    ],
  ])('tell of %s', (_, told, note) => {
    const notes = notesOn(told)
    expect(notes).toHaveLength(1)
    expect(notes[0]).toMatch(note)
  })

  it.each<[string, Case]>([
    [
      'a validation part without clicks where SNIPS chose the epoch',
      { validationClicks: 0, settings: { stopOn: 'snips' } },
    ],
    ['the missing SNIPS of a loss without weights', { settings: { loss: 'softmax' }, withoutSnips: 'none' }],
    ['a last epoch about which nothing is known', { best: { epoch: 8, value: null }, stopped: 'epochs' }],
  ])('are silent about %s', (_, told) => {
    expect(notesOn(told)).toEqual([])
  })
})
