import fc from 'fast-check'
import { expect, it } from 'vitest'
import { log10, pow } from '../portable-math.js'
import { largestOf } from './pareto.js'
import { type CountedStep, STEPS_PER_DECADE, sumOfHeaviest, sumOfLargest } from './weight-steps.js'

function stepsOf(weights: readonly number[]): CountedStep[] {
  const steps = new Map<number, CountedStep>()
  for (const weight of weights) {
    if (weight === 0) continue
    const step = Math.floor(log10(weight) * STEPS_PER_DECADE + 1e-9)
    const { count, sum } = steps.get(step) ?? { count: 0, sum: 0 }
    steps.set(step, { step, count: count + 1, sum: sum + weight })
  }
  return [...steps.values()]
}

it('the sum of the largest weights is the same from steps and in memory, and nearly that of the rows', () => {
  const weight = fc.oneof(
    fc.constantFrom(0, 1, 1.01, 10, 1e-40),
    fc.double({ min: -3, max: 3, noNaN: true }).map((power) => pow(10, power)),
  )
  fc.assert(
    fc.property(fc.array(weight, { minLength: 1, maxLength: 60 }), fc.nat(), (weights, drawn) => {
      const count = 1 + (drawn % weights.length)
      const largest = largestOf(Float64Array.from(weights), count)
      const exact = largest.reduce((sum, own) => sum + own, 0)
      const found = sumOfHeaviest(Float64Array.from(weights), largest)
      expect(Math.abs(found - sumOfLargest(stepsOf(weights), count))).toBeLessThanOrEqual(1e-12 * exact)
      expect(Math.abs(found - exact)).toBeLessThanOrEqual(0.024 * exact)
    }),
  )
})
