import { describe, expect, it } from 'vitest'
import { createDocument } from '../node/dom.js'
import { exampleLogPage } from './example-pages.js'
import { logCharts, logPage } from './log-page.js'

const options = { document: createDocument(), generatedBy: 'hindcast 0.1.0' }
const figures = (html: string): string[] =>
  Array.from(html.matchAll(/<figure id="([^"]+)"/g), ([, name]) => name!)

describe('logPage', () => {
  it('answers first, then shows facts, the three figures of the paper and settings', () => {
    const html = logPage(exampleLogPage(), options)
    const places = [
      '<h1>tastes.csv</h1>',
      'class="answer"',
      'Impressions</dt><dd>2,400',
      'id="click-rate-per-item"',
      'id="exposure-per-item"',
      'id="interactions-per-user"',
      'class="settings"',
      'Made by hindcast 0.1.0',
    ].map((part) => html.indexOf(part))
    expect(places).not.toContain(-1)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(html).not.toContain('Calibration')
  })

  it('says how far estimated propensities are right, and draws it', () => {
    const html = logPage(exampleLogPage({ estimated: true }), options)
    expect(html).toMatch(/Calibration<[\s\S]*?off by [\d.]+\u00a0%/)
    expect(figures(html).at(-1)).toBe('propensity-calibration')
  })

  it('counts what was never shown only where the catalogue is known', () => {
    const { description, ...page } = exampleLogPage()
    const neverOf = (neverShown: number | null): string =>
      logPage(
        { ...page, description: { ...description, exposure: { ...description.exposure, neverShown } } },
        options,
      )
    expect(neverOf(7)).toContain('7 of 40 never')
    expect(neverOf(null)).not.toContain('never</small>')
  })
})

describe('logCharts', () => {
  it('are the figures of the page, in its order', () => {
    const page = exampleLogPage({ estimated: true })
    expect(logCharts(page, options).map(({ name }) => name)).toEqual(figures(logPage(page, options)))
  })
})
