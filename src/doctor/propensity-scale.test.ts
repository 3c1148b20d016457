import { describe, expect, it } from 'vitest'
import { drawFrom, examinationOf, impressionsOf, toyLog, toyWorld, type Impression } from './example-log.js'
import { checkPropensityScale } from './propensity-scale.js'

const check = (rows: readonly Impression[]) => checkPropensityScale(examinationOf(rows))
const codes = (rows: readonly Impression[]): string[] => check(rows).map(({ code }) => code)
const rewrite = (write: (propensity: number) => number): Impression[] =>
  toyLog((row) => ({ ...row, propensity: write(row.propensity!) }))

describe('propensities on another scale', () => {
  it('are left alone when they are probabilities', () => {
    expect(check(toyLog())).toEqual([])
  })

  it('are called logarithms, inverses and percentages, each with its remedy', () => {
    const [logarithms] = check(rewrite(Math.log))
    expect(logarithms).toMatchObject({ code: 'log-probabilities', level: 'problem', rows: [0, 1, 2, 3, 4] })
    expect(logarithms!.remedy).toContain('exp(propensity)')
    const [inverses] = check(rewrite((b) => 1 / b))
    expect(inverses).toMatchObject({ code: 'inverse-propensities', level: 'problem' })
    expect(inverses!.remedy).toContain('1/propensity')
    const [percentages] = check(rewrite((b) => 100 * b))
    expect(percentages).toMatchObject({ code: 'percentages', level: 'problem' })
    expect(percentages!.remedy).toContain('by 100')
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
