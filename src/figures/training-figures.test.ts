import { describe, expect, it } from 'vitest'
import { createDocument } from '../node/dom.js'
import type { Certificate } from '../train/certificate.js'
import type { RankedModel } from '../train/training.js'
import type { Chart } from './chart.js'
import {
  exampleCertificate,
  exampleEpochs,
  exampleMetrics,
  exampleRanked,
  exampleTraining,
  exampleWeights,
} from './example-training.js'
import {
  certificateFigure,
  learningCurves,
  metricsByBucket,
  modelComparison,
  trainingWeights,
} from './index.js'
import type { LearningCurvesInput, RankedInput } from './index.js'
import { exampleVerdict } from '../verdict/example-verdict.js'

const document = createDocument()
const { settings } = exampleTraining()
const curves = (input: Partial<LearningCurvesInput>) =>
  learningCurves(
    {
      epochs: exampleEpochs(77),
      best: { epoch: 57, measure: 'ndcg', value: 0.2431 },
      k: 10,
      ...input,
    },
    { document },
  )
const weights = (more = {}) => trainingWeights({ ...exampleWeights, ...more }, { document })
const ranking = (more: Partial<RankedInput> = {}): RankedInput => ({
  ranked: exampleRanked,
  k: 10,
  part: 'test',
  settings,
  ...more,
})
const comparison = (more: Partial<RankedInput> = {}) => modelComparison(ranking(more), { document })
const buckets = (more: Partial<RankedInput> = {}) => metricsByBucket(ranking(more), { document })

const certificate = (more: Partial<Certificate> = {}) =>
  certificateFigure(exampleCertificate(more), { document })

const all = (): Chart[] => [curves({}), weights(), comparison(), buckets(), certificate()]
const wordsOf = (svg: string): string => svg.replace(/<title>.*?<\/title>/gs, '').replace(/<[^>]+>/g, '\n')

