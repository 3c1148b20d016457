import { describe, expect, it } from 'vitest'
import type { DayValues } from '../estimate/by-day.js'
import { drawNormal } from '../random/distributions.js'
import { randomStream } from '../random/stream.js'
import { byDayFinding, daysDiffer } from './by-day-finding.js'

const daysOf = (values: readonly number[], valueSe: number | null): DayValues[] =>
  values.map((value, day) => ({
    day: 20_000 + day,
    rows: 100,
    value,
    valueSe,
    meanReward: value,
    meanWeight: 1,
    meanWeightSe: 0.1,
  }))

describe('whether days differ', () => {
  it('is more than chance where they spread more than their errors', () => {
    const days = daysOf([0.1, 0.3, 0.1, 0.3, 0.1, 0.3], 0.02)
    expect(daysDiffer(days)).toBe(true)
    expect(byDayFinding(days)).toBe(
      'Days differ by more than chance: the target would have earned 0.100 to 0.300 per impression, over 6 days',
    )
  })

  it('is not said of a part of a day, such as the first row of the next', () => {
    const days = daysOf([0.1, 0.3, 0.1, 0.3, 0.1, 0.3], 0.02)
    const cut = [...days, { ...daysOf([0], null)[0]!, day: 20_006, rows: 1 }]
    expect(byDayFinding(cut)).toBe(byDayFinding(days))
    // Four rows without a click have an error, of 0.
    expect(byDayFinding(cut.with(-1, { ...cut.at(-1)!, rows: 4, valueSe: 0 }))).toBe(byDayFinding(days))
    // As the only days, single rows are what there is.
    expect(byDayFinding(daysOf([0.1, 0.9], null))).toContain('over 2 days')
  })

  it('is chance where their errors explain it', () => {
    const days = daysOf([0.19, 0.21, 0.2, 0.18, 0.22], 0.02)
    expect(byDayFinding(days)).toBe(
      'What the target would have earned does not differ detectably from day to day, over 5 days',
    )
  })

  it('is claimed of few logs whose days do not differ', () => {
    const random = randomStream(3, 'days')
    let claimed = 0
    for (let log = 0; log < 500; log++) {
      const values = Array.from({ length: 28 }, () => 0.2 + 0.02 * drawNormal(random))
      if (daysDiffer(daysOf(values, 0.02))) claimed++
    }
    expect(claimed / 500).toBeLessThan(0.03)
  })

  it('is claimed of few logs whose days have few clicks, and a low value with a small error', () => {
    const random = randomStream(4, 'days')
    let claimed = 0
    for (let log = 0; log < 300; log++) {
      const days = Array.from({ length: 28 }, (_, day): DayValues => {
        // 60 rows with clicks on few of them, most of a small weight.
        const earned = Array.from({ length: 60 }, (): number =>
          random.uniform() < 0.1 ? (random.uniform() < 0.2 ? 4 : 0.25) : 0,
        )
        const value = earned.reduce((sum, one) => sum + one, 0) / 60
        const variance = earned.reduce((sum, one) => sum + (one - value) ** 2, 0) / 59
        return { ...daysOf([value], Math.sqrt(variance / 60))[0]!, day, rows: 60 }
      })
      if (daysDiffer(days)) claimed++
    }
    expect(claimed / 300).toBeLessThan(0.03)
  })

  it('is not known of one day, or of days without an error', () => {
    expect(daysDiffer(daysOf([0.2], 0.02))).toBe(false)
    expect(daysDiffer(daysOf([0.1, 0.9], null))).toBe(false)
  })
})
