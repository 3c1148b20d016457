import { describe, expect, it } from 'vitest'
import {
  exampleCertificate,
  exampleEpochs,
  exampleRanked,
  exampleTraining,
  exampleWeights,
} from '../figures/example-training.js'
import { createDocument } from '../node/dom.js'
import { estimatePropensity } from '../propensity/choice.js'
import { drawLog } from '../propensity/example-logs.js'
import type { Training } from '../train/training.js'
import { trainingCharts, trainingPage, type TrainingPage } from './training-page.js'

const document = createDocument()
const pageOf = (training: Training, more: Partial<TrainingPage> = {}): string =>
  trainingPage({ title: 'toy.csv', training, ...more }, { document, generatedBy: 'hindcast 0.1.0' })
const figures = (html: string): string[] =>
  Array.from(html.matchAll(/<figure id="([^"]+)"/g), ([, name]) => name!)

describe('trainingPage', () => {
  it('answers first, then shows facts, figures, metrics, notes and settings', () => {
    const html = pageOf(exampleTraining())
    const places = [
      'LightGCN finds 29.3\u00a0% of a user’s held-out clicks',
      'class="facts"',
      'id="learning-curves"',
      'id="training-weights"',
      'id="model-comparison"',
      'id="metrics-by-bucket"',
      'Ranking metrics on the test clicks',
      '<h2>Notes</h2>',
      'class="settings"',
    ].map((part) => html.indexOf(part))
    expect(places).not.toContain(-1)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
  })

  it('leads with the certificate of a learnt policy, in words and drawn', () => {
    const html = pageOf(exampleTraining({ certificate: exampleCertificate() }))
    expect(figures(html)[0]).toBe('certificate')
    const places = ['earns at least 0.412 per impression', 'LightGCN finds 29.3', 'id="certificate"'].map(
      (part) => html.indexOf(part),
    )
    expect(places).not.toContain(-1)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
  })

  it('has every metric of every model with its interval', () => {
    const html = pageOf(exampleTraining())
    const table = html.slice(html.indexOf('Ranking metrics on the test clicks'))
    const heads = [
      'NDCG@10',
      'Recall@10',
      'Precision@10',
      'MAP@10',
      'MRR@10',
      'Hit rate@10',
      'Coverage',
      'Gini',
    ]
    for (const head of heads) expect(table).toContain(`>${head}</td>`)
    for (const model of ['LightGCN', 'Popularity', 'Item kNN', 'EASE'])
      expect(table).toContain(`>${model}</th>`)
    expect(table).toContain('0.243 (<span class="range">0.235–0.252</span>)')
    const clicks = table
      .slice(table.indexOf('Clicks per recommended item'))
      .match(/<td class="number"[^>]*>[^<]*/g)!
    expect(clicks.slice(0, 4).every((cell) => />\d+\.\d$/.test(cell))).toBe(true)
  })

  it('says the warnings about the weights among the notes', () => {
    const html = pageOf(exampleTraining())
    const notes = html.slice(html.indexOf('<h2>Notes</h2>'))
    expect(notes).toContain('carry 7.1\u00a0% of the weight; before the regulariser')
    expect(notes).toContain('12 users have no click in the training part')
  })

  it('shows the weighted metrics where there are propensities', () => {
    expect(pageOf(exampleTraining())).not.toContain('Weighted by 1/propensity')
    const [trained] = exampleRanked
    const weighted = { ...trained!, test: { ...trained!.test!, ips: trained!.test! } }
    const html = pageOf(exampleTraining({ ranked: [weighted] }))
    expect(html).toContain('<h2>Weighted by 1/propensity</h2>')
  })

  it('leaves out what was not measured', () => {
    const html = pageOf(
      exampleTraining({
        epochs: exampleEpochs(3, { snips: false }).map((epoch) => ({ ...epoch, ndcg: null, recall: null })),
        best: { epoch: 3, measure: 'ndcg', value: null },
        weights: { ...exampleWeights, min: 1, max: 1, warnings: [] },
        ranked: [{ model: 'mf', validation: null, test: null }],
        notes: [],
      }),
    )
    expect(figures(html)).toEqual(['learning-curves'])
    expect(html).toContain('There are no held-out clicks to show how well MF ranks.')
    expect(html).toContain('all events have the same weight')
    expect(html).not.toContain('<h2>Notes</h2>')
    expect(html).not.toMatch(/NaN|undefined|Infinity/)
  })

  it('ends with the calibration of estimated propensities', () => {
    const { log } = drawLog({ users: 100, items: 20 })
    const { estimate: estimatedPropensity } = estimatePropensity(log, { kind: 'logistic' })
    const html = pageOf(exampleTraining(), { estimatedPropensity })
    expect(figures(html).at(-1)).toBe('propensity-calibration')
  })
})

describe('trainingCharts', () => {
  it('are the figures of the page, in its order', () => {
    const training = exampleTraining()
    const names = trainingCharts({ training }, { document }).map(({ name }) => name)
    expect(names).toEqual(figures(pageOf(training)))
  })

  it('give the model the colour of its run where it has one', () => {
    const drawn = trainingCharts({ training: exampleTraining(), colour: 'dm' }, { document })
    for (const name of ['model-comparison', 'metrics-by-bucket'])
      expect(drawn.find((chart) => chart.name === name)!.svg).toContain('fill:var(--hindcast-dm)')
  })
})
