import { describe, expect, it } from 'vitest'
import { popularityPolicy } from './popularity.js'
import type { Policy } from './policy.js'
import { softmaxFamily } from './softmax-family.js'
import { softmaxPolicy } from './softmax.js'

const SCORES = [0, 1, 3]

describe.each<{ name: string; at: (temperature: number) => Policy }>([
  { name: 'softmaxPolicy', at: (temperature) => softmaxPolicy('tastes', SCORES, temperature) },
  { name: 'softmaxFamily', at: softmaxFamily('tastes', () => SCORES, { items: 3 }).at },
  { name: 'popularityPolicy', at: (temperature) => popularityPolicy([1, 2, 9], temperature) },
])('a policy of $name', ({ at }) => {
  it('knows its temperature, and is at another what it would have been from the start', () => {
    for (const [first, second] of [
      [1, 0.5],
      [0.5, 4],
      [2, Infinity],
    ] as const) {
      const { tempered } = at(first)
      expect(tempered!.temperature).toBe(first)
      const changed = tempered!.at(second)
      expect(changed.probabilities(0)).toEqual(at(second).probabilities(0))
      expect(changed.probabilities(0)).not.toEqual(at(first).probabilities(0))
      expect(changed.name).not.toBe(at(first).name)
      expect(changed.tempered!.temperature).toBe(second)
      expect(changed.tempered!.at(first).probabilities(0)).toEqual(at(first).probabilities(0))
      expect(changed.groupOf?.(0)).toBe(at(first).groupOf?.(0))
    }
  })

  it('takes no temperature of 0', () => {
    expect(() => at(1).tempered!.at(0)).toThrow('a temperature of 0 is not above 0')
  })
})
