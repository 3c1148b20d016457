import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bitsFor, levelsOf, shortenRuns } from './runs.js'

/** Levels as runs of equal ones, each with its length: heads of one or more bytes, and one byte for the level. */
const repeated = (runs: readonly (readonly [count: number, level: number])[]): Uint8Array =>
  Uint8Array.from(runs.flatMap(([count, level]) => [...varint(2 * count), level]))

/** Levels of one bit in groups of eight. */
function packedBits(levels: readonly number[]): Uint8Array {
  const groups = Math.ceil(levels.length / 8)
  const bytes = new Uint8Array(groups)
  levels.forEach((level, k) => (bytes[k >> 3]! |= level << (k & 7)))
  return Uint8Array.from([...varint(2 * groups + 1), ...bytes])
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) | 128, ...varint(Math.floor(value / 128))]
}

const runs = fc.array(fc.tuple(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 0, max: 1 })), {
  minLength: 1,
  maxLength: 8,
})

describe('the levels of a page', () => {
  it('are those that runs of equal ones and packed ones hold', () => {
    fc.assert(
      fc.property(runs, (all) => {
        const levels = all.flatMap(([count, level]) => Array.from({ length: count }, () => level))
        expect([...levelsOf(repeated(all), 1, levels.length)]).toEqual(levels)
        expect([...levelsOf(packedBits(levels), 1, levels.length)]).toEqual(levels)
      }),
    )
  })

  it('are refused where they are too few or too high', () => {
    expect([...levelsOf(repeated([[3, 1], [2, 0]]), 1, 5)]).toEqual([1, 1, 1, 0, 0]) // prettier-ignore
    expect(() => levelsOf(repeated([[3, 1], [2, 0]]), 1, 6)).toThrow('fewer levels') // prettier-ignore
    expect(() => levelsOf(repeated([[3, 2]]), 1, 3)).toThrow('level above 1')
    expect(bitsFor(1)).toBe(1)
    expect(bitsFor(4)).toBe(3)
  })
})

describe('a run that claims too much', () => {
  it('is shortened to the values of its page, in as many bytes', () => {
    // 1,000,000 times the number 5 in a page of 40 values: the head takes three bytes, as before.
    const bytes = repeated([[1_000_000, 5]])
    expect(shortenRuns(bytes, 3, 40)).toBe(true)
    expect([...bytes]).toEqual([80 | 128, 0 | 128, 0, 5])
  })

  it('never has more values than its page, and a sound one stays as it is', () => {
    fc.assert(
      fc.property(runs, fc.integer({ min: 1, max: 2000 }), (all, values) => {
        const bytes = repeated(all)
        const ends = all.map((_, k) => all.slice(0, k + 1).reduce((sum, [count]) => sum + count, 0))
        const isTooLong = shortenRuns(bytes, 1, values)
        expect(isTooLong).toBe(ends.at(-1)! > values && !ends.includes(values))
        if (!isTooLong) expect(bytes).toEqual(repeated(all))
        else {
          expect(shortenRuns(bytes, 1, values)).toBe(false)
          const levels = all.flatMap(([count, level]) => Array.from({ length: count }, () => level))
          const kept = levels.slice(0, values).filter((level) => level === 1).length
          expect(levelsOf(bytes, 1, values).filter((level) => level === 1).length).toBe(kept)
        }
      }),
    )
  })

  it('may fill up its last group of eight', () => {
    expect(shortenRuns(packedBits(Array.from({ length: 40 }, () => 1)), 1, 33)).toBe(false)
    expect(shortenRuns(packedBits(Array.from({ length: 48 }, () => 1)), 1, 33)).toBe(true)
  })
})
