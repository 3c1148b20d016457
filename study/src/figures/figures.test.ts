import { describe, expect, it } from 'vitest'
import {
  biasSweep,
  type BiasSweepInput,
  bootstrapDistributions,
  type Chart,
  type SeedMean,
} from 'hindcast/figures'
import { createDocument } from 'hindcast/node'
import { exampleStudy } from '../example-study.js'
import { estimatorErrors, type EstimatorErrorsInput } from './estimator-errors.js'
import { methodComparison, type MethodComparisonInput } from './method-comparison.js'
import { methodCurves, type MethodCurvesInput } from './method-curves.js'
import { misspecification, type MisspecificationInput } from './misspecification.js'
import { regulariserSweep, type RegulariserSweepInput } from './regulariser-sweep.js'
import { targetEss, type TargetEssInput } from './target-ess.js'

const document = createDocument()
const options = { document }
const study = exampleStudy()
const seeds = study.seeds.length
const world = 'Made up'

/** A mean with an interval of so much either way. */
const mean = (value: number, half = 0.001): SeedMean => ({
  mean: value,
  interval: [value - half, value + half],
})
const none: SeedMean = { mean: null, interval: null }

const sweepOf = (
  targets: readonly (readonly [label: string, snips: readonly number[], half?: number])[],
): BiasSweepInput => ({
  world,
  seeds,
  targets: targets.map(([label, snips, half]) => ({
    label,
    points: [0.5, 1, 2].map((temperature, k) => ({
      temperature,
      snips: mean(snips[k]!, half),
      truth: mean(snips[k]!),
      essRatio: mean(temperature / 4),
      covered: 3,
    })),
  })),
})
const curvesOf = (
  ends: readonly (readonly [label: string, snips: number, truth: number])[],
): MethodCurvesInput => ({
  temperature: 1,
  alpha: 0.1,
  seeds,
  world,
  methods: ends.map(([label, snips, truth]) => ({
    label,
    colour: 'logged',
    points: [1, 2].map((epoch) => ({
      epoch,
      snips: mean(snips * (epoch / 2), 0.02),
      truth: mean(truth * (epoch / 2)),
    })),
  })),
})
const errorsOf = (rmse: Readonly<Record<string, number | null>>): EstimatorErrorsInput => ({
  seeds,
  world,
  rows: ['BPR', 'EASE'].map((method) => ({
    method,
    temperature: 1,
    estimators: Object.entries(rmse).map(([estimator, size]) => ({
      estimator,
      error: size === null ? none : mean(size / 2),
      rmse: size,
      variance: size,
      coverage: 1,
    })),
  })),
})
const comparisonOf = (
  methods: Readonly<Record<string, readonly (readonly [truth: number, ndcg: number])[]>>,
): MethodComparisonInput => ({
  k: 10,
  seeds,
  world,
  methods: Object.entries(methods).map(([label, points]) => ({
    label,
    colour: 'ink',
    isBaseline: label === 'EASE',
    points: points.map(([truth, ndcg], k) => ({
      temperature: 2 ** k,
      truth: mean(truth),
      uniformNdcg: mean(ndcg),
      biasedNdcg: mean(ndcg),
    })),
  })),
})
const strengthsOf = (truths: readonly number[], half = 0.001): RegulariserSweepInput => ({
  temperature: 1,
  k: 10,
  seeds,
  world,
  points: [0, 0.1, null].map((alpha, k) => ({
    alpha,
    trainingEssRatio: mean(0.5),
    truth: mean(truths[k]!, half),
    snips: mean(truths[k]!),
    ndcgBiased: mean(0.2),
    ndcgUniform: mean(0.1 + k / 100),
  })),
})
const wrongBy = (
  errors: Readonly<Record<string, readonly [number, number, number]>>,
): MisspecificationInput => ({
  temperature: 1,
  seeds,
  world,
  targets: [
    {
      label: 'uniform',
      points: [0.5, 1, 1.5].map((gamma, k) => ({
        gamma,
        estimators: Object.entries(errors).map(([estimator, by]) => ({
          estimator,
          error: mean(by[k]!),
          rmse: Math.abs(by[k]!),
        })),
        meanWeight: mean(gamma),
      })),
    },
  ],
})
const targetsOf = (
  rows: readonly (readonly [
    label: string,
    share: number | null,
    trust: number,
    caution: number,
    refuse: number,
  ])[],
): TargetEssInput => ({
  temperature: 1,
  seeds,
  world,
  rows: rows.map(([label, share, trust, caution, refuse]) => ({
    label,
    essRatio: share === null ? none : mean(share, share / 10),
    ess: share === null ? none : mean(share * 1000),
    truth: mean(0.3),
    snips: share === null ? none : mean(0.3, 0.02),
    verdicts: { trust, caution, refuse },
    reason: 'A reason.',
  })),
})

