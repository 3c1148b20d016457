import { describe, expect, it } from 'vitest'
import { createDocument } from '../node/dom.js'
import { evaluationCharts, evaluationPage } from './evaluation-page.js'
import { exampleEvaluationPage } from './example-pages.js'
import { exampleVerdict } from '../verdict/example-verdict.js'

const options = { document: createDocument(), generatedBy: 'hindcast 0.1.0' }
const page = await exampleEvaluationPage()
const figures = (html: string): string[] =>
  Array.from(html.matchAll(/<figure id="([^"]+)"/g), ([, name]) => name!)

describe('evaluationPage', () => {
  it('has its temperature slider stand first where the target itself does', () => {
    const { estimates, diagnostics } = page.evaluation
    const { value, se, interval, verdict } = estimates[0]!
    const point = { value, se, interval, verdict, essRatio: diagnostics.essRatio }
    const points = [0.1, 0.5, 1, 2].map((temperature) => ({ ...point, temperature }))
    const temperatures = [{ target: 'popularity', estimator: 'snips', points }]
    const start = (target: string) => {
      const evaluation = { ...page.evaluation, target, temperatures }
      const chart = evaluationCharts({ ...page, evaluation }, options).find(
        ({ name }) => name === 'temperature-curves',
      )
      return chart!.dials!.map(({ stops, start }) => stops[start]!.at)
    }
    expect([
      start('popularity@softmax=0.1'),
      start('popularity@softmax=1'),
      start('popularity@softmax=2'),
    ]).toEqual([['0.1'], ['1'], ['2']])
    expect(start('popularity@rank')).toEqual(['0.5'])
  })

  it('answers, judges by five questions, then shows diagnostics, figures and settings', () => {
    const html = evaluationPage(page, options)
    const places = [
      '<h1>tastes.csv: uniform</h1>',
      'class="answer"',
      `class="badge ${page.evaluation.verdict.level}"`,
      'class="questions"',
      'day-to-day changes are not in the intervals',
      'class="facts"',
      'id="estimates"',
      'id="weights"',
      'id="bootstrap-distributions"',
      'class="settings"',
    ].map((part) => html.indexOf(part))
    expect(places).not.toContain(-1)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(html).toMatch(/<th scope="row">confidence<\/th><td>0\.95<\/td>/)
  })

  it('says how wrong propensities may be: after the note about days, or right below the answer where they were not logged', () => {
    const { evaluation } = page
    const claim = /If propensities are off|as long as no|even if propensities|does not survive/
    const sensitivity = { grid: evaluation.sensitivity!.grid, flipsAt: 1.2 }
    const place = (propensitySource: 'logged' | 'estimated'): boolean => {
      const html = evaluationPage(
        { ...page, evaluation: { ...evaluation, sensitivity, log: { ...evaluation.log, propensitySource } } },
        options,
      )
      const text = html.replaceAll(/<figure[\s\S]*?<\/figure>/g, '').replaceAll(/<[^>]+>/g, '')
      expect(html).toContain('id="sensitivity"')
      return text.search(claim) < text.indexOf('No times are read')
    }
    expect(place('logged')).toBe(false)
    expect(place('estimated')).toBe(true)
  })

  it('says unknown where a diagnostic is not known', () => {
    const { evaluation } = page
    const html = evaluationPage(
      { ...page, evaluation: { ...evaluation, diagnostics: { ...evaluation.diagnostics, paretoK: null } } },
      options,
    )
    expect(html).toMatch(/Pareto k(<\/abbr>)?<\/dt><dd>unknown/)
    expect(html).not.toMatch(/NaN|undefined/)
  })

  it('says which estimates have another verdict, and why', () => {
    const { evaluation } = page
    const estimates = evaluation.estimates.map((one) =>
      one.estimator === 'dm' ? { ...one, verdict: exampleVerdict('refuse', 'It is a guess.') } : one,
    )
    const html = evaluationPage({ ...page, evaluation: { ...evaluation, estimates } }, options)
    expect(html).toContain('<h2>Estimates with another verdict</h2>')
    expect(html).toMatch(/DM(<\/abbr>)?: ✘ refuse\.<\/strong> It is a guess\./)
    expect(html).toContain('<td class="verdict refuse"')
  })

  it.each(['trust', 'caution', 'refuse'] as const)('stamps every figure with the verdict: %s', (level) => {
    const { evaluation } = page
    const verdict = exampleVerdict(level, 'So it is.')
    const charts = evaluationCharts({ ...page, evaluation: { ...evaluation, verdict } }, options)
    for (const { name, svg, narrow, title } of charts) {
      expect(svg, name).toMatch(new RegExp(`class="stamp">.*${level}</text>`))
      expect(narrow, name).not.toContain('class="stamp"')
      if (level === 'refuse') expect(title, name).toMatch(/^No answer from this log: [^0-9]*$/)
    }
  })

  it('marks the truth where it is known', () => {
    const dashed = 'Dashed: the true value.'
    expect(evaluationPage(page, options)).not.toContain(dashed)
    expect(evaluationPage({ ...page, truth: 0.4321 }, options)).toContain(dashed)
  })
})

describe('evaluationCharts', () => {
  it('are the figures of the page, in its order', () => {
    expect(evaluationCharts(page, options).map(({ name }) => name)).toEqual(
      figures(evaluationPage(page, options)),
    )
  })

  it('leave out bootstrap distributions that have no number', () => {
    const { evidence } = page
    const distributions = evidence.distributions.map((one) => ({ ...one, values: one.values.map(() => NaN) }))
    const names = evaluationCharts({ ...page, evidence: { ...evidence, distributions } }, options).map(
      ({ name }) => name,
    )
    expect(names).not.toContain('bootstrap-distributions')
    expect(names).toContain('weights')
  })
})
