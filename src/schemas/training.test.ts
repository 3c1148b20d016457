import { describe, expect, it } from 'vitest'
import { exampleCertificate, exampleRanked, exampleTraining } from '../figures/example-training.js'
import { trainingSchema } from './training.js'

describe('the schema of a training', () => {
  const throughJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

  it('parses a training from JSON unchanged', () => {
    const training = exampleTraining()
    expect(trainingSchema.parse(throughJson(training))).toEqual(training)
    const certified = exampleTraining({ certificate: exampleCertificate() })
    expect(trainingSchema.parse(throughJson(certified))).toEqual(certified)
    const [trained] = exampleRanked
    const weighted = {
      ...trained!,
      test: { ...trained!.test!, ips: exampleMetricsAtK(), snips: exampleMetricsAtK() },
    }
    expect(trainingSchema.safeParse(throughJson(exampleTraining({ ranked: [weighted] }))).success).toBe(true)
  })

  it.each([
    ['another version', { schema: 'hindcast.training/2' }],
    ['a field it does not know', { extra: 1 }],
    ['a number that JSON cannot hold', { best: { epoch: 3, measure: 'ndcg', value: Number.NaN } }],
    ['an unknown reason for stopping', { stopped: 'tired' }],
  ])('refuses %s', (_, more) => {
    expect(trainingSchema.safeParse({ ...exampleTraining(), ...more }).success).toBe(false)
  })
})

function exampleMetricsAtK() {
  const { ndcg, recall, precision, map, mrr, hitRate } = exampleRanked[0]!.test!
  return { ndcg, recall, precision, map, mrr, hitRate }
}