const all = (): Chart[] => [
  biasSweep({ world, targets: study.bias[0]!.targets, seeds }, options),
  methodCurves(
    {
      ...study.curves[0]!,
      methods: study.curves[0]!.curves.map(({ method, points }) => ({
        label: method,
        colour: 'ips-bpr',
        points,
      })),
      seeds,
      world,
    },
    options,
  ),
  estimatorErrors({ rows: study.methods!.summaries, seeds, world }, options),
  methodComparison(
    comparisonOf({
      BPR: [
        [0.3, 0.1],
        [0.4, 0.1],
      ],
      EASE: [
        [0.2, 0.2],
        [0.3, 0.2],
      ],
    }),
    options,
  ),
  regulariserSweep({ ...study.regulariser!, k: 10, seeds, world }, options),
  misspecification({ ...study.misspecification!, seeds, world }, options),
  targetEss({ ...study.targets!, seeds, world }, options),
]
const wordsOf = (svg: string): string => svg.replace(/<title>.*?<\/title>/gs, '').replace(/<[^>]+>/g, '\n')

describe('every figure of a study', () => {
  const charts = all()

  it('is a complete SVG file with its words drawn in it, and the same bytes each time', () => {
    for (const { svg, title } of charts) {
      expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" [^>]*role="img"/)
      expect(svg.replace(/<[^>]+>/g, ' ').replace(/ +/g, ' ')).toContain(title)
    }
    expect(all().map(({ svg }) => svg)).toEqual(charts.map(({ svg }) => svg))
  })

  it('names its axes with their units, on a phone too', () => {
    const names = [
      ['(log scale)', 'eward per impression', 'ESS/n', 'stronger bias'],
      ['Epoch', 'SNIPS', 'True value'],
      ['Bias', 'RMSE', 'Temperature 0.5'],
      ['True value', 'NDCG@10', '(log scale)'],
      ['Strength α of the regulariser (log scale)', '∞', 'NDCG@10 on held-out clicks'],
      ['Exponent γ of the propensities', 'Bias', 'right propensities'],
      ['ESS/n (log scale)', '✔ trust', '▲ caution', '✘ refuse'],
    ]
    for (const [k, { svg, narrow }] of charts.entries())
      for (const name of names[k]!) for (const drawn of [svg, narrow]) expect(wordsOf(drawn)).toContain(name)
  })

  it('labels every tick of a logarithmic axis', () => {
    const words = wordsOf(charts[0]!.narrow).split('\n')
    for (const tick of ['0.2', '0.5', '1', '2', '5']) expect(words).toContain(tick)
    expect(wordsOf(charts[4]!.narrow).split('\n')).toContain('0')
  })

  it('says how many seeds it rests on', () => {
    for (const { subtitle } of charts) expect(subtitle).toContain('means over 3 seeds with 95 % intervals as')
    expect(biasSweep({ ...sweepOf([['a', [1, 2, 3]]]), seeds: 1 }, options).subtitle).toContain(
      'one seed, so no intervals',
    )
  })

  it('gives values on hover in the file, and leaves them out for phones', () => {
    for (const { svg, narrow } of charts) {
      expect([...svg.matchAll(/<title>/g)].length).toBeGreaterThan(1)
      expect(narrow).not.toContain('<title>')
    }
    expect(charts[0]!.svg).toMatch(/<title>temperature 0\.5\n[^<]*SNIPS[^<]*learned[^<]*\(0\.\d+–0\.\d+\)/)
  })

  it('draws no coordinate that is not a number, and has a table as wide as its columns', () => {
    for (const { svg, narrow, table } of charts) {
      for (const drawn of [svg, narrow]) expect(drawn.match(/NaN|Infinity|undefined/)).toBeNull()
      expect(table.rows.length).toBeGreaterThan(0)
      for (const row of table.rows) expect(row).toHaveLength(table.columns.length)
    }
  })

  it.each([
    ['bias sweep', () => biasSweep({ world, targets: [], seeds }, options)],
    ['method curves', () => methodCurves(curvesOf([]), options)],
    ['estimator errors', () => estimatorErrors(errorsOf({ ips: null }), options)],
    ['method comparison', () => methodComparison(comparisonOf({}), options)],
    ['regulariser sweep', () => regulariserSweep({ ...strengthsOf([]), points: [] }, options)],
    ['misspecification', () => misspecification({ ...wrongBy({}), targets: [] }, options)],
    ['target choices', () => targetEss(targetsOf([]), options)],
  ])('has nothing to draw without data: %s', (_, draw) => expect(draw).toThrow('There is nothing to draw'))
})

