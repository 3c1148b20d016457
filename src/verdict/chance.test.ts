import { describe, expect, it } from 'vitest'
import { drawNormal } from '../random/distributions.js'
import { randomStream } from '../random/stream.js'
import { jointChance, poissonBelow, poissonTail } from './chance.js'

const total = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0)

/** Influences of users on so many shifts that are 0 on average. */
function draw(seed: number, users: number, shifts: number): Float64Array[] {
  const random = randomStream(seed, 'influences')
  return Array.from({ length: shifts }, () =>
    Float64Array.from({ length: users }, () => drawNormal(random) * (1 + random.uniform())),
  )
}

describe('the chance of several shifts at once', () => {
  it('is kept to its budget where all shifts are 0 on average', () => {
    let accused = 0
    for (let seed = 1; seed <= 400; seed++) {
      const influences = draw(seed, 80, 6)
      const { chances } = jointChance(influences.map(total), influences)
      if (chances.some((chance) => chance <= 0.05)) accused++
    }
    // 20 of 400 are expected; 35 would be seen once in a thousand times.
    expect(accused).toBeGreaterThan(6)
    expect(accused).toBeLessThan(36)
  })

  it('has the errors of a sum over users', () => {
    const { errors } = jointChance([3], [Float64Array.of(1, -1, 2, 0)])
    // Users without influence are not counted: √(3/2 · 6).
    expect(errors[0]).toBeCloseTo(3, 12)
  })

  it('finds a shift that is no chance', () => {
    const influences = draw(7, 200, 3)
    const shifts = influences.map(total)
    shifts[1] = 8 * Math.sqrt(influences[1]!.reduce((sum, x) => sum + x * x, 0))
    const { chances } = jointChance(shifts, influences)
    expect(chances[1]).toBe(1 / 2000)
    expect(chances[0]).toBeGreaterThan(0.01)
  })

  it('says nothing of a shift that a single user makes', () => {
    expect(jointChance([5], [Float64Array.of(5)]).chances).toEqual([1])
  })
})

it('sums the tails of Poisson counts', () => {
  expect(poissonBelow(0, 3)).toBeCloseTo(Math.exp(-3), 12)
  expect(poissonBelow(2, 3) + poissonTail(3, 3)).toBeCloseTo(1, 12)
  expect(poissonTail(40, 3)).toBeLessThan(1e-28)
  expect(poissonTail(0, 3)).toBe(1)
})
