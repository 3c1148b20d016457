import { describe, expect, it } from 'vitest'
import { plackettLucePolicy } from '../../policy/plackett-luce.js'
import { log } from '../../portable-math.js'
import { randomStream } from '../../random/stream.js'
import { slotMarginals } from './slate-weights.js'

/** The same by recursion over all sets of items that can stand above. */
function byRecursion(probability: Float64Array, positions: number): Float64Array[] {
  const scores = Float64Array.from(probability, (p) => (p > 0 ? log(p) : -Infinity))
  return plackettLucePolicy('reference', scores, { positions }).marginals(0)
}

describe('the probability of an item in a slot', () => {
  it('of two items, by hand', () => {
    const [first, second] = slotMarginals(Float64Array.of(0.9, 0.1), [0, 1], 2)
    expect([...first!]).toEqual([0.9, 0.1])
    expect(second![0]).toBeCloseTo(0.1, 13)
    expect(second![1]).toBeCloseTo(0.9, 13)
  })

  it.each([
    ['even', () => 1],
    ['skewed', (k: number) => 0.5 ** k],
    ['very skewed', (k: number) => 1e-3 ** k],
    ['some never shown', (k: number) => (k % 3 === 2 ? 0 : 1 + k)],
  ])('is that of the recursion over all sets: %s', (_, strength) => {
    const weights = Float64Array.from({ length: 9 }, (_item, k) => strength(k))
    const total = weights.reduce((sum, w) => sum + w, 0)
    const pi = weights.map((w) => w / total)
    const found = slotMarginals(pi, [...pi.keys()], 5)
    byRecursion(pi, 5).forEach((exact, k) =>
      exact.forEach((p, item) => expect(Math.abs(found[k]![item]! - p)).toBeLessThan(1e-12 + 1e-10 * p)),
    )
  })

  it.each([10, 40])('sums to one over the items in each of %s slots, also of five hundred items', (slots) => {
    const random = randomStream(3, 'rates')
    const weights = Float64Array.from({ length: 500 }, () => random.uniform() ** 8)
    const total = weights.reduce((sum, w) => sum + w, 0)
    for (const slot of slotMarginals(
      weights.map((w) => w / total),
      [...weights.keys()],
      slots,
    ))
      expect(slot.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 11)
  })

  it('asks for as many items as there are slots', () => {
    expect(() => slotMarginals(Float64Array.of(1, 0), [0], 2)).toThrow('The target shows 1 items, too few')
  })
})