describe('the exposure bias', () => {
  const titleOf = (...targets: Parameters<typeof sweepOf>[0][number][]) =>
    biasSweep(sweepOf(targets), options).title

  it('says where SNIPS and the effective sample are largest', () => {
    expect(titleOf(['a', [0.1, 0.3, 0.2]])).toBe(
      'SNIPS is highest at temperature 1; the effective sample is largest at temperature 2',
    )
    expect(titleOf(['a', [0.1, 0.3, 0.2]], ['b', [0.1, 0.3, 0.2]])).toContain(
      'SNIPS is highest at temperature 1 for all;',
    )
    expect(titleOf(['a', [1, 3, 2]], ['b', [1, 3, 2]], ['c', [1, 2, 3]])).toContain(
      'at temperature 1 for all but c (2);',
    )
  })

  it('claims no peak where the intervals of highest and lowest overlap', () => {
    expect(titleOf(['a', [0.1, 0.3, 0.2], 0.2])).toContain('SNIPS is highest at no clear point;')
    expect(titleOf(['a', [0.1, 0.3, 0.2], 0.2], ['b', [0.1, 0.3, 0.2]])).toContain(
      'SNIPS is highest at temperature 1 for b, at no clear point for a;',
    )
  })

  it('has a row for each target and temperature', () => {
    const { rows } = biasSweep(sweepOf([['a', [0.1, 0.3, 0.2]]]), options).table
    expect(rows[1]).toEqual(['a', 1, 0.3, 0.299, 0.301, 0.3, 0.25, 3, 3])
  })
})

describe('the methods epoch by epoch', () => {
  const titleOf = (...ends: Parameters<typeof curvesOf>[0][number][]) =>
    methodCurves(curvesOf(ends), options).title

  it('name who is ahead at the end, by SNIPS and in truth', () => {
    expect(titleOf(['A', 0.2, 0.2], ['B', 0.4, 0.3])).toBe(
      'After 2 epochs, B is ahead by SNIPS (0.400) and by true value (0.3000)',
    )
    expect(titleOf(['A', 0.4, 0.2], ['B', 0.2, 0.3])).toBe(
      'After 2 epochs, A is ahead by SNIPS (0.400), B by true value (0.3000)',
    )
  })

  it('say where a lead lies within the intervals', () => {
    expect(titleOf(['A', 0.4, 0.3], ['B', 0.39, 0.3])).toBe(
      'After 2 epochs, the methods do not differ detectably: A leads by SNIPS (0.400) and by true value (0.3000)',
    )
    expect(titleOf(['A', 0.4, 0.2], ['B', 0.39, 0.3])).toContain(
      'A is ahead by SNIPS (0.400) with overlapping intervals, B',
    )
  })
})

describe('the errors of estimators', () => {
  it('name the nearest and the farthest, and leave out cells without a value', () => {
    const { title, table } = estimatorErrors(errorsOf({ dm: 0.03, snips: 0.01, ips: null }), options)
    expect(title).toBe('SNIPS is closest to the truth in 2 of 2 cases, DM farthest from it in 2')
    expect(table.rows[2]).toEqual([1, 'BPR', 'IPS', null, null, null, null, null, 1])
  })
})

