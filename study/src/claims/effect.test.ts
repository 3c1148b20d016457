import { describe, expect, it } from 'vitest'
import { above, below, effectOf, effectOver, ratioOver, verdictOf, within } from './effect.js'
import { overSeeds } from '../statistics/over-seeds.js'

describe('an effect', () => {
  const sure = { value: 2, interval: [1.5, 2.5] as const, seeds: 4 }
  it('agrees where its whole interval does, and disagrees where none of it does', () => {
    expect(effectOf('', sure, '', above(1)).agrees).toBe('yes')
    expect(effectOf('', sure, '', below(1)).agrees).toBe('no')
    expect(effectOf('', sure, '', above(2)).agrees).toBe('unclear')
    expect(effectOf('', sure, '', within(1, 3)).agrees).toBe('yes')
    expect(effectOf('', sure, '', within(3, 4)).agrees).toBe('no')
    expect(effectOf('', sure, '', within(2, 4)).agrees).toBe('unclear')
  })

  it('says nothing from one seed, and nothing where both sides are the same', () => {
    expect(effectOver('', overSeeds([5]), '', above(0)).agrees).toBe('unclear')
    expect(effectOver('', overSeeds([0, 0, 0]), '', below(0)).agrees).toBe('unclear')
  })

  it('is the mean over seeds with its Student interval', () => {
    const { value, interval, seeds } = effectOver('', overSeeds([1, 2, 3, null]), '', above(0))
    // t(2) at 97.5 % is 4.3027, the standard error 1/√3.
    expect([value, seeds]).toEqual([2, 3])
    expect(interval![0]).toBeCloseTo(2 - 4.302652729911275 / Math.sqrt(3), 9)
  })

  it('is the geometric mean for ratios', () => {
    const { value, interval } = ratioOver('', overSeeds([0.5, 2]), '', below(1))
    expect(value).toBeCloseTo(1, 12)
    expect(interval![0] * interval![1]).toBeCloseTo(1, 9)
  })
})

describe('a verdict', () => {
  const saying = (...answers: ('yes' | 'no' | 'unclear')[]) =>
    verdictOf(
      answers.map((agrees) => ({
        ...effectOf('', { value: 0, interval: null, seeds: 0 }, '', above(0)),
        agrees,
      })),
    )
  it('follows from the effects alone', () => {
    expect(saying('yes', 'yes')).toBe('holds')
    expect(saying('yes', 'unclear')).toBe('holds')
    expect(saying('unclear', 'yes')).toBe('undecided')
    expect(saying('unclear', 'no')).toBe('does not hold')
    expect(saying('no', 'unclear', 'yes')).toBe('depends')
    expect(saying('unclear')).toBe('undecided')
  })
})
