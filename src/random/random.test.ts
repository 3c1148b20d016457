import { describe, expect, it } from 'vitest'
import { hashText, philox, randomBlocks, randomStream } from './stream.js'

const blockOf = (counter: number[], key: [number, number]): string[] => {
  const out = new Uint32Array(4)
  philox(counter, key[0], key[1], out)
  return Array.from(out, (word) => word.toString(16).padStart(8, '0'))
}

describe('philox', () => {
  // The known answers of Random123's kat_vectors, philox4x32-10.
  it('gives the published answer for zeros', () => {
    expect(blockOf([0, 0, 0, 0], [0, 0])).toEqual(['6627e8d5', 'e169c58d', 'bc57ac4c', '9b00dbd8'])
  })
  it('gives the published answer for ones', () => {
    const f = 0xffffffff
    expect(blockOf([f, f, f, f], [f, f])).toEqual(['408f276d', '41c83b0e', 'a20bc7c6', '6d5451fd'])
  })
  it('gives the published answer for the digits of pi', () => {
    expect(blockOf([0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344], [0xa4093822, 0x299f31d0])).toEqual([
      'd16cfe09',
      '94fdcceb',
      '5001e420',
      '24126ea1',
    ])
  })
})

describe('randomStream', () => {
  const firstFive = (...key: Parameters<typeof randomStream>): number[] => {
    const stream = randomStream(...key)
    return Array.from({ length: 5 }, () => stream.uniform())
  }

  it('repeats itself for the same key and differs for any other', () => {
    const base = firstFive(7, 'clicks', 3, 1)
    expect(firstFive(7, 'clicks', 3, 1)).toEqual(base)
    for (const other of [
      firstFive(8, 'clicks', 3, 1),
      firstFive(7 + 2 ** 32, 'clicks', 3, 1),
      firstFive(7, 'exposures', 3, 1),
      firstFive(7, 'clicks', 4, 1),
      firstFive(7, 'clicks', 3, 2),
    ])
      expect(other).not.toEqual(base)
  })

  it('keeps the numbers it has always given', () => {
    expect(firstFive(7, 'clicks', 3, 1)).toMatchInlineSnapshot(`
      [
        0.059894690707938514,
        0.88644234080184,
        0.8274941448637455,
        0.01481794710921669,
        0.862698700731619,
      ]
    `)
  })

  it('is uniform on [0, 1): mean, variance and each tenth within five standard errors', () => {
    const stream = randomStream(1, 'uniformity')
    const draws = 100_000
    const tenths = new Float64Array(10)
    let sum = 0
    let squares = 0
    for (let k = 0; k < draws; k++) {
      const u = stream.uniform()
      expect(u >= 0 && u < 1).toBe(true)
      sum += u
      squares += u * u
      tenths[Math.floor(u * 10)]!++
    }
    expect(Math.abs(sum / draws - 1 / 2)).toBeLessThan(5 * Math.sqrt(1 / 12 / draws))
    expect(Math.abs(squares / draws - 1 / 3)).toBeLessThan(5 * Math.sqrt(4 / 45 / draws))
    for (const count of tenths) expect(Math.abs(count - draws / 10)).toBeLessThan(5 * Math.sqrt(draws * 0.09))
  })

  it('gives the same words in blocks', () => {
    const stream = randomStream(7, 'clicks', 3, 1)
    const words = Array.from({ length: 12 }, () => stream.word())
    const block = randomBlocks(7, 'clicks')
    expect([0, 1, 2].flatMap((k) => [...block(3, 1, k)])).toEqual(words)
  })

  it('hashes texts as FNV-1a does', () => {
    expect(hashText('')).toBe(0x811c9dc5)
    expect(hashText('foobar')).toBe(0xbf9cf968)
  })
})