describe('the comparison of methods', () => {
  it('names the winners by temperature', () => {
    expect(
      methodComparison(
        comparisonOf({
          A: [
            [0.4, 0.1],
            [0.2, 0.1],
          ],
          EASE: [
            [0.3, 0.2],
            [0.3, 0.2],
          ],
        }),
        options,
      ).title,
    ).toBe(
      'By true value, A is best at temperature 1, EASE at 2; by NDCG under uniform exposure, EASE is best at every temperature',
    )
  })

  it('says one thing once, and what is not clear', () => {
    expect(
      methodComparison(
        comparisonOf({
          A: [
            [0.4, 0.3],
            [0.4, 0.3],
          ],
          B: [
            [0.3, 0.2],
            [0.4, 0.3],
          ],
        }),
        options,
      ).title,
    ).toBe(
      'By true value and by NDCG under uniform exposure, A is best at every temperature, though not always clearly',
    )
  })
})

describe('the strength of the regulariser', () => {
  it('is best where the true value is', () => {
    expect(regulariserSweep(strengthsOf([0.3, 0.4, 0.2]), options).title).toBe(
      'The true value is highest at α\u00a0=\u00a00.1; NDCG@10 under uniform exposure at α\u00a0=\u00a0∞',
    )
    expect(regulariserSweep(strengthsOf([0.3, 0.4, 0.2], 0.2), options).title).toContain(' (no clear peak);')
  })

  it('has ∞ in its table', () =>
    expect(
      regulariserSweep(strengthsOf([0.3, 0.4, 0.2]), options).table.rows.map(([alpha]) => alpha),
    ).toEqual([0, 0.1, '∞']))
})

describe('wrong propensities', () => {
  it('leave alone what does not use them', () =>
    expect(misspecification(wrongBy({ dm: [-0.03, -0.03, -0.03], ips: [-0.1, 0, 0.2] }), options).title).toBe(
      'Wrong propensities move IPS by up to 0.2 clicks per impression, and do not move DM',
    ))

  it('are told by how far they move each estimate from where right ones put it', () =>
    expect(
      misspecification(wrongBy({ dm: [-0.03, -0.03, -0.031], ips: [-0.1, 0.01, 0.2] }), options).title,
    ).toBe('Wrong propensities move IPS by up to 0.19 and DM by 0.001 clicks per impression'))
})

describe('the choice of a target', () => {
  it('counts verdicts and says how far effective shares go', () => {
    expect(
      targetEss(
        targetsOf([
          ['a', 0.5, 3, 0, 0],
          ['b', 0.1, 1, 2, 0],
          ['c', 0.001, 0, 0, 3],
        ]),
        options,
      ).title,
    ).toBe(
      'Of 3 target policies, Hindcast trusts 1, warns about 1 and refuses 1; the effective share ranges from 0.10 % to 50 %',
    )
  })

  it('takes the graver verdict of a tie, writes how many seeds agree, and sorts by the share', () => {
    const { table, svg } = targetEss(
      targetsOf([
        ['a', null, 1, 1, 0],
        ['b', 0.1, 2, 1, 0],
      ]),
      options,
    )
    expect(table.rows.map((row) => row.slice(0, 3))).toEqual([
      ['b', '✔ trust', 100],
      ['a', '▲ caution', null],
    ])
    expect(wordsOf(svg)).toContain('✔ trust (2 of 3)')
  })
})

describe('distributions over independent logs', () => {
  const { logs, truth } = study.toy!.targets[0]!
  const chart = bootstrapDistributions(
    {
      series: [
        { name: 'ips', values: Float64Array.from(logs.ips) },
        { name: 'snips', values: Float64Array.from(logs.snips) },
      ],
      truth,
      over: 'logs',
      target: 'uniform',
    },
    options,
  )

  it('speak of logs, not of resamples', () => {
    expect(chart.name).toBe('log-distributions')
    expect(chart.subtitle).toContain(
      'Target policy: uniform. Distribution of each estimate over 200 independent logs',
    )
    expect(`${chart.title} ${chart.subtitle} ${wordsOf(chart.svg)}`).not.toContain('resample')
    expect(chart.table.columns[1]).toEqual({ name: 'logs', label: 'Logs', kind: 'count' })
  })

  it('find the variance that the study found', () =>
    expect(chart.table.rows.map((row) => row[3])).toEqual([
      Number(logs.ipsVariance.toPrecision(6)),
      Number(logs.snipsVariance.toPrecision(6)),
    ]))
})