describe('every figure of a training', () => {
  const charts = all()

  it('is a complete SVG file with its words drawn in it, and the same bytes each time', () => {
    for (const { svg, title } of charts) {
      expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" [^>]*role="img"/)
      expect(svg.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')).toContain(title)
    }
    expect(all().map(({ svg }) => svg)).toEqual(charts.map(({ svg }) => svg))
  })

  it('names its axes, on a phone too', () => {
    const names = [
      ['Epoch', 'NDCG@10 and recall@10, validation clicks', 'Loss, mean of'],
      ['Weight relative to the mean (log scale)', 'Share of events, and of weight'],
      ['NDCG@10 on the test clicks'],
      ['Popularity', 'Recall@10', 'Share of all recommendations'],
      ['Mean reward per impression'],
    ]
    for (const [k, { svg, narrow }] of charts.entries())
      for (const name of names[k]!) for (const drawn of [svg, narrow]) expect(wordsOf(drawn)).toContain(name)
  })

  it('draws no coordinate that is not a number', () => {
    for (const { svg, narrow } of charts)
      for (const drawn of [svg, narrow]) expect(drawn).not.toMatch(/NaN|Infinity|undefined/)
  })

  it('has rows as long as the columns of its table', () => {
    for (const { table } of charts)
      for (const row of table.rows) expect(row).toHaveLength(table.columns.length)
  })
})

describe('a certificate', () => {
  const refused = {
    value: 0.9,
    atLeast: null,
    atMost: null,
    verdict: exampleVerdict('refuse', 'Too few clicks.'),
  } as const

  it('draws no value that the verdict refuses, and claims nothing of it', () => {
    const { svg, title, stamp } = certificate({ policy: refused, difference: refused, decision: 'keep' })
    expect(title).toMatch(/^No certificate/)
    expect(stamp).toBe('refuse')
    expect(wordsOf(svg)).toContain('Too few clicks.')
    expect(wordsOf(svg)).not.toContain('0.900')
  })
})

describe('learning curves', () => {
  it('say which epoch is best, and by what', () => {
    expect(curves({}).title).toBe('NDCG@10 is best after epoch 57, at 0.243')
    expect(curves({ best: { epoch: 60, measure: 'snips', value: 0.31 } }).title).toBe(
      'SNIPS is best after epoch 60, at 0.310',
    )
    expect(curves({ best: { epoch: 77, measure: 'ndcg', value: null } }).title).toBe(
      'The model of epoch 77 is kept; nothing was measured to choose the best one',
    )
  })

  it.each([1, 2, 5, 50, 1000])(
    'are drawn for %d epochs, each in the table and the kept one marked',
    (count) => {
      const epochs = exampleEpochs(count)
      const best = { epoch: Math.max(1, Math.round(count * 0.74)), measure: 'ndcg', value: 0.243 }
      const { svg, narrow, table } = curves({ epochs, best })
      expect(table.rows).toHaveLength(count)
      expect(table.rows.filter((row) => row.at(-1) === 'kept').map(([epoch]) => epoch)).toEqual([best.epoch])
      for (const drawn of [svg, narrow]) {
        expect(drawn).not.toMatch(/NaN|Infinity/)
        expect(wordsOf(drawn)).toContain(`epoch ${best.epoch} kept`)
      }
      expect(svg.length).toBeLessThan(200_000)
    },
  )

  it('have a panel for SNIPS only where it was measured', () => {
    expect(wordsOf(curves({}).svg)).toContain('by SNIPS')
    const without = curves({
      epochs: exampleEpochs(20, { snips: false }),
      best: { epoch: 15, measure: 'ndcg', value: 0.2 },
    })
    expect(wordsOf(without.svg)).not.toContain('SNIPS')
  })

  it('join the epochs that were evaluated where some were not', () => {
    const { svg, table } = curves({
      epochs: exampleEpochs(20, { evaluateEvery: 5 }),
      best: { epoch: 15, measure: 'ndcg', value: 0.2 },
    })
    expect(svg).not.toMatch(/NaN/)
    expect(table.rows.filter((row) => row[2] !== null)).toHaveLength(4)
  })

  it('need an epoch', () => expect(() => curves({ epochs: [] })).toThrow('no epoch was trained'))
})

describe('training weights', () => {
  it('say who carries the weight, and what the regulariser did', () => {
    const { title, svg, table } = weights()
    expect(title).toBe(
      'The heaviest 1 % of events carry 7.1 % of the weight; 80,000 events are worth 33,120 equally weighted ones',
    )
    expect(wordsOf(svg)).toContain(
      'effective sample size 33,120 (41 % of events; 12 % before the regulariser)',
    )
    const column = (k: number) => table.rows.reduce((sum, row) => sum + Number(row[k]), 0)
    expect(column(2)).toBe(80_000)
    expect(column(4)).toBeCloseTo(1, 4)
  })

  it('say so where all are alike', () => {
    const alike = {
      ess: 80_000,
      essRatio: 1,
      rawEssRatio: 1,
      max: 1,
      min: 1,
      histogram: [[0.95, 1.06, 80_000, 1]],
    }
    const { title, subtitle } = weights(alike)
    expect(title).toBe('All 80,000 events have nearly the same weight')
    expect(subtitle).not.toContain('regulariser')
  })

  it('count events of weight zero in a bar of their own', () => {
    const { subtitle, table } = weights({ histogram: [[0, 0, 100, 0], ...exampleWeights.histogram] })
    expect(subtitle).toContain('100 events of weight 0 are ignored.')
    expect(table.rows[0]!.slice(0, 3)).toEqual([0, 0, 100])
  })
})

describe('the comparison of models', () => {
  it('names both values, and no winner, where nothing was compared user by user', () => {
    expect(comparison().title).toBe(
      'LightGCN reaches an NDCG@10 of 0.243 (95 % CI 0.235–0.252); the best baseline, EASE, reaches 0.218',
    )
    const strong: RankedModel = { ...exampleRanked[0]!, model: 'ease' }
    const weak: RankedModel = { ...exampleRanked[3]!, model: 'lightgcn' }
    expect(comparison({ ranked: [weak, strong] }).title).toBe(
      'LightGCN reaches an NDCG@10 of 0.218 (95 % CI 0.210–0.226); the best baseline, EASE, reaches 0.243',
    )
  })

  it('claims what the differences user by user support, against the closest rival', () => {
    const [trained, popularity, , ease] = exampleRanked as RankedModel[]
    const titleWith = (value: number): string => {
      const lead = { ndcg: { value, interval: [value - 0.01, value + 0.01] as const } }
      const far = { ndcg: { value: 0.2, interval: [0.19, 0.21] as const } }
      return comparison({ ranked: [trained!, { ...popularity!, lead: far }, { ...ease!, lead }] }).title
    }
    expect(titleWith(0.03)).toBe('LightGCN finds more than EASE: +0.030 NDCG@10 (95 % CI 0.020–0.040)')
    expect(titleWith(-0.03)).toBe('EASE finds more than LightGCN: +0.030 NDCG@10 (95 % CI 0.020–0.040)')
    expect(titleWith(0.004)).toBe(
      'LightGCN and EASE do not differ detectably: +0.004 NDCG@10 (95 % CI −0.006 to 0.014)',
    )
  })

  it('keeps the row of a model that was not measured', () => {
    const ranked = [...exampleRanked, { model: 'mf', validation: null, test: null }]
    expect(wordsOf(comparison({ ranked }).svg)).toContain('no value: not measured on the test clicks')
  })

  it('needs a model that was measured', () =>
    expect(() => comparison({ ranked: [{ model: 'mf', validation: null, test: null }] })).toThrow(
      'no model was measured on the test clicks',
    ))
})

describe('metrics by bucket', () => {
  it('speak about the tail', () =>
    expect(buckets().title).toBe(
      'LightGCN finds 9.2 % of the clicks on tail items in its first 10; the best baseline there, EASE, finds 5.2 %, with overlapping intervals',
    ))

  it('say that a baseline finds more there', () => {
    const strong = exampleMetrics(0.2, [0.2, 0.2, 0.2], [0.5, 0.3, 0.2])
    const ranked = [exampleRanked[0]!, { model: 'item-knn', validation: null, test: strong }]
    expect(buckets({ ranked }).title).toBe(
      'LightGCN finds 9.2 % of the clicks on tail items in its first 10; the baseline item kNN finds more, 20.0 %',
    )
  })

  it('have a row for every model in every bucket', () => {
    const { table } = buckets()
    expect(table.rows).toHaveLength(12)
    expect(table.rows.find((row) => row[0] === 'tail' && row[3] === 'ease')).toEqual([
      'tail',
      1262,
      412,
      'ease',
      0.052,
      0.031,
      0.073,
      0.04316,
      0.1,
    ])
  })

  it('need buckets', () => {
    const test = { ...exampleRanked[0]!.test!, buckets: [] }
    expect(() => buckets({ ranked: [{ model: 'mf', validation: null, test }] })).toThrow('by popularity')
  })
})

describe('what training stops on', () => {
  const epochs = exampleEpochs(20).map((record) => ({ ...record, stopping: record.ndcg! / 10 }))
  const best = { epoch: 15, measure: 'unbiased', value: 0.02 }

  it('is drawn in a panel of its own where it is none of the other curves, and in the table', () => {
    const { svg, table } = curves({ epochs, best })
    expect(wordsOf(svg)).toContain('Unbiased NDCG@10, which training stops on')
    const place = table.columns.findIndex(({ name }) => name === 'stopping')
    expect(table.rows[14]![place]).toBeCloseTo(epochs[14]!.stopping, 6)
  })

  it('is the lower bound of a policy’s value, from its record', () => {
    const bounded = epochs.map((record) => ({ ...record, snips: { ...record.snips!, atLeast: 0.1 } }))
    const { svg } = curves({ epochs: bounded, best: { ...best, measure: 'lower-bound' } })
    expect(wordsOf(svg)).toContain('Lower bound of the value, which training stops on')
  })

  it('has no second panel where it is NDCG', () => {
    const { svg, table } = curves({ epochs, best: { ...best, measure: 'ndcg' } })
    expect(wordsOf(svg)).not.toContain('which training stops on')
    expect(table.columns.map(({ name }) => name)).not.toContain('stopping')
  })
})

describe('a comparison under uniform exposure', () => {
  it('has the weighted metric, and says so in its words', () => {
    const corrected = exampleRanked.map((one, k) => {
      const ndcg = { value: 0.05 - k / 100, interval: [0.049 - k / 100, 0.051 - k / 100] as const }
      return { ...one, test: { ...one.test!, ips: { ...one.test!, ndcg } } }
    })
    const { name, title, table } = comparison({ ranked: corrected, isCorrected: true })
    expect(name).toBe('model-comparison-corrected')
    expect(title).toContain('NDCG@10 under uniform exposure of 0.0500')
    expect(table.rows.map((row) => row[1])).toEqual([0.05, 0.04, 0.03, 0.02])
  })
})
