import { describe, expect, it } from 'vitest'
import { createDocument } from '../node/dom.js'
import { comparisonCharts, comparisonPage } from './comparison-page.js'
import { exampleComparisonPage } from './example-pages.js'

const options = { document: createDocument(), generatedBy: 'hindcast 0.1.0' }
const page = await exampleComparisonPage()

describe('comparisonPage', () => {
  it('names the policies, answers, draws the differences and gives each policy its verdict', () => {
    const html = comparisonPage(page, options)
    const [logging, uniform] = page.comparison.evaluations
    const places = [
      '<h1>tastes.csv: logging, uniform</h1>',
      'class="answer"',
      '<figure id="differences"',
      `<h2>logging: ${logging!.verdict.level}</h2>`,
      `<h2>uniform: ${uniform!.verdict.level}</h2>`,
      'class="settings"',
    ].map((part) => html.indexOf(part))
    expect(places).not.toContain(-1)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
  })

  it('holds the chart that comparisonCharts draws', () => {
    const [chart] = comparisonCharts(page.comparison, options)
    expect(comparisonPage(page, options)).toContain(chart!.narrow)
  })
})
