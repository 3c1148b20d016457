import { describe, expect, it } from 'vitest'
import { dateText, mondayOf, unitsPerDay, weekOfDay } from './days.js'

const moment = Date.UTC(2024, 4, 1, 23, 59, 59)

describe('unitsPerDay', () => {
  it.each([
    ['seconds', moment / 1e3],
    ['milliseconds', moment],
    ['microseconds', moment * 1e3],
    ['nanoseconds', moment * 1e6],
  ])('knows %s', (_unit, time) => {
    expect(dateText(Math.floor(time / unitsPerDay(time)!))).toBe('2024-05-01')
  })

  it('finds no days in numbers that are no times', () => {
    expect(unitsPerDay(20_000)).toBeUndefined()
    expect(unitsPerDay(NaN)).toBeUndefined()
  })
})

describe('weekOfDay', () => {
  it('begins weeks on Monday, before 1970 too', () => {
    const monday = Date.UTC(2024, 3, 29) / 86_400_000
    for (const since of [0, -52 * 7 * 60])
      for (let k = 0; k < 7; k++) {
        expect(new Date(mondayOf(weekOfDay(monday + since + k)) * 86_400_000).getUTCDay()).toBe(1)
        expect(weekOfDay(monday + since + k)).toBe(weekOfDay(monday + since))
      }
    expect(weekOfDay(monday - 1)).toBe(weekOfDay(monday) - 1)
  })
})
