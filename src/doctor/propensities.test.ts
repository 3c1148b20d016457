import { describe, expect, it } from 'vitest'
import { asFields, worded } from '../advice.js'
import { drawFrom, examinationOf, impressionsOf, toyLog, toyWorld, type Impression } from './example-log.js'
import type { Finding } from './finding.js'
import { checkConstantPropensity, checkPropensityScale, checkTinyPropensity } from './propensities.js'

const check = (rows: readonly Impression[]) => checkPropensityScale(examinationOf(rows))
const codes = (rows: readonly Impression[]): string[] => check(rows).map(({ code }) => code)
const rewrite = (write: (propensity: number) => number): Impression[] =>
  toyLog((row) => ({ ...row, propensity: write(row.propensity!) }))
const remedyOf = (finding: Finding | undefined): string => worded(finding!.remedy, asFields)

describe('propensities on another scale', () => {
  it('are left alone when they are probabilities', () => {
    expect(check(toyLog())).toEqual([])
  })

  it('are called logarithms, inverses and percentages, each with its remedy', () => {
    const [logarithms] = check(rewrite(Math.log))
    expect(logarithms).toMatchObject({ code: 'log-probabilities', level: 'problem', rows: [0, 1, 2, 3, 4] })
    expect(remedyOf(logarithms)).toContain('exp(propensity)')
    const [inverses] = check(rewrite((b) => 1 / b))
    expect(inverses).toMatchObject({ code: 'inverse-propensities', level: 'problem' })
    expect(remedyOf(inverses)).toContain('1 / propensity')
    const [percentages] = check(rewrite((b) => 100 * b))
    expect(percentages).toMatchObject({ code: 'percentages', level: 'problem' })
    expect(remedyOf(percentages)).toContain('propensity / 100')
  })

  it('are told apart within [1, 100] by the number of items they speak of', () => {
    const world = (seed: number): Impression[] =>
      impressionsOf(
        {
          users: 100,
          exposures: 10,
          items: 6,
          logging: () => [0.3, 0.25, 0.2, 0.15, 0.06, 0.04],
          clickRate: () => 0.3,
        },
        drawFrom(seed),
      )
    for (let seed = 1; seed <= 50; seed++) {
      expect(codes(world(seed).map((row) => ({ ...row, propensity: 100 * row.propensity! })))).toEqual([
        'percentages',
      ])
      expect(codes(world(seed).map((row) => ({ ...row, propensity: 1 / row.propensity! })))).toEqual([
        'inverse-propensities',
      ])
    }
  })

  it('are seen in uniform logs too', () => {
    const uniform = (propensity: number): Impression[] =>
      impressionsOf(toyWorld({ logging: () => Array.from({ length: 200 }, () => 1 / 200) }), drawFrom(1)).map(
        (row) => ({ ...row, propensity }),
      )
    expect(codes(uniform(Math.log(1 / 200)))).toEqual(['log-probabilities'])
    expect(codes(uniform(200))).toEqual(['inverse-propensities'])
    expect(codes(uniform(-1))).toEqual(['propensity-outside-range'])
  })

  it('keep to percentages when most of them are below 1 %', () => {
    const logging = Array.from({ length: 2000 }, (_, item) => (item < 5 ? 0.03 : 0.85 / 1995))
    const rows = impressionsOf(toyWorld({ items: 2000, logging: () => logging }), drawFrom(3))
    expect(codes(rows.map((row) => ({ ...row, propensity: 100 * row.propensity! })))).toEqual(['percentages'])
  })
})

describe('single values outside (0, 1]', () => {
  it('are named by row and kind', () => {
    const wrong = new Map([
      [7, 0],
      [19, -0.2],
      [40, 1.5],
      [1000, NaN],
    ])
    const findings = check(toyLog((row, k) => ({ ...row, propensity: wrong.get(k) ?? row.propensity! })))
    expect(findings).toHaveLength(1)
    expect(findings[0]).toMatchObject({
      code: 'propensity-outside-range',
      level: 'problem',
      rows: [7, 19, 40, 1000],
    })
    expect(findings[0]!.numbers).toMatchObject({ zero: 1, negative: 1, above: 1, unreadable: 1 })
  })

  it('are named beside a scale', () => {
    expect(
      codes(toyLog((row, k) => ({ ...row, propensity: k === 3 ? NaN : Math.log(row.propensity!) }))),
    ).toEqual(['log-probabilities', 'propensity-outside-range'])
  })

  it('say nothing where there is no propensity column', () => {
    const { log, mapping } = examinationOf(toyLog().map(({ user, item, reward }) => ({ user, item, reward })))
    expect(checkPropensityScale({ log, mapping })).toEqual([])
  })
})

it('says nothing of propensities that the log does not go by', () => {
  const { log, mapping } = examinationOf(rewrite((b) => -b))
  expect(checkPropensityScale({ log: { ...log, propensitySource: 'none' }, mapping })).toEqual([])
})

