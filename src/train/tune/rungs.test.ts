import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rungSizes, rungsOf, rungsWithin, secondsOf, stepsOf } from './rungs.js'

describe('rungs', () => {
  it('keep a third of the trials and train them three times as long', () => {
    expect(rungsOf(27, 900)).toEqual([
      { trials: 27, steps: 100 },
      { trials: 9, steps: 300 },
      { trials: 3, steps: 900 },
    ])
    // 27 · 100 + 9 · 200 + 3 · 600.
    expect(stepsOf(rungsOf(27, 900))).toBe(6300)
  })

  it('never shrink to one, and never grow', () => {
    expect(rungSizes(1)).toEqual([1])
    expect(rungSizes(5)).toEqual([5])
    expect(rungSizes(20)).toEqual([20, 6, 2])
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 2000 }), fc.integer({ min: 1, max: 1e6 }), (trials, most) => {
        const rungs = rungsOf(trials, most)
        expect(rungs[0]!.trials).toBe(trials)
        expect(rungs.at(-1)!.steps).toBe(most)
        rungs.slice(1).forEach((rung, k) => {
          expect(rung.trials).toBeGreaterThanOrEqual(2)
          expect(rung.trials).toBeLessThanOrEqual(rungs[k]!.trials / 3)
          expect(rung.steps).toBeGreaterThanOrEqual(rungs[k]!.steps)
        })
      }),
    )
  })
})

describe('rungs within a budget', () => {
  const budget = { seconds: 600, drawn: Array<number>(81).fill(0.01), least: 100, most: 1e9 }

  it('use all of it where nothing else is the limit', () => {
    const rungs = rungsWithin(budget)
    // Steps cost 0.01 s: 60,000 of them, shared by 81, 27, 9 and 3 trials.
    expect(rungs.map(({ trials }) => trials)).toEqual([81, 27, 9, 3])
    expect(stepsOf(rungs) * 0.01).toBeCloseTo(600, -1)
  })

  it('draw fewer trials where there is less time', () => {
    const trialsIn = (seconds: number): number => rungsWithin({ ...budget, seconds })[0]!.trials
    expect([600, 120, 30, 1].map(trialsIn)).toEqual([81, 27, 9, 3])
  })

  it('have as many trials as were asked for, and no more than the space has', () => {
    expect(rungsWithin({ ...budget, seconds: 1, trials: 20 })[0]!.trials).toBe(20)
    expect(rungsWithin({ ...budget, drawn: [0.01, 0.01] })[0]!.trials).toBe(2)
  })

  it('end at the most steps that make sense', () => {
    expect(rungsWithin({ ...budget, most: 500 }).at(-1)!.steps).toBe(500)
  })

  it('take the time they say, whatever the speeds', () => {
    const seconds = fc.double({ min: 1e-4, max: 1, noNaN: true })
    fc.assert(
      fc.property(fc.array(seconds, { minLength: 81, maxLength: 81 }), (drawn) => {
        const rungs = rungsWithin({ ...budget, seconds: 1e6, drawn })
        expect(secondsOf(rungs, { drawn }) / 1e6).toBeCloseTo(1, 2)
      }),
    )
  })
})
