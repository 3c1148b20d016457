import { describe, expect, it } from 'vitest'
import { dateText, daysOf } from './days.js'

const MARCH_1 = Date.UTC(2026, 2, 1)
const HOUR = 3_600_000

describe('the days of a log', () => {
  it('begin at midnight in UTC and are listed as they occur', () => {
    const time = Float64Array.of(
      MARCH_1,
      MARCH_1 - 1,
      MARCH_1 + 24 * HOUR - 1,
      MARCH_1 - 23 * HOUR,
      MARCH_1 + 30 * HOUR,
    )
    const { index, ids } = daysOf({ rows: 5, time })!
    expect([...index]).toEqual([0, 1, 0, 1, 2])
    expect(ids.map((id) => dateText(Number(id)))).toEqual(['2026-03-01', '2026-02-28', '2026-03-02'])
  })

  it('are the same for seconds and milliseconds', () => {
    const time = Float64Array.from({ length: 50 }, (_, row) => MARCH_1 + 7 * HOUR * ((row * 17) % 50))
    const inSeconds = time.map((at) => at / 1000)
    expect(daysOf({ rows: 50, time: inSeconds })).toEqual(daysOf({ rows: 50, time }))
  })

  it('are unknown without times, without rows, and for times that no clock tells', () => {
    expect(daysOf({ rows: 3 })).toBeUndefined()
    expect(daysOf({ rows: 0, time: new Float64Array(0) })).toBeUndefined()
    expect(daysOf({ rows: 3, time: Float64Array.of(1, 2, 3) })).toBeUndefined()
  })
})
