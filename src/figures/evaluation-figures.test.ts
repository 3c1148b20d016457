import { describe, expect, it } from 'vitest'
import type { PlainEstimate, VerdictLevel } from '../estimate/evaluation.js'
import { createDocument } from '../node/dom.js'
import type { Chart } from './chart.js'
import { kernelDensity, spreadOf } from './bootstrap-distributions.js'
import {
  bootstrapDistributions,
  type BootstrapInput,
  byDayFigure,
  differencesFigure,
  type DifferencesInput,
  estimatesFigure,
  type EstimatesInput,
  lambdaCurve,
  type LambdaCurveInput,
  weightsFigure,
  type WeightsInput,
} from './index.js'
import { intervalScale } from './interval-layout.js'
import { exampleVerdict } from '../verdict/example-verdict.js'

const document = createDocument()
const estimates = (input: EstimatesInput) => estimatesFigure(input, { document })
const weights = (input: WeightsInput) => weightsFigure(input, { document })
const bootstrap = (input: BootstrapInput) => bootstrapDistributions(input, { document })
const curve = (input: LambdaCurveInput) => lambdaCurve(input, { document })
const differences = (input: DifferencesInput) => differencesFigure(input, { document })

const estimate = (estimator: string, value: number, half: number): PlainEstimate => ({
  estimator,
  value,
  se: half / 2,
  interval: [value - half, value + half],
  method: 't',
})
const missing = (estimator: string, reason: string): PlainEstimate => ({
  estimator,
  value: null,
  se: null,
  interval: null,
  method: 't',
  reason,
})
const spread = (centre: number, width: number, length = 50) =>
  Float64Array.from({ length }, (_, k) => centre + width * Math.sin(7 * k) * (1 + (k % 5)))
const unknown = { ess: null, essRatio: null, maxWeight: null, topPercentShare: null }
const someWeights: WeightsInput = {
  weights: Float64Array.from({ length: 400 }, (_, k) => (k % 4 === 0 ? 0 : 1.02 ** k / 50)),
  diagnostics: { ess: 81.3, essRatio: 0.203, maxWeight: 1.02 ** 399 / 50, topPercentShare: 0.0712 },
}
const points = [0.5, 2, 10, 100, Infinity].map((lambda, k) => ({
  lambda,
  value: 0.28 + k * 0.005,
  interval: [0.27 - k * 0.003, 0.29 + k * 0.013] as const,
}))
const comparison = (
  others: [target: string, difference: number | null, half: number, p: number | null, level?: VerdictLevel][],
): DifferencesInput => ({
  baseline: 'logging',
  confidence: 0.95,
  differences: others.map(([target, difference, half, p, level = 'trust']) => {
    const within = (part: number): [number, number] | null =>
      difference === null ? null : [difference - part * half, difference + part * half]
    return {
      target,
      value: difference === null ? null : 0.25 + difference,
      difference,
      se: half / 2,
      interval: within(0.8),
      simultaneous: within(1),
      lift:
        difference === null
          ? null
          : {
              value: 4 * difference,
              interval: null,
              simultaneous: [4 * (difference - half), 4 * (difference + half)],
            },
      pValue: p,
      adjustedPValue: p,
      stepDownPValue: p,
      verdict: exampleVerdict(level, 'A reason.'),
      action: 'undecided',
      ...(difference === null && { reason: 'all weights are zero' }),
    }
  }),
})

const all = (): Chart[] => [
  estimates({
    estimates: [
      estimate('dm', 0.29, 0.004),
      estimate('snips', 0.312, 0.007),
      estimate('dr', 0.31, 0.006),
      estimate('ips', 0.33, 0.03),
      missing('mips', 'no categories'),
    ],
    meanReward: 0.289,
    truth: 0.31,
  }),
  weights(someWeights),
  bootstrap({
    series: [
      { name: 'IPS', values: spread(0.3, 0.01) },
      { name: 'SNIPS', values: spread(0.31, 0.004) },
    ],
    truth: 0.305,
  }),
  curve({ estimator: 'clipped-ips', points, chosen: 10 }),
  differences(
    comparison([
      ['a', 0.02, 0.01, 0.0001],
      ['b', -0.02, 0.01, 0.0002, 'caution'],
      ['c', 0.02, 0.03, 0.2, 'refuse'],
      ['d', 0.01, 0.03, 0.5],
      ['e', null, 0, null, 'refuse'],
    ]),
  ),
]

