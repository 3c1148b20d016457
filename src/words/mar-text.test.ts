import { describe, expect, it } from 'vitest'
import type { MarMethod, MarReport } from '../train/mar-protocol.js'
import { settingsFor } from '../train/settings-for.js'
import { marAnswer, marNotes, spreadText } from './mar-text.js'

const method = (name: MarMethod['name'], error: number): MarMethod => ({
  name,
  settings: settingsFor(true, { loss: 'mse' }),
  tried: [],
  runs: [
    {
      seed: 0,
      epoch: 9,
      metrics: {
        k: 10,
        users: 90,
        orderedUsers: 90,
        ratings: 900,
        ndcg: null,
        auc: null,
        mse: { value: error, interval: [error - 0.02, error + 0.02] },
      },
    },
  ],
  over: { mse: { mean: error, deviation: 0.004 }, mae: null, auc: null, ndcg: null },
})
const report = (...errors: [number, number, number]): MarReport => ({
  schema: 'hindcast.mar/1',
  train: { rows: 5000, users: 100, items: 50, meanRating: 3.71 },
  propensities: {
    from: 'naive-bayes',
    sliceRows: 50,
    parameters: { items: 50, 'propensity of reward 1': 0.01, 'propensity of reward 5': 0.06 },
  },
  test: {
    among: 'rated',
    rows: 900,
    users: 90,
    clicks: 900,
    leftOut: { unknown: 0, seen: 3 },
    meanRating: 2.64,
  },
  k: 10,
  seeds: 3,
  methods: [method('mf', errors[0]), method('mf-ips', errors[1]), method('dr-jl', errors[2])],
  constantError: 1.1,
})

describe('the answer of the protocol', () => {
  it('names the method with the lowest error, and the next', () => {
    expect(marAnswer(report(1.05, 0.7, 0.8))).toBe(
      'MF-IPS has the lowest mean squared error on ratings of random items: 0.700 ± 0.004, mean and standard deviation over 3 seeds. Next comes DR-JL with 0.800 ± 0.004. The 95 % CI by user of MF-IPS is 0.680–0.720, with the first seed. Always predicting the mean gives 1.10. Ratings that users chose to give average 3.71, random ones 2.64.',
    )
  })

  it('claims no lead where intervals overlap', () => {
    expect(marAnswer(report(1.05, 0.7, 0.71))).toMatch(
      /^MF-IPS 0\.700 ± 0\.004 and DR-JL 0\.710 ± 0\.004 have the lowest .*; their intervals overlap\./,
    )
  })

  it('says where a constant does better than all', () => {
    expect(marAnswer(report(1.5, 1.2, 1.3))).toContain('**Always predicting the mean does better**: 1.10.')
  })
})

it('says what propensities were estimated from, and that it is not in the test', () => {
  const notes = marNotes(report(1, 0.7, 0.8)).join(' ')
  expect(notes).toContain('naive Bayes from 50 random ratings, which are not in the test')
  expect(notes).toContain(
    'a rating of 1 is given 1.0, a rating of 5 is given 6.0 times as often as the rarest',
  )
  expect(notes).toContain('left out: 3 of pairs that training has seen')
  expect(notes).not.toContain('Penalties')
})

it('writes a spread to three digits', () => {
  expect(spreadText({ mean: 1.8342, deviation: 0.0213 })).toBe('1.83 ± 0.02')
  expect(spreadText({ mean: 0.7, deviation: null })).toBe('0.700')
  expect(spreadText(null)).toBe('–')
})
