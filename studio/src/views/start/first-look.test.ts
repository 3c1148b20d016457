import { describe, expect, it } from 'vitest'
import look from './first-look.js'

describe('the first look', () => {
  it('has something to find, and ends where the log can no longer answer', () => {
    const { logged, points } = look
    const [first] = points
    expect(first!.interval[0]).toBeGreaterThan(1.5 * logged)
    expect(first!.level).toBe('trust')
    expect(new Set(points.map(({ level }) => level))).toEqual(new Set(['trust', 'caution', 'refuse']))
    expect(points.at(-1)!.level).toBe('refuse')
    // One log, so its intervals are wrong together or not at all: here they are right.
    for (const { interval, truth } of points) {
      expect(interval[0]).toBeLessThan(truth)
      expect(interval[1]).toBeGreaterThan(truth)
    }
  })

  it('is the same once it is written into the page', () => {
    expect(JSON.parse(JSON.stringify(look))).toEqual(look)
  })
})