describe('every figure of an evaluation', () => {
  const charts = all()

  it('is a complete SVG file with its words drawn in it', () => {
    for (const { svg, title } of charts) {
      expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" [^>]*role="img"/)
      expect(svg.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')).toContain(title)
    }
  })

  it('names its axes, on a phone too', () => {
    const names = [
      'Mean reward per impression',
      'Importance weight of the row (log scale)',
      'Estimate minus its mean',
      'λ (log scale)',
      'Difference in mean reward per impression',
    ]
    charts.forEach(({ svg, narrow }, k) => {
      for (const picture of [svg, narrow]) expect(picture).toContain(`>${names[k]!}`)
    })
  })

  it('is drawn to the same bytes from the same data', () => {
    expect(all()).toEqual(charts)
  })

  it('gives exact values on hover in the file, and leaves them out for phones', () => {
    for (const { svg, narrow } of charts) {
      expect([...svg.matchAll(/<title>/g)].length).toBeGreaterThan(4)
      expect(narrow).not.toContain('<title>')
    }
  })

  it('has a table as wide as its columns, and colours that the file defines', () => {
    for (const { table, svg } of charts) {
      expect(table.rows.length).toBeGreaterThan(0)
      for (const row of table.rows) expect(row).toHaveLength(table.columns.length)
      for (const [, name] of svg.matchAll(/var\((--[a-z-]+)\)/g)) expect(svg).toContain(`${name}:#`)
    }
  })

  it.each([
    ['one estimate', () => estimates({ estimates: [estimate('snips', 0.3, 0.01)], meanReward: 0.3 })],
    ['no value at all', () => estimates({ estimates: [missing('dm', 'x')], meanReward: 0 })],
    [
      'no interval',
      () => estimates({ estimates: [{ ...estimate('ips', 0, 0), interval: null, se: null }], meanReward: 0 }),
    ],
    [
      'endless intervals',
      () =>
        estimates({
          estimates: [{ ...estimate('ips', 1, 1), interval: [-Infinity, Infinity] }, estimate('dm', 1, 0.1)],
          meanReward: 1,
        }),
    ],
    ['weights of zero', () => weights({ weights: new Float64Array(9), diagnostics: unknown })],
    ['equal weights', () => weights({ weights: new Float64Array(9).fill(1), diagnostics: unknown })],
    ['one weight', () => weights({ weights: Float64Array.of(3), diagnostics: unknown })],
    [
      'weights of all sizes',
      () => weights({ weights: Float64Array.of(1e-300, 1e-9, 1, 1e12), diagnostics: unknown }),
    ],
    ['one resample', () => bootstrap({ series: [{ name: 'IPS', values: Float64Array.of(0.3) }] })],
    [
      'resamples that do not vary',
      () =>
        bootstrap({
          series: [
            { name: 'DM', values: new Float64Array(50) },
            { name: 'IPS', values: new Float64Array(50) },
          ],
        }),
    ],
    ['many resamples', () => bootstrap({ series: [{ name: 'IPS', values: spread(0, 1, 5000) }], truth: 0 })],
    [
      'one λ',
      () => curve({ estimator: 'switch-dr', points: [{ lambda: 3, value: 0, interval: null }], chosen: 3 }),
    ],
    [
      'only λ of the ends',
      () =>
        curve({
          estimator: 'sub-gaussian-dr',
          points: [{ lambda: 0, value: 1, interval: [0, 2] }],
          chosen: 0,
        }),
    ],
    ['a λ chosen off the grid', () => curve({ estimator: 'dr-os', points, chosen: 7 })],
    ['an estimator it does not know', () => curve({ estimator: 'new', points, chosen: 10 })],
    ['one difference of nothing', () => differences(comparison([['a', 0, 0, 1]]))],
  ])('can be drawn with %s', (_, draw) => {
    const { svg, narrow, title, subtitle } = draw()
    for (const text of [svg, narrow, title, subtitle]) expect(text).not.toMatch(/NaN|Infinity|undefined|null/)
  })

  it('says which estimates and which logged mean are per page', () => {
    const page = { ...estimate('rips', 1.74, 0.05), unit: 'page' } as const
    const logged = { meanReward: 0.17, meanPageReward: 1.7 }
    expect(estimates({ estimates: [page], ...logged }).title).toContain('1.740 per page by RIPS')
    const { subtitle, svg } = estimates({ estimates: [estimate('snips', 0.18, 0.01), page], ...logged })
    expect(subtitle).toContain('per impression and per page')
    for (const words of ['SNIPS per impression', 'RIPS per page', 'per impression or per page'])
      expect(svg).toContain(words)
  })

  it('refuses to draw nothing, saying what to do', () => {
    expect(() => estimates({ estimates: [], meanReward: 0 })).toThrow(/nothing to draw/)
    expect(() => weights({ weights: new Float64Array(), diagnostics: unknown })).toThrow(/no weights/)
    expect(() => bootstrap({ series: [{ name: 'IPS', values: Float64Array.of(NaN) }] })).toThrow(
      /no resample/,
    )
    expect(() => curve({ estimator: 'dr-os', points: [], chosen: 1 })).toThrow(/no λ/)
    expect(() => differences(comparison([]))).toThrow(/no policy/)
  })

  it('refuses weights that are none', () => {
    for (const bad of [-1, NaN, Infinity])
      expect(() => weights({ weights: Float64Array.of(1, bad), diagnostics: unknown })).toThrow(/weight/)
  })

  it('escapes names, so that none can break out of the picture', () => {
    const name = '</title><script>"&'
    const { svg } = differences({ ...comparison([[name, 1, 1, 0.5]]), baseline: name })
    expect(svg).not.toContain('<script')
  })
})

describe('estimates', () => {
  const both = [estimate('ips', 0.33, 0.03), estimate('snips', 0.3121, 0.0071)]

  it('answer with SNIPS against the logged policy', () => {
    expect(estimates({ estimates: both, meanReward: 0.2889 }).title).toBe(
      'The target policy earns 0.312 per impression by SNIPS (95 % CI 0.305–0.319), 8 % more than the logging policy',
    )
    const close = { estimates: both, meanReward: 0.31 }
    expect(estimates(close).title).toMatch(/, where the logging policy earned 0.310$/)
    // The paired difference on the same rows may be detected all the same.
    expect(estimates({ ...close, sensitivity: { flipsAt: 1.06 } }).title).toMatch(
      /0.7 % more than the logging policy$/,
    )
    expect(estimates({ ...close, meanReward: 0.3, sensitivity: { flipsAt: 1 } }).title).toContain(
      'not detectably different',
    )
  })

  it('count the intervals that hold the truth, and name those that do not', () => {
    expect(estimates({ estimates: both, meanReward: 0.289, truth: 0.335 }).title).toBe(
      '1 of 2 intervals cover the true value of 0.335; SNIPS misses it',
    )
  })

  it('keep a row for an estimator without a value and write why', () => {
    const { svg, table } = estimates({
      estimates: [...both, missing('mips', 'no categories')],
      meanReward: 0.3,
    })
    expect(svg).toContain('no value: no categories')
    expect(table.rows.at(-1)).toEqual(['mips', null, null, null, null, null, 't', 'no categories'])
  })

  it('have the points of their values below one another', () => {
    const certain = [...both, estimate('dm', 0.3, 0.00002)]
    const { svg, narrow } = estimates({ estimates: certain, meanReward: 0.3 })
    expect(svg).toContain('>0.300000</text>')
    expect(svg).toContain('>0.312\u2007\u2007\u2007</text>')
    expect(narrow).not.toContain('\u2007')
  })

  it('name a line on its inner side where its name would stand above the numbers', () => {
    const { svg } = estimates({ estimates: [estimate('ips', 0.05, 0.01)], meanReward: 0.3, truth: 0.05 })
    const [, look] = /text-anchor="(\w+)"[^>]*><text[^>]*>logging policy 0.3/.exec(svg) ?? []
    expect(look).toBe('end')
  })

  it('cut an interval that would flatten the others, and say so', () => {
    const wide = [...both, estimate('dr', 0.31, 0.01), { ...estimate('clipped-ips', 0.3, 50) }]
    expect(estimates({ estimates: wide, meanReward: 0.3 }).subtitle).toContain(
      'Arrows: the interval of Clipped IPS extends beyond the plot.',
    )
  })

  it('names no line across another line, though both have room on the same side alone', () => {
    const { narrow } = estimates({
      estimates: [estimate('snips', 0.31, 0.13)],
      meanReward: 0.28,
      truth: 0.29,
    })
    const above = (words: string): number =>
      Number(new RegExp(`translate\\(6,(-\\d+)\\)"><text[^>]*>${words}`).exec(narrow)![1])
    expect(above('logging policy')).toBeLessThan(above('truth'))
  })
})

describe('weights', () => {
  it('say who carries the weight and count the zeros', () => {
    const { title, subtitle, table } = weights(someWeights)
    expect(title).toBe(
      'The heaviest 1 % of rows carry 7.1 % of the weight; 400 rows are worth 81 equally weighted ones',
    )
    expect(subtitle).toContain('100 rows of weight 0 (25 %)')
    const column = (k: number) => table.rows.reduce((sum, row) => sum + Number(row[k]), 0)
    expect(column(2)).toBe(400)
    expect(column(3)).toBeCloseTo(1, 4)
    expect(column(4)).toBeCloseTo(1, 4)
  })
})

describe('bootstrap distributions', () => {
  const series = (name: string, width: number) => ({ name, values: spread(0.3, width) })

  it('say which varies less and by how much', () => {
    const { title, table } = bootstrap({ series: [series('IPS', 0.02), series('SNIPS', 0.01)] })
    expect(title).toBe('SNIPS varies less than IPS: its variance is 75 % lower')
    expect(Number(table.rows[1]![3]) / Number(table.rows[0]![3])).toBeCloseTo(0.25, 4)
  })

  it('do not make much of a difference that resampling alone could give', () => {
    const values = Float64Array.from(spread(0.3, 0.011), (_, k) => spread(0.3, 0.011)[(k * 7) % 50]!)
    const { title } = bootstrap({ series: [{ name: 'IPS', values }, series('SNIPS', 0.01)] })
    expect(title).toMatch(/^The variance of SNIPS is 17 % lower than that of IPS, which may be chance$/)
  })

  it('leave out resamples without a value and count them', () => {
    const values = Float64Array.of(0.1, 0.2, NaN, 0.3)
    expect(bootstrap({ series: [{ name: 'SNIPS', values }] }).subtitle).toContain(
      'SNIPS has no value in 1 more.',
    )
  })

  it('have densities that integrate to one', () => {
    const values = spread(0, 1)
    const { bandwidth, variance } = spreadOf(values)
    expect(bandwidth).toBeLessThanOrEqual(0.9 * Math.sqrt(variance) * 50 ** -0.2)
    const steps = Array.from({ length: 4001 }, (_, k) => (k - 2000) / 100)
    const total = kernelDensity(values, bandwidth, steps).reduce((sum, height) => sum + height / 100, 0)
    expect(total).toBeCloseTo(1, 6)
  })
})

describe('the curve over λ', () => {
  it('writes a single λ once below the axis', () => {
    const alone = [21, Infinity].map((lambda) => ({ lambda, value: 0.1, interval: null }))
    const { svg } = curve({ estimator: 'clipped-ips', points: alone, chosen: Infinity })
    expect(svg.match(/>21<\/text>/g)).toHaveLength(1)
  })

  it('compares the interval at the chosen λ with the unbiased end', () => {
    expect(curve({ estimator: 'clipped-ips', points, chosen: 10 }).title).toBe(
      'At λ = 10, Clipped IPS gives 0.290 (95 % CI 0.264–0.316), an interval 38 % narrower than at λ = ∞',
    )
  })

  it.each([
    ['clipped-ips', 'zero as λ → 0', 'IPS as λ → ∞'],
    ['switch-dr', 'DM as λ → 0', 'DR as λ → ∞'],
    ['sub-gaussian-ips', 'IPS as λ → 0', 'logged mean as λ → 1'],
  ])('says what %s becomes at its ends', (estimator, small, large) => {
    const { svg } = curve({ estimator, points, chosen: 10 })
    expect(svg).toContain(`>${small}<`)
    expect(svg).toContain(`>${large}<`)
  })
})

describe('differences', () => {
  it('say their interval on a phone before they say the lift', () => {
    const { narrow } = differences(comparison([['popularity@0.25', -0.009, 0.035, 0.5]]))
    expect(narrow).toContain('>−0.009 (−0.044 to 0.026)<')
  })

  it('write an interval below its value on a phone where the name leaves no room beside it', () => {
    const { narrow } = differences(comparison([['scores:a-long-name-of-a-file', -0.003, 0.015, 0.5]]))
    expect(narrow).toContain('>(−0.018 to 0.012)<')
  })

  it('name the best of those that are better, and count the rest', () => {
    const { title } = differences(
      comparison([
        ['a', 0.02, 0.01, 0.001],
        ['b', 0.03, 0.01, 0.001],
        ['c', -0.02, 0.01, 0.001],
        ['d', 0.05, 0.01, 0.001, 'refuse'],
      ]),
    )
    expect(title).toBe(
      'b earns 0.030 (12.0 %) more per impression than logging (95 % CI of the difference 0.020–0.040); 2 of 4 policies are better, 1 worse, no answer for 1',
    )
  })

  it('settle nothing where corrected p-values are large', () => {
    expect(differences(comparison([['a', 0.02, 0.03, 0.2]])).title).toBe(
      'a does not differ detectably from logging',
    )
  })
})

describe('the scale of intervals', () => {
  it('holds all of them, or only the usual ones where a few are very long', () => {
    const usual = [0.2, 0.21, 0.22].map((value) => [value - 0.01, value + 0.01] as const)
    expect(intervalScale({ points: [0.2, 0.22], intervals: usual })).toEqual([0.19, 0.23])
    const [low, high] = intervalScale({ points: [0.2, 0.22], intervals: [...usual, [-5, 5]] })
    expect(low).toBeCloseTo(0.17)
    expect(high).toBeCloseTo(0.25)
  })
})

describe('values by day', () => {
  const days = [0.2, 0.25, 0.22, 0.21].map((value, k) => ({
    day: 20_000 + k,
    rows: 100,
    value,
    valueSe: 0.02,
    meanReward: value,
    meanWeight: 1,
    meanWeightSe: 0.1,
  }))
  const drawingIn = ({ svg }: Chart): string => svg.slice(svg.indexOf('<g'))

  it('do not fall at the end because the log ends after the first row of a day', () => {
    const whole = byDayFigure({ days }, { document })
    const cut = [
      ...days,
      { ...days[0]!, day: 20_004, rows: 1, value: 0, valueSe: null, meanWeight: 30, meanWeightSe: null },
    ]
    const chart = byDayFigure({ days: cut }, { document })
    expect(chart.title).toBe(whole.title)
    expect(drawingIn(chart)).toBe(drawingIn(whole))
    expect(chart.table.rows).toHaveLength(5)
    expect(chart.caption).toContain('Not drawn: 1 day with too few rows')
    expect(whole.caption).not.toContain('Not drawn')
  })
})