describe('what a scale is told by', () => {
  const written = (values: readonly number[], rows = values.length, items = 4): Impression[] =>
    Array.from({ length: rows }, (_, k) => ({
      user: k,
      item: k % items,
      reward: 0,
      propensity: values[k % values.length]!,
    }))

  it('is the number of items that it speaks of', () => {
    // As percentages 100 · (1/10 + 1/20 + 1/40 + 1/40)/4 = 5 items, as inverses 27.5; the log shows 4.
    const [percentages] = check(written([10, 20, 40, 40]))
    expect(percentages).toMatchObject({ code: 'percentages', rows: [0, 1, 2, 3] })
    expect(percentages!.numbers).toMatchObject({ smallest: 10, largest: 40, above: 4, rows: 4, items: 4 })
    expect(percentages!.numbers['meanInverse']).toBeCloseTo(5, 12)
    // As inverses (2 + 4 + 8 + 8)/4 = 5.5 items, as percentages 25.
    const [inverses] = check(written([2, 4, 8, 8]))
    expect(inverses).toMatchObject({ code: 'inverse-propensities', numbers: { smallest: 2, largest: 8 } })
    expect(inverses!.numbers['meanInverse']).toBeCloseTo(5.5, 12)
    expect(check(written([1, 4, 8, 9]))).toMatchObject([{ code: 'inverse-propensities', rows: [1, 2, 3] }])
    // Beyond 100 there are no percentages, below 1 no inverses.
    expect(codes(written([10, 20, 40, 101]))).toEqual(['inverse-propensities'])
    expect(codes(written([0.5, 20, 40, 39.5]))).toEqual(['percentages'])
    expect(codes(written([0.5, 20, 40, 139.5]))).toEqual(['propensity-outside-range'])
    expect(codes(written([2, 4, 8, Infinity]))).toEqual(['inverse-propensities', 'propensity-outside-range'])
  })

  it('is not told where more than one row in twenty is 0 or below', () => {
    const withZeros = (zeros: number): Impression[] =>
      written([10, 20, 40, 40], 100).map((row, k) => (k < zeros ? { ...row, propensity: 0 } : row))
    expect(check(withZeros(5))).toMatchObject([
      { code: 'percentages' },
      {
        code: 'propensity-outside-range',
        rows: [0, 1, 2, 3, 4],
        numbers: { outside: 5, zero: 5, above: 95 },
      },
    ])
    expect(check(withZeros(6))).toMatchObject([
      { code: 'propensity-outside-range', numbers: { outside: 100, zero: 6, above: 94, negative: 0 } },
    ])
  })

  it('is that of logarithms where one row in a hundred is above 0 at most', () => {
    const withPositive = (positive: number): Impression[] =>
      written([-1, -2, -3, -3], 100).map((row, k) => (k < positive ? { ...row, propensity: 0.5 } : row))
    expect(check(withPositive(1))).toMatchObject([
      {
        code: 'log-probabilities',
        rows: [1, 2, 3, 4, 5],
        numbers: { negative: 99, smallest: -3, largest: 0.5 },
      },
      { code: 'propensity-outside-range', rows: [0], numbers: { outside: 1 } },
    ])
    expect(check(withPositive(1))[1]!.seen).toContain('1 positive')
    expect(codes(withPositive(2))).toEqual(['propensity-outside-range'])
  })

  it('is that of one logarithm where the items of the log can share it', () => {
    expect(codes(written([Math.log(1 / 4)], 8, 4))).toEqual(['log-probabilities'])
    expect(codes(written([Math.log(1 / 3)], 8, 4))).toEqual(['propensity-outside-range'])
  })
})

describe('tiny propensities', () => {
  const withOne = (propensity: number) =>
    checkTinyPropensity(examinationOf(toyLog((row, k) => (k === 7 ? { ...row, propensity } : row))))

  it('finds a propensity that no row of such a log can have', () => {
    for (const propensity of [1e-200, Number.MIN_VALUE])
      expect(withOne(propensity)).toMatchObject([
        {
          code: 'propensity-tiny',
          level: 'problem',
          rows: [7],
          numbers: { tiny: 1, smallest: propensity },
        },
      ])
  })

  it('draws the line at one in a million logs: 1e-6/(rows × 10,000 items)', () => {
    const limit = 1e-6 / (5000 * 10_000)
    expect(withOne(0.99 * limit)).toHaveLength(1)
    expect(withOne(1.01 * limit)).toEqual([])
  })

  it('leaves values that are no probabilities to others', () => {
    expect(withOne(0)).toEqual([])
    expect(withOne(0.1)).toEqual([])
  })
})

describe('one propensity on every row', () => {
  const check = (rows: readonly Impression[]) => checkConstantPropensity(examinationOf(rows))
  const placeholder = (propensity: number): Impression[] => toyLog((row) => ({ ...row, propensity }))

  it('is a problem above one half, where a user was shown different items', () => {
    expect(check(placeholder(1))).toMatchObject([
      { code: 'propensity-constant', level: 'problem', numbers: { propensity: 1, items: 189 } },
    ])
    expect(check(placeholder(0.51))).toHaveLength(1)
    expect(check(placeholder(0.5))).toEqual([])
  })

  it('may be that of a page, or of one item for each user', () => {
    expect(check(placeholder(0.6).map((row, k) => ({ ...row, position: k % 3 })))).toEqual([])
    expect(check(placeholder(1).map((row) => ({ ...row, item: row.user })))).toEqual([])
  })

  it('is none where one row has another', () => {
    expect(check(toyLog((row, k) => ({ ...row, propensity: k === 9 ? 0.9 : 1 })))).toEqual([])
  })
})
