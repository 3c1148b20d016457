import { describe, expect, it } from 'vitest'
import { answeringEstimator, answerOf, isDefined, takesModelAsTrue } from './answer.js'
import type { Estimate, PlainEstimate } from './evaluation.js'

const estimate = (estimator: string, value: number | null = 0.2): PlainEstimate => ({
  estimator,
  value,
  se: null,
  interval: null,
  method: 't',
})
const answerAmong = (...names: string[]): string | undefined =>
  answerOf(names.map((name) => estimate(name)))?.estimator

describe('the answer', () => {
  it.each([
    [['dm', 'ips', 'snips', 'dr'], 'snips'],
    [['dm', 'clipped-ips', 'dr'], 'dr'],
    [['clipped-ips', 'ips'], 'ips'],
    [['dm', 'switch-dr', 'clipped-ips'], 'switch-dr'],
    [['dm'], 'dm'],
    [['dr', 'snips', 'snmips'], 'snips'],
  ])(
    'among %j is %s: self-normalised, then weights as they are, then shrunken ones, then a model',
    (names, answer) => {
      expect(answerAmong(...names)).toBe(answer)
    },
  )

  it('has a value: one without is passed over', () => {
    expect(answerOf([estimate('snips', null), estimate('dr', NaN), estimate('clipped-ips')])?.estimator).toBe(
      'clipped-ips',
    )
    expect(answerOf([estimate('snips', null)])).toBeUndefined()
    expect(answerOf([])).toBeUndefined()
  })

  it('is a model’s prediction for the direct method alone', () => {
    expect(['dm', 'dr', 'clipped-dr', 'nothing'].map(takesModelAsTrue)).toEqual([true, false, false, false])
    expect([estimate('ips', 0), estimate('ips', Infinity)].map(isDefined)).toEqual([true, false])
  })
})

describe('the estimator behind the answer', () => {
  const among = (...estimates: (PlainEstimate & Partial<Estimate>)[]): string | undefined =>
    answeringEstimator(estimates as Estimate[])

  it('is asked for with the λ that was chosen for all rows', () => {
    const lambda = (value: number | null): Pick<Estimate, 'lambda'> => ({
      lambda: { value, chosenBy: 'paired' },
    })
    expect(among(estimate('dm'), estimate('snips'))).toBe('snips')
    expect(among({ ...estimate('clipped-ips'), ...lambda(2.5) })).toBe('clipped-ips:2.5')
    expect(among({ ...estimate('clipped-ips'), ...lambda(null) })).toBe('clipped-ips:Infinity')
    expect(among(estimate('snips', null))).toBeUndefined()
  })
})
