import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleEpochs, exampleRanked, exampleTraining, exampleWeights } from '../figures/example-training.js'
import { trainingWeights } from '../figures/index.js'
import type { Training } from '../train/training.js'
import { createDocument } from './dom.js'
import { writeTrainingReport } from './training-report.js'
import type { TrainingReport } from './training-report.js'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-training-report-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function pageOf(training: Training, more: Partial<TrainingReport> = {}): Promise<string> {
  const path = join(folder, 'report.html')
  await writeTrainingReport(path, { title: 'toy.csv', training, ...more })
  return readFile(path, 'utf8')
}
const figures = (html: string): string[] =>
  Array.from(html.matchAll(/<figure id="([^"]+)"/g), ([, name]) => name!)

describe('the report of a training', () => {
  it('answers first, then shows facts, figures, metrics, notes and settings', async () => {
    const html = await pageOf(exampleTraining())
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

  it('has every metric of every model with its interval', async () => {
    const html = await pageOf(exampleTraining())
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
    for (const head of heads) expect(table).toContain(`<td>${head}</td>`)
    for (const model of ['LightGCN', 'Popularity', 'Item kNN', 'EASE'])
      expect(table).toContain(`>${model}</th>`)
    expect(table).toContain('0.243 (0.235–0.252)')
  })

  it('says the warnings about the weights among the notes', async () => {
    const html = await pageOf(exampleTraining())
    const notes = html.slice(html.indexOf('<h2>Notes</h2>'))
    expect(notes).toContain('carry 7.1\u00a0% of the weight; before the regulariser')
    expect(notes).toContain('12 users have no click in the training part')
  })

  it('shows the weighted metrics where there are propensities', async () => {
    expect(await pageOf(exampleTraining())).not.toContain('Weighted by 1/propensity')
    const [trained] = exampleRanked
    const weighted = { ...trained!, test: { ...trained!.test!, ips: trained!.test! } }
    const html = await pageOf(exampleTraining({ ranked: [weighted] }))
    expect(html).toContain('<h2>Weighted by 1/propensity</h2>')
  })

  it('leaves out what was not measured', async () => {
    const html = await pageOf(
      exampleTraining({
        epochs: exampleEpochs(3, { snips: false }).map((epoch) => ({ ...epoch, ndcg: null, recall: null })),
        best: { epoch: 3, measure: 'ndcg', value: null },
        weights: { ...exampleWeights, min: 1, max: 1, warnings: [] },
        ranked: [{ model: 'mf', validation: null, test: null }],
        notes: [],
      }),
    )
    expect(figures(html)).toEqual(['learning-curves'])
    expect(html).toContain('There are no held-out clicks to say how well MF ranks.')
    expect(html).toContain('all events have the same weight')
    expect(html).not.toContain('<h2>Notes</h2>')
    expect(html).not.toMatch(/NaN|undefined|Infinity/)
  })

  it('ends with the calibration of estimated propensities where it is given', async () => {
    const calibration = {
      ...trainingWeights(exampleWeights, { document: createDocument() }),
      name: 'calibration',
    }
    expect(figures(await pageOf(exampleTraining(), { calibration })).at(-1)).toBe('calibration')
  })
})
