import { describe, expect, it } from 'vitest'
import { type Overlap, overlapReasons } from './overlap.js'

const fine: Overlap = {
  unsupportedMass: 0,
  meanWeight: 1.01,
  meanWeightZ: 0.5,
  topShare: 0.0008,
  unit: 'row',
  weights: 'weights',
  value: 0.2,
  margin: 0.01,
  isPlain: false,
}
/** Codes and levels of what speaks against a sound answer with some things changed. */
const found = (changes: Partial<Overlap>): string[] =>
  overlapReasons({ ...fine, ...changes }).map(({ code, level }) => `${code} ${level}`)

it('nothing speaks against an answer that the log covers', () => {
  expect(overlapReasons(fine)).toEqual([])
  expect(found({ unsupportedMass: null, meanWeight: null, meanWeightZ: null, topShare: null })).toEqual([])
})

describe('what the log never shows', () => {
  // It may earn nothing, or twice as much: mass · value, against a margin of .01.
  it.each([
    [0.0124, []],
    [0.0126, ['unsupported caution']],
    [0.0499, ['unsupported caution']],
    [0.0501, ['unsupported refuse']],
  ])('is held against the margin: of %f', (unsupportedMass, expected) => {
    expect(found({ unsupportedMass })).toEqual(expected)
    // In the other direction as much.
    expect(found({ unsupportedMass, value: -0.2 })).toEqual(expected)
  })

  it('says by how much it may move the answer', () => {
    const [reason] = overlapReasons({ ...fine, unsupportedMass: 0.1 })
    expect(reason).toMatchObject({ value: 0.1, shift: 0.1 * 0.2 })
    expect(reason!.message).toBe(
      'In 10 % of impressions the policy shows items that the log never shows; their reward is unknown.',
    )
  })

  it('is refused beyond a fifth, however wide the interval', () => {
    expect(found({ unsupportedMass: 0.2, margin: 1 })).toEqual([])
    expect(found({ unsupportedMass: 0.21, margin: 1 })).toEqual(['unsupported refuse'])
  })
})

it('is refused where no row shows what the policy shows, whatever a reward model predicts', () => {
  expect(found({ meanWeight: 0, meanWeightZ: null, topShare: null })).toEqual(['unsupported refuse'])
})

it.each([
  [0.25, []],
  [0.26, ['dominated caution']],
  [0.5, ['dominated caution']],
  [0.51, ['dominated refuse']],
])('one row may carry a quarter of the weight: of %f', (topShare, expected) => {
  expect(found({ topShare })).toEqual(expected)
})

describe('weights that do not average 1', () => {
  it('are named four errors off, and beyond rounding', () => {
    const at = (meanWeight: number, meanWeightZ: number | null): boolean =>
      found({ meanWeight, meanWeightZ, value: 0 }).length > 0
    expect([at(1.2, 3.99), at(1.2, 4), at(0.8, -4), at(1.2, null)]).toEqual([false, true, true, true])
    expect([at(1.0009, 50), at(1.0011, 50), at(0.9989, -50), at(1.00001, null)]).toEqual([
      false,
      true,
      true,
      false,
    ])
  })

  it('move an estimate that does not divide by them, and no other', () => {
    const off = (meanWeight: number): Partial<Overlap> => ({ meanWeight, meanWeightZ: 9, value: 0.2 })
    expect(found(off(1.04))).toEqual(['mean-weight note'])
    expect(found({ ...off(1.01), isPlain: true })).toEqual(['mean-weight note'])
    expect(found({ ...off(1.04), isPlain: true })).toEqual(['mean-weight caution'])
    expect(found({ ...off(1.06), isPlain: true })).toEqual(['mean-weight refuse'])
    const [plain] = overlapReasons({ ...fine, ...off(2), isPlain: true })
    expect(plain).toMatchObject({ shift: -0.1, value: 2 })
    expect(plain!.message).toBe(
      'The weights average 2 instead of 1: the probabilities of the policy sum to more than 1, or the propensities are wrong.',
    )
    expect(overlapReasons({ ...fine, ...off(1.0021) })[0]!.message).toMatch(
      /average 1\.002 instead of 1: .* This estimate allows for that\.$/,
    )
  })

  it('are a caution where they average less, and some rows weigh much', () => {
    const less = (meanWeight: number, topShare: number): string[] =>
      found({ meanWeight, meanWeightZ: -9, topShare })
    expect(less(0.79, 0.06)).toEqual(['mean-weight caution'])
    expect(less(0.81, 0.06)).toEqual(['mean-weight note'])
    // A factor of all propensities.
    expect(less(0.5, 0.04)).toEqual(['mean-weight note'])
  })

  it('say whose weights they are', () => {
    const [reason] = overlapReasons({
      ...fine,
      meanWeight: 1.2,
      meanWeightZ: 9,
      unit: 'page',
      weights: 'weights of pages',
    })
    expect(reason!.message).toMatch(/^The weights of pages average 1\.2 instead of 1: /)
  })
})
