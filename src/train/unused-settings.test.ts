import { describe, expect, it } from 'vitest'
import { asOptions } from '../cli/option-words.js'
import type { HindcastError } from '../error.js'
import type { TrainSettings } from './settings.js'
import { settingsFor } from './settings-for.js'
import { requireUsed, withoutUnused } from './unused-settings.js'

/** The refusal as the command line words it; undefined where nothing is refused. */
function refusal(chosen: Partial<TrainSettings>): { message: string; remedy?: string } | undefined {
  try {
    requireUsed(chosen)
  } catch (error) {
    return (error as HindcastError).worded(asOptions)
  }
  return undefined
}

describe('requireUsed', () => {
  it('names the objective that a solved model cannot have', () => {
    expect(refusal({ model: 'ease', loss: 'poem', parameter: 1 })).toEqual({
      message: 'EASE is solved from the clicks, without gradients. It has no objective.',
      remedy: 'Leave out --objective, or choose --model lightgcn or --model mf.',
    })
  })

  it.each<[Partial<TrainSettings>, string]>([
    [{ loss: 'bpr' }, '--loss'],
    [{ start: 'uniform' }, '--start'],
    [{ regulariser: { kind: 'none', strength: 0 } }, '--pr'],
    [{ weightTarget: { kind: 'uniform' } }, '--weight-target'],
    [{ ips: 'weight' }, '--ips'],
    [{ sampleBy: 'event' }, '--sample-by'],
    [{ negatives: { kind: 'all' } }, '--negatives'],
    [{ drawn: 16 }, '--drawn'],
    [{ layers: 3 }, '--layers'],
    [{ learningRate: 1e-3 }, '--lr'],
    [{ batch: 1024 }, '--batch'],
    [{ l2: 0 }, '--l2'],
    [{ patienceSteps: 0 }, '--patience-steps'],
  ])('refuses %j with every solved model, even at its default', (chosen, option) => {
    for (const model of ['ease', 'slim', 'ials', 'item-knn', 'popularity'] as const)
      expect(refusal({ model, ...chosen })!.remedy).toContain(`Leave out ${option}, or`)
    expect(refusal({ model: 'lightgcn', ...chosen })).toBeUndefined()
    expect(refusal(chosen)).toBeUndefined()
  })

  it('leaves iALS its width and its sweeps, and the others nothing of them', () => {
    const sweeps = { dim: 8, epochs: 3, patience: 2, minimumGain: 0, evaluateEvery: 1 }
    expect(refusal({ model: 'ials', ...sweeps })).toBeUndefined()
    expect(refusal({ model: 'item-knn', ...sweeps })).toEqual({
      message:
        'item kNN is solved from the clicks, without gradients. It has no width of embeddings, number of epochs, patience, smallest gain or time between evaluations.',
      remedy:
        'Leave out --dim, --epochs, --patience, --min-gain and --evaluate-every, or choose --model lightgcn or --model mf.',
    })
  })

  it('lets through what every model uses', () => {
    for (const model of ['ease', 'slim', 'ials', 'item-knn', 'popularity'] as const)
      expect(refusal({ model, k: 5, seed: 1, stopOn: 'snips', temperature: 2 })).toBeUndefined()
  })
})

describe('withoutUnused', () => {
  it.each(['ease', 'slim', 'ials', 'item-knn', 'popularity'] as const)(
    'leaves %s nothing to refuse',
    (model) => {
      const kept = withoutUnused({ ...settingsFor(true), model, start: 'uniform', lambda: 3 })
      expect(refusal(kept)).toBeUndefined()
      expect(kept).toMatchObject({ model, lambda: 3, seed: 0, k: 10 })
    },
  )

  it('changes nothing of a model that gradients train', () => {
    const settings = settingsFor(true)
    expect(withoutUnused(settings)).toEqual(settings)
  })
})
