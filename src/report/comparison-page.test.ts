import { describe, expect, it } from 'vitest'
import { createDocument } from '../node/dom.js'
import { comparisonCharts, comparisonPage } from './comparison-page.js'
import { exampleComparisonPage } from './example-pages.js'
import { exampleVerdict } from '../verdict/example-verdict.js'

const options = { document: createDocument(), generatedBy: 'hindcast 0.1.0' }
const page = await exampleComparisonPage()

describe('comparisonPage', () => {
  it('names the policies, answers, draws the differences and gives each policy its verdict', () => {
    const html = comparisonPage(page, options)
    const places = [
      '<h1>tastes.csv: logging, uniform</h1>',
      'class="answer"',
      '<figure id="differences"',
      '<h2>logging: the baseline</h2>',
      `<h2>uniform: ${page.comparison.decision.action}</h2>`,
      'class="settings"',
    ].map((part) => html.indexOf(part))
    expect(places).not.toContain(-1)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
  })

  it('begins with a badge for all policies together, and says which of them are to trust', () => {
    const [only] = page.comparison.differences
    const differences = [
      only!,
      { ...only!, target: 'a' },
      { ...only!, target: 'b', verdict: exampleVerdict('refuse', 'It is a guess.') },
    ]
    const html = comparisonPage({ ...page, comparison: { ...page.comparison, differences } }, options)
    expect(only!.verdict.level).toBe('trust')
    expect(html).toContain('<p class="badge caution">▲ caution</p>')
    expect(html).toContain('<li>✔ trust: uniform and a.</li>')
    expect(html).toContain('<li>✘ refuse: cannot tell: b. It is a guess.</li>')
  })

  it('gives no reason twice in the part about a policy', () => {
    const html = comparisonPage(page, options)
    const [, part] = /<h2>uniform: [\s\S]*?<\/h2>([\s\S]*?)<\/section>/.exec(html)!
    const said = page.comparison.evaluations[1]!.verdict.questions[1]!.text.slice(1)
    const text = part!.replaceAll(/<[^>]+>/g, '').replaceAll(/&[a-z]+;|\s/g, ' ')
    expect(text.split(said)).toHaveLength(2)
  })

  it('holds the chart that comparisonCharts draws', () => {
    const [chart] = comparisonCharts(page.comparison, options)
    // Parts of the drawing have no labels of their own on a page.
    const drawing = chart!.narrow.replaceAll(/(<g\b[^>]*?) aria-label="[^"]*"/g, '$1')
    expect(comparisonPage(page, options)).toContain(drawing)
  })
})
