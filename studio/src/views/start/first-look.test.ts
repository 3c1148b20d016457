import { describe, expect, it } from 'vitest'
import look from './first-look.js'

describe('the first look', () => {
  it('has something to find, and ends where the log can say little', () => {
    const { logged, points } = look
    const [first, last] = [points[0]!, points.at(-1)!]
    expect(first.interval[0]).toBeGreaterThan(1.5 * logged)
    const widthOf = ({ interval: [low, high] }: typeof first): number => high - low
    expect(widthOf(last)).toBeGreaterThan(5 * widthOf(first))
    expect(points.map(({ level }) => level)).toEqual(points.map(() => 'trust'))
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
