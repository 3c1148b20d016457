import { describe, expect, it } from 'vitest'
import { daysOf } from '../log/days.js'
import { withDays } from './days.js'
import { toyWorld } from './toy.js'

const world = toyWorld({ seed: 4, users: 300, items: 20, exposures: 40 })
const log = world.draw()
const meanOf = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0) / values.length
/** Click rate of each day. */
const ratesOf = (daySd: number, replicate = 0): number[] => {
  const shown = withDays(log, world, { days: 20, daySd, replicate })
  const { index, ids } = daysOf(shown)!
  return ids.map((_, day) => meanOf(shown.reward.filter((_r, row) => index[row] === day)))
}
const spreadOf = (values: readonly number[]): number => {
  const mean = meanOf(Float64Array.from(values))
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1))
}

describe('a log of days', () => {
  it('shows the same items to the same users, in the order of time, over so many days', () => {
    const shown = withDays(log, world, { days: 28, daySd: 0.3 })
    expect(daysOf(shown)!.ids).toHaveLength(28)
    expect(shown.time).toEqual(shown.time!.toSorted())
    const pairs = ({ user, item, propensity }: typeof log): string[] =>
      Array.from(user, (u, row) => `${u} ${item[row]} ${propensity![row]}`).toSorted()
    expect(pairs(shown)).toEqual(pairs(log))
  })

  it('is the same for the same seed, and another for another replicate', () => {
    const draw = (replicate: number) => withDays(log, world, { days: 7, daySd: 0.3, replicate })
    expect(draw(1)).toEqual(draw(1))
    expect([...draw(2).time!]).not.toEqual([...draw(1).time!])
  })

  it('has days that differ by so much, beyond chance', () => {
    // A rate near 2/7 over 600 rows a day varies by 0.018 by chance, and by 0.5 × 0.18 = 0.09 with the days.
    expect(spreadOf(ratesOf(0))).toBeLessThan(0.03)
    expect(spreadOf(ratesOf(0.5))).toBeGreaterThan(0.06)
  })

  it('keeps the true values on average over days to come', () => {
    const means = Array.from({ length: 40 }, (_, replicate) =>
      meanOf(Float64Array.from(ratesOf(0.5, replicate))),
    )
    expect(meanOf(Float64Array.from(means))).toBeCloseTo(world.value(world.logging), 1.7)
  })

  it.each([
    [{ days: 0 }, '0 days'],
    [{ days: 2.5 }, '2.5 days'],
    [{ days: 7, daySd: 0.6 }, 'differ by 0.6'],
    [{ days: 7, daySd: -1 }, 'differ by -1'],
  ])('cannot have %j', (options, message) => {
    expect(() => withDays(log, world, options)).toThrow(message)
  })
})
