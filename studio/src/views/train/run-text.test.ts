import { describe, expect, it } from 'vitest'
import { exampleEpochs, exampleWeights } from '$core/figures/example-training.js'
import { settingsFor } from '$core/train/settings-for.js'
import { bestSoFar, endText, progressText, secondsText, settingsText, weightsText } from './run-text.js'

const settings = settingsFor(true, { loss: 'ips-bpr' })

describe('what is said about a run', () => {
  it('counts the epochs and gives their time', () => {
    expect(progressText([], settings)).toBe('Epoch 1 of at most 1,000')
    expect(progressText(exampleEpochs(12), settings)).toBe(
      'Epoch 13 of at most 1,000 · 1.4 s per epoch · 17 s so far',
    )
    expect(progressText(exampleEpochs(12), { epochs: 12 })).toMatch(/^Epoch 12 of at most 12/)
    expect([0.0312, 9.94, 59.6, 185].map(secondsText)).toEqual(['0.031 s', '9.9 s', '60 s', '3 min 5 s'])
  })

  it('gives the best epoch so far by the early-stopping measure, where it is known', () => {
    const epochs = exampleEpochs(20, { peak: 15 })
    expect(bestSoFar(epochs, settings)).toMatch(
      /^Best NDCG@10 so far: 0\.\d+, at epoch 15\. Training stops after 20 epochs/,
    )
    expect(bestSoFar(epochs, { ...settings, stopOn: 'mrr' })).toBe('')
    expect(bestSoFar(exampleEpochs(5, { snips: false }), { ...settings, stopOn: 'snips' })).toBe('')
  })

  it('says how it ended, and how long it took', () => {
    const best = { epoch: 3, measure: 'ndcg', value: 0.2 }
    expect(
      endText({ epochs: exampleEpochs(1), best: { ...best, epoch: 1 }, stopped: 'epochs', settings }),
    ).toBe('1 epoch, the maximum · the model of epoch 1 is kept · 1.4 s')
    expect(endText({ epochs: exampleEpochs(5), best, stopped: 'interrupted', settings })).toBe(
      '5 epochs, then stopped · the model of epoch 3 is kept · 7 s',
    )
    expect(endText({ epochs: [], best, stopped: 'solved', settings: settingsFor(false) })).toBe('Solved')
  })

  it('gives the effective sample size, and nothing without weights', () => {
    expect(weightsText(exampleWeights)).toBe(
      'Effective sample size: 41 % of 80,000 weighted events (12 % before the regulariser).',
    )
    expect(weightsText({ ...exampleWeights, min: 1, max: 1 })).toBe('')
  })

  it('names the settings that differ from the defaults', () => {
    expect(settingsText(settings, { by: 'row' })).toBe('shrink 0.1')
    expect(settingsText(settingsFor(true), { by: 'row' })).toBe('shrink 0.1')
    expect(settingsText(settingsFor(false, { loss: 'bpr' }), { by: 'row' })).toBe('')
    expect(
      settingsText(settingsFor(true, { loss: 'ips-bpr', model: 'mf', layers: 0, dim: 32, seed: 4 }), {
        by: 'time',
      }),
    ).toBe('shrink 0.1, d 32, seed 4, newest rows held out')
  })
})
