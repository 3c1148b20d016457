import { describe, expect, it } from 'vitest'
import { compare } from '../estimate/compare.js'
import { evaluate } from '../estimate/evaluate.js'
import { drawnLog } from '../estimate/plan/example-world.js'
import { plan } from '../estimate/plan/plan.js'
import { evaluateBy } from '../estimate/segments/memory-segments.js'
import type { Target } from '../estimate/target.js'
import { segmentsFigure } from '../figures/segments.js'
import { stampedTable } from '../figures/table-cells.js'
import type { Log } from '../log/log.js'
import { createDocument } from '../node/dom.js'
import { softmaxPolicy } from '../policy/ruled-policy.js'
import { comparisonCharts, comparisonPage } from './comparison-page.js'
import { evaluationCharts, evaluationPage, shownEvidence } from './evaluation-page.js'
import { planCharts, planPage } from './plan-page.js'

const options = { document: createDocument(), generatedBy: 'hindcast' }
const named = { title: 'log.csv', settings: {} }

/** Some two hundred rows on eight days and two shelves, and targets that want an item that no row shows. */
const drawn = drawnLog({ users: 24, rowsPerUser: 8, days: 8, seed: 3 })
const log: Log = {
  ...drawn,
  itemIds: [...drawn.itemIds, 'never'],
  labels: { shelf: { ids: ['left', 'right'], index: Uint32Array.from(drawn.item, (_, row) => row % 2) } },
}
const sharp: Target = { kind: 'policy', policy: softmaxPolicy('sharp', [0, 0, 0, 9, 9], 0.5) }
const sharper: Target = { kind: 'policy', policy: softmaxPolicy('sharper', [0, 0, 0, 9, 9], 0.2) }

const evaluated = await evaluate(log, {
  target: sharp,
  estimators: ['snips', 'ips', 'clipped-ips'],
  withCurve: true,
})
const segments = await evaluateBy(log, { target: sharp, by: 'shelf', whole: evaluated.evaluation })
const evaluation = { ...evaluated.evaluation, segments }
const evidence = await shownEvidence(evaluated.evidence, evaluation.cluster)
const comparison = await compare(log, {
  targets: [{ target: { kind: 'logging' } }, { target: sharp }, { target: sharper }],
})
const planned = await plan(log, { target: sharp, detect: 0.05, width: 0.1 })

const charts = [
  ...evaluationCharts({ evaluation, evidence }, options),
  segmentsFigure({ ...segments, whole: evaluation.verdict }, options),
  ...comparisonCharts(comparison, options),
  ...planCharts(planned, options),
]
const pages = {
  evaluation: evaluationPage({ ...named, evaluation, evidence }, options),
  comparison: comparisonPage({ ...named, comparison }, options),
  plan: planPage({ ...named, plan: planned }, options),
}

describe('where the verdict is to refuse', () => {
  it('these are all figures of evaluations, comparisons, segments and plans', () => {
    expect(charts.map(({ name }) => name)).toEqual([
      'estimates',
      'sensitivity',
      'weights',
      'by-day',
      'bootstrap-distributions',
      'lambda-curve-clipped-ips',
      'segments',
      'differences',
      'power-curve',
      'exploration',
      'temperatures',
    ])
  })

  it.each(charts)('$name has no number for a title, and its files carry the stamp', (chart) => {
    expect(chart.title).toMatch(/^No answer from this log: [^0-9]+$/)
    expect(chart.stamp).toBe('refuse')
    expect(chart.svg).toMatch(/class="stamp">.*✘ refuse<\/text>/)
    for (const drawing of [chart.svg, chart.narrow])
      expect(drawing).toMatch(/aria-label="No answer from this log: [^"]*\. Verdict: refuse\. /)
    const { columns, rows } = stampedTable(chart)
    const verdict = columns.findIndex(({ name }) => name === 'verdict')
    expect(rows.length).toBeGreaterThan(0)
    for (const row of rows) expect(row[verdict]).toMatch(/^[✘▲✔] (refuse|caution|trust)$/)
    if (!chart.table.columns.some(({ name }) => name === 'verdict'))
      for (const row of rows) expect(row[verdict]).toBe('✘ refuse')
  })

  it.each(Object.entries(pages))('the page of the %s begins with it, and so do its figures', (_, html) => {
    const badge = html.indexOf('<p class="badge refuse">✘ refuse: cannot tell</p>')
    expect(badge).toBeGreaterThan(html.indexOf('class="answer"'))
    expect(badge).toBeLessThan(html.indexOf('<figure'))
    const figures = html.match(/<figure[\s\S]*?<\/figure>/g)!
    for (const figure of figures) {
      expect(figure).toMatch(/<h[23]>No answer from this log/)
      expect(figure).toContain('<p class="subtitle"><strong class="refuse">✘ refuse</strong> ')
      expect(figure).toMatch(/<script type="application\/json">.*"verdict"/)
    }
  })

  it('no interval around a tuned λ is offered, drawn or in a table', async () => {
    const tuned = evaluation.estimates.find(({ estimator }) => estimator === 'clipped-ips')!
    expect(tuned).toMatchObject({ interval: null, verdict: { level: 'refuse' } })
    const curve = charts.find(({ name }) => name.startsWith('lambda-curve'))!
    const lower = curve.table.columns.findIndex(({ name }) => name === 'lower')
    expect(curve.table.rows.map((row) => row[lower])).toEqual(curve.table.rows.map(() => null))
    const alone = await evaluate(log, { target: sharp, estimators: ['clipped-ips'], sensitivity: true })
    expect(alone.evaluation.sensitivity).not.toBeNull()
    const shown = { evaluation: alone.evaluation, evidence: await shownEvidence(alone.evidence) }
    expect(evaluationCharts(shown, options).map(({ name }) => name)).not.toContain('sensitivity')
    const targets = [{ target: { kind: 'logging' } as const }, { target: sharp }]
    const { differences } = await compare(log, { targets, estimator: 'clipped-ips' })
    expect(differences[0]).toMatchObject({ interval: null, simultaneous: null, verdict: { level: 'refuse' } })
    const { segments: parts } = await evaluateBy(log, {
      target: sharp,
      by: 'shelf',
      estimator: 'clipped-ips:3',
    })
    for (const part of parts)
      expect(part).toMatchObject({ interval: null, differenceInterval: null, verdict: { level: 'refuse' } })
  })
})
