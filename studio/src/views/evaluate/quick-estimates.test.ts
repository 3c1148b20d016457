import { describe, expect, it } from 'vitest'
import { evaluate } from '$core/estimate/evaluate.js'
import { toyWorld } from '$core/world/toy.js'
import { quickOf, withPlaces } from './quick-estimates.js'

const question = (...estimators: string[]) =>
  ({ target: { kind: 'uniform' }, choices: { estimators } }) as const

describe('the quick part of a question', () => {
  it('asks for the quick estimators alone', () => {
    expect(quickOf(question('dm', 'ips', 'snips', 'dr'))).toEqual([question('ips', 'snips')])
  })

  it('is none where all are quick, or none is', () => {
    expect(quickOf(question('snips'))).toEqual([])
    expect(quickOf(question('dm', 'dr'))).toEqual([])
  })
})

describe('an evaluation of some estimators', () => {
  it('keeps a place for those to come, in the order asked for', async () => {
    const log = toyWorld({ seed: 1, users: 60 }).draw()
    const asked = ['dm', 'snips', 'clipped-ips:10']
    const { evaluation } = await evaluate(log, { target: { kind: 'uniform' }, estimators: ['snips'] })
    const { estimates, ...rest } = withPlaces(evaluation, asked)
    expect(estimates.map(({ estimator, value }) => [estimator, value])).toEqual([
      ['dm', null],
      ['snips', evaluation.estimates[0]!.value],
      ['clipped-ips', null],
    ])
    expect({ ...rest, estimates: evaluation.estimates }).toEqual(evaluation)
  })
})
