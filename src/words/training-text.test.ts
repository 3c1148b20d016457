import { describe, expect, it } from 'vitest'
import { formatScore, measureLabel } from './training-text.js'

describe('words of a training', () => {
  it('write scores with three digits that count', () =>
    expect([0.2431, 0.03412, 0.00052, 0, 1].map(formatScore)).toEqual([
      '0.243',
      '0.0341',
      '0.000520',
      '0.000',
      '1.000',
    ]))

  it('name measures with and without their k', () =>
    expect(['ndcg', 'recall@10', 'snips', 'other'].map((measure) => measureLabel(measure, 10))).toEqual([
      'NDCG@10',
      'recall@10',
      'SNIPS',
      'other',
    ]))
})
