import { describe, expect, it } from 'vitest'
import { exampleTraining } from '../figures/example-training.js'
import type { OnTestLog, TestLogFacts } from '../train/test-log.js'
import type { Training } from '../train/training.js'
import { testLogText } from './rated-text.js'
import { trainingAnswer } from './training-answer.js'

const facts: TestLogFacts = {
  among: 'rated',
  rows: 1200,
  users: 80,
  clicks: 300,
  leftOut: { unknown: 7, seen: 0 },
}
const metrics = (ndcg: number, auc: number): OnTestLog => ({
  k: 10,
  users: 80,
  orderedUsers: 60,
  ratings: 1200,
  ndcg: { value: ndcg, interval: [ndcg - 0.02, ndcg + 0.02] },
  auc: { value: auc, interval: [auc - 0.02, auc + 0.02] },
})
/** A training whose models have these metrics on the test log. */
const tested = (...all: (OnTestLog | null)[]): Training => {
  const training = exampleTraining()
  const ranked = training.ranked.slice(0, all.length).map((one, k) => ({ ...one, testLog: all[k]! }))
  return { ...training, testLog: facts, ranked }
}

describe('the answer of a training with a test log', () => {
  it('begins with what was found there', () => {
    expect(trainingAnswer(tested(metrics(0.41, 0.7)))).toMatch(
      /^On the test log, among the items that each user rated, LightGCN has an NDCG@10 of 0\.410 \(95 % CI 0\.390–0\.430\)\./,
    )
  })

  it('names a baseline that does better there, and no other', () => {
    const answer = trainingAnswer(tested(metrics(0.41, 0.7), metrics(0.5, 0.6)))
    expect(answer).toContain('orders items better there**: its NDCG@10 is 0.50')
    expect(trainingAnswer(tested(metrics(0.41, 0.7), metrics(0.4, 0.8)))).not.toContain('better there')
    const close = trainingAnswer(tested(metrics(0.41, 0.7), metrics(0.42, 0.6)))
    expect(close).toContain('their intervals overlap')
  })

  it('says where there is nothing to judge by', () => {
    expect(trainingAnswer(tested(null))).toContain('has no click that training has not seen')
  })

  it('speaks of errors where ratings are predicted', () => {
    const training = tested({ ...metrics(0.9, 0.7), mse: { value: 1.2, interval: [1.1, 1.3] } })
    const rated = { ...metrics(0.9, 0.8), mse: { value: 0.5, interval: [0.4, 0.6] as const } }
    const answer = trainingAnswer({
      ...training,
      settings: { ...training.settings, loss: 'mse', stopOn: 'mse' },
      best: { epoch: 3, measure: 'mse', value: -0.45 },
      meanRating: 3.6,
      ranked: [{ ...training.ranked[0]!, validation: null, test: null, rated }],
    })
    expect(answer).toContain('has a mean squared error of 1.20 (95 % CI 1.10–1.30)')
    expect(answer).toContain('mean squared error of 0.50 (95 % CI 0.40–0.60) on 1,200 test ratings')
    expect(answer).toContain('by MSE on the validation ratings (0.450)')
    expect(answer).not.toContain('recall')
  })
})

it('says what a test log holds and what was left out', () => {
  expect(testLogText(facts)).toBe(
    'The test log has 1,200 rows of 80 users, 300 pairs with a reward above 0; left out: 7 of users or items that the training log does not have. It was used once, at the end, and no choice was based on it.',
  )
})
