import { describe, expect, it } from 'vitest'
import { randomStream } from '../random/stream.js'
import { studentQuantile } from '../student.js'
import { userMean } from './user-mean.js'

describe('userMean', () => {
  it('is the mean, with the textbook interval where users scatter evenly', () => {
    // Half at 0.4, half at 0.6: influences of one size have all G − 1 degrees of freedom.
    const values = Float64Array.from({ length: 40 }, (_, u) => (u % 2 === 0 ? 0.4 : 0.6))
    const half = studentQuantile(0.95, 39) * Math.sqrt((0.01 * 40) / 39 / 40)
    const { value, interval } = userMean(values, { confidence: 0.9 })
    expect(value).toBeCloseTo(0.5, 15)
    expect(interval![0]).toBeCloseTo(0.5 - half, 12)
    expect(interval![1]).toBeCloseTo(0.5 + half, 12)
  })

  it('has no interval for one user, nor where all say the same', () => {
    expect(userMean(Float64Array.of(0.3))).toEqual({ value: 0.3, interval: null })
    expect(userMean(new Float64Array(50))).toEqual({ value: 0, interval: null })
    expect(userMean(new Float64Array(50).fill(0.1)).interval).toBeNull()
  })

  it('keeps the interval within [0, 1], and an estimate above 1 within the interval', () => {
    expect(userMean(Float64Array.of(0, 0, 1)).interval![0]).toBe(0)
    expect(userMean(Float64Array.of(1, 1, 0)).interval![1]).toBe(1)
    const { value, interval } = userMean(Float64Array.of(1.5, 1, 1.1))
    expect(interval![1]).toBe(value)
  })

  it('divides by what users count, whatever the unit', () => {
    const values = Float64Array.of(0.5, 2, 0, 1)
    const counts = Float64Array.of(1, 4, 0.5, 1.5)
    const mean = userMean(values, { counts })
    expect(mean.value).toBe(0.5)
    const scaled = userMean(
      values.map((x) => x * 8),
      { counts: counts.map((x) => x * 8) },
    )
    expect(scaled).toEqual(mean)
    expect(userMean(values, { counts: new Float64Array(4).fill(1) })).toEqual(userMean(values))
  })

  /** How many of many intervals hold the truth. */
  function coverageOf(
    users: number,
    draw: (uniform: () => number) => { x: number; a: number },
    truth: number,
  ) {
    const logs = 2000
    let held = 0
    for (let log = 0; log < logs; log++) {
      const random = randomStream(3, 'coverage of the mean over users', log, users)
      const drawn = Array.from({ length: users }, () => draw(() => random.uniform()))
      const { interval } = userMean(
        Float64Array.from(drawn, ({ x }) => x),
        { counts: Float64Array.from(drawn, ({ a }) => a) },
      )
      if (interval && interval[0] <= truth && truth <= interval[1]) held++
    }
    return held / logs
  }

  it.each([30, 100, 400])('covers the mean recall of %d users in about 95 of 100 draws', (users) => {
    // Four users of ten find nothing; the rest find one or two of their three clicks.
    const share = coverageOf(
      users,
      (uniform) => {
        const u = uniform()
        return { x: u < 0.4 ? 0 : u < 0.8 ? 1 / 3 : 2 / 3, a: 1 }
      },
      0.4 / 3 + 0.4 / 3,
    )
    expect(share).toBeGreaterThan(0.935)
    expect(share).toBeLessThan(0.97)
  })

  it('covers a ratio of two means over 300 users whose counts vary a hundredfold', () => {
    const share = coverageOf(
      300,
      (uniform) => {
        const a = 100 ** uniform()
        // Users who count more find less.
        return { x: uniform() < 0.6 - 0.004 * a ? a : 0, a }
      },
      // E[a·(0.6 − 0.004 a)]/E[a], a log-uniform on [1, 100]: E[a] = 99/ln 100, E[a²] = 9999/(2 ln 100).
      0.6 - (0.004 * 9999) / 2 / 99,
    )
    expect(share).toBeGreaterThan(0.93)
    expect(share).toBeLessThan(0.97)
  })
})

describe('users who count unlike, worked out by hand', () => {
  it('differ by x − V·a', () => {
    // V = 3/6; x − V·a = ∓1/2 for two users each, so that influences are of one size: 1/12, all 3 degrees of freedom.
    const { value, interval } = userMean(Float64Array.of(0, 1, 1 / 2, 3 / 2), {
      counts: Float64Array.of(1, 1, 2, 2),
      confidence: 0.5,
    })
    expect(value).toBe(1 / 2)
    const half = studentQuantile(0.75, 3) * Math.sqrt((4 / 3) * 4 * (1 / 12) ** 2)
    expect(interval![0]).toBeCloseTo(1 / 2 - half, 12)
    expect(interval![1]).toBeCloseTo(1 / 2 + half, 12)
  })
})
