import { describe, expect, it } from 'vitest'
import type { RankedModel, Training } from '../train/training.js'
import { exampleEpochs, exampleMetrics, exampleRanked, exampleTraining } from '../figures/example-training.js'
import { trainingAnswer } from './training-answer.js'

const answer = (more: Partial<Training>): string => trainingAnswer(exampleTraining(more))
const withRecall = (model: string, recall: number, ndcg = recall * 0.83): RankedModel => {
  const metrics = exampleMetrics(recall, [recall, recall, recall], [0.5, 0.3, 0.2])
  const ranked = { ...metrics, ndcg: { value: ndcg, interval: [ndcg - 0.008, ndcg + 0.008] as const } }
  return { model, validation: ranked, test: ranked }
}

describe('the answer of a training', () => {
  it('says what is found, how sure that is, how the best baseline does and which epoch was kept', () =>
    expect(answer({})).toBe(
      'LightGCN finds 29.3 % of a user’s held-out clicks in its first 10 (recall@10; 95 % CI 28.4–30.2 %), ' +
        '3.1 points more than the best baseline, EASE. Best after epoch 57 of 77 by NDCG@10 on the validation clicks (0.243).',
    ))

  it('says plainly that a baseline beats the model', () =>
    expect(answer({ ranked: [withRecall('lightgcn', 0.25), withRecall('ease', 0.283)] })).toContain(
      '(recall@10; 95 % CI 24.1–25.9 %). **The baseline EASE beats it in recall@10**: 28.3 %, 3.3 points more.',
    ))

  it('does not make much of intervals that overlap', () => {
    expect(answer({ ranked: [withRecall('lightgcn', 0.25), withRecall('ease', 0.245)] })).toContain(
      '95 % CI 24.1–25.9 %); the best baseline, EASE, finds 24.5 %, and their intervals overlap.',
    )
    expect(answer({ ranked: [withRecall('mf', 0.25), withRecall('popularity', 0.26)] })).toContain(
      '95 % CI 24.1–25.9 %); the best baseline, popularity, finds 26.0 %, and their intervals overlap.',
    )
  })

  it('calls no difference a lead that the interval would round to nothing', () => {
    for (const recall of [0.2502, 0.25, 0.2498])
      expect(answer({ ranked: [withRecall('lightgcn', 0.25), withRecall('ease', recall)] })).toContain(
        '95 % CI 24.1–25.9 %), the same as the best baseline, EASE.',
      )
  })

  it('names another winner where NDCG does', () => {
    expect(answer({ ranked: [withRecall('lightgcn', 0.25, 0.2), withRecall('ease', 0.22, 0.24)] })).toContain(
      'By NDCG@10, which also counts the order, **the baseline EASE beats it**: 0.240 against 0.200.',
    )
    expect(answer({ ranked: [withRecall('lightgcn', 0.2, 0.24), withRecall('ease', 0.22, 0.2)] })).toContain(
      'By NDCG@10, which also counts the order, LightGCN is ahead: 0.240 against 0.200 for EASE.',
    )
  })

  it('falls back to the validation clicks and says what that means', () => {
    const ranked = exampleRanked.map((model) => ({ ...model, test: null }))
    expect(answer({ ranked })).toContain('the validation clicks, which were also used to choose the epoch')
  })

  it('says that nothing is known where nothing was held out', () => {
    const ranked = exampleRanked.map(({ model }) => ({ model, validation: null, test: null }))
    const best = { epoch: 77, measure: 'ndcg', value: null }
    expect(answer({ ranked, best, stopped: 'epochs' })).toBe(
      'There are no held-out clicks to show how well LightGCN ranks. Trained for 77 epochs; the last is kept.',
    )
  })

  it('says how training ended', () => {
    const last = { epoch: 77, measure: 'recall', value: 0.29 }
    expect(answer({ best: last, stopped: 'epochs' })).toMatch(
      /Best after epoch 77 of 77 by recall@10 .*, the last one: more epochs may help\.$/,
    )
    expect(answer({ stopped: 'interrupted' })).toMatch(
      /Interrupted after epoch 77 of at most 1,000; best so far after epoch 57 by /,
    )
    const first = { epoch: 1, measure: 'ndcg', value: 0.1 }
    expect(answer({ epochs: exampleEpochs(1), best: first, stopped: 'epochs' })).toMatch(
      /Trained for one epoch: NDCG@10 on the validation clicks is 0\.100\.$/,
    )
  })
})
