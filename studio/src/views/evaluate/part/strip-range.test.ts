import { describe, expect, it } from 'vitest'
import type { Strip } from '../../../desk/strips.js'
import { conditionOf, heightOf, placeAt, placesOf } from './strip-range.js'

const bin = (from: number, to: number, rows = 10) => ({ from, to, rows, kept: rows, reward: 1 })
const strip: Strip = { by: 'rank', bins: [bin(1, 1), bin(2, 2), bin(3, 4, 20), bin(5, 8)] }

describe('a range in a strip', () => {
  it('is a condition, and a condition is the range', () => {
    const condition = { by: 'rank', from: 2, to: 4 } as const
    expect(conditionOf(strip, 1, 2)).toEqual(condition)
    expect(conditionOf(strip, 2, 1)).toEqual(condition)
    expect(placesOf(strip, condition)).toEqual({ first: 1, last: 2 })
  })

  it('of all bins is no condition', () => {
    expect(conditionOf(strip, 3, 0)).toBeUndefined()
    expect(placesOf(strip, undefined)).toEqual({ first: 0, last: 3 })
  })

  it('that the strip does not have shows all of it', () => {
    expect(placesOf(strip, { by: 'rank', from: 90, to: 99 })).toEqual({ first: 0, last: 3 })
  })

  it('begins where the pointer is, and never beyond the ends', () => {
    expect([-0.2, 0, 0.3, 0.99, 1.5].map((share) => placeAt(strip, share))).toEqual([0, 0, 1, 3, 3])
  })

  it('stands as high as its rows beside the most', () => {
    expect(heightOf(strip.bins, 10)).toBe(0.5)
  })
})
