import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { clickRatePerItem } from '../figures/click-rate-per-item.js'
import type { Tally } from '../describe/describe.js'
import { createDocument } from '../node/dom.js'
import { type Report, reportHtml } from './report.js'

const document = createDocument()
const chart = clickRatePerItem(
  tallyOf(
    Array.from({ length: 200 }, (_, k) => k + 1),
    Array.from({ length: 200 }, (_, k) => k % 3),
  ),
  { document },
)
const report: Report = {
  title: 'Log toy.csv',
  answer: 'The click rate is 28.6 % (95 % CI 27.4–29.9 %). **Trust**: propensities are logged.',
  facts: [
    { label: 'impressions', value: '5,000' },
    { label: 'click rate', value: '28.6 %', note: '27.4–29.9 %' },
  ],
  charts: [chart],
  settings: { seed: 7, columns: { user: 'uid' } },
  generatedBy: 'hindcast 0.1.0',
}
const hostile = `</script><img src=x onerror="alert('&')"><!--`

describe('reportHtml', () => {
  const html = reportHtml(report)

  it('needs nothing from the network', () => {
    const addresses = [...html.matchAll(/https?:\/\/[^"' )<]+/g)].map(([address]) => address)
    expect(new Set(addresses)).toEqual(new Set(['http://www.w3.org/2000/svg']))
    expect(html).not.toMatch(/<link|<img|<iframe|@import|url\(| src=/)
  })

  it('puts the answer first, then facts, figure and settings', () => {
    const places = [
      'class="answer"',
      'class="facts"',
      '<figure',
      'class="settings"',
      'Made by hindcast 0.1.0',
    ].map((part) => html.indexOf(part))
    expect(places).not.toContain(-1)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
  })

  it('is the same bytes for the same report', () => expect(reportHtml(report)).toBe(html))

  it('shows a figure with its words, a drawing for each width and its buttons', () => {
    expect(html).toContain(`<h2>${chart.title.replace(/(\d) %/g, '$1\u00a0%')}</h2>`)
    expect([...html.matchAll(/<svg [^>]*role="img" aria-label="[^"]{40,}"/g)]).toHaveLength(2)
    for (const kind of ['svg', 'png', 'csv']) expect(html).toContain(`data-save="${kind}"`)
  })

  it('shows the first 50 rows of a table, says so, and embeds all of them', () => {
    expect([...html.matchAll(/<tr><td>/g)]).toHaveLength(50)
    expect(html).toContain('The first 50 of 200 rows')
    const json = /<script type="application\/json">(.*?)<\/script>/s.exec(html)![1]!
    expect(JSON.parse(json)).toEqual({
      columns: chart.table.columns.map((column) => column.name),
      rows: chart.table.rows,
    })
  })

  it('explains a term of art once, where it first stands', () => {
    const hints = [...html.matchAll(/<abbr title="clicks divided by impressions">/g)]
    expect(hints).toHaveLength(1)
    expect(html.indexOf('<abbr title="clicks divided')).toBeGreaterThan(html.indexOf('class="answer"'))
    expect(html.indexOf('<abbr title="clicks divided')).toBeLessThan(html.indexOf('class="facts"'))
  })

  it('sets words between double stars in bold', () => expect(html).toContain('<strong>Trust</strong>'))

  it('escapes whatever comes from data', () => {
    const ids = [hostile, 'b']
    const page = reportHtml({
      title: hostile,
      answer: hostile,
      facts: [{ label: hostile, value: hostile, note: hostile }],
      charts: [clickRatePerItem(tallyOf([30, 5], [3, 1], ids), { document })],
      sections: [
        {
          heading: hostile,
          text: [hostile],
          table: { columns: [{ name: hostile, label: hostile }], rows: [[hostile]] },
        },
      ],
      settings: { [hostile]: hostile, nested: { hostile } },
      generatedBy: hostile,
    })
    expect(page).not.toContain('<img')
    expect(page).not.toContain('<!--')
    expect([...page.matchAll(/<script/g)]).toHaveLength(2)
    expect([...page.matchAll(/<\/script>/g)]).toHaveLength(2)
    const json = /<script type="application\/json">(.*?)<\/script>/s.exec(page)![1]!
    expect(JSON.parse(json).rows[0][0]).toBe(hostile)
  })

  it('holds sections with text, table and charts of their own', () => {
    const page = reportHtml({
      ...report,
      charts: [],
      sections: [
        {
          heading: 'Estimates',
          text: ['From one log.'],
          charts: [chart],
          table: { columns: [{ name: 'v', label: 'Value', kind: 'rate' }], rows: [[0.123], [null]] },
        },
      ],
    })
    expect(page).toMatch(
      /<section id="section-estimates">\s*<h2>Estimates<\/h2>\s*<p>From one log\.<\/p>[\s\S]*12\.3 %[\s\S]*–<\/td>[\s\S]*<figure/,
    )
  })

  it('gives each section an address, and smaller headings to what is in it', () => {
    const page = reportHtml({
      ...report,
      charts: [],
      sections: [{ heading: 'What IPS does', sections: [{ heading: 'Here', charts: [chart] }] }],
    })
    for (const id of ['section-what-ips-does', chart.name]) expect(page).toContain(`id="${id}"`)
    expect(page).toMatch(/<h3>Here<\/h3>[\s\S]*<h4>/)
  })

  it('folds a section under its heading, open or closed at first', () => {
    const page = reportHtml({
      ...report,
      sections: [
        { heading: 'All', sections: [{ heading: 'More', text: ['Folded.'], fold: 'closed' }] },
        { heading: 'First', text: ['Seen.'], fold: 'open' },
      ],
    })
    expect(page).toMatch(
      /<details class="fold"><summary><h3>More<\/h3><\/summary>\s*<p>Folded\.<\/p>\s*<\/details>/,
    )
    expect(page).toContain(
      '<details class="fold" id="section-first" open><summary><h2>First</h2></summary>\n<p>Seen.</p>',
    )
  })

  it('puts further paragraphs below the answer, and links to files beside it', () => {
    const page = reportHtml({
      ...report,
      answer: ['First.', 'Second.'],
      files: [{ href: 'results.json', text: 'all numbers' }],
    })
    expect(page).toMatch(/<p class="answer">First\.<\/p>\s*<p>Second\.<\/p>/)
    expect(page).toContain('<a href="results.json">results.json</a>: all numbers')
  })

  it('lets a whole table be sorted, but not the first rows of one, which are reached by keyboard to scroll them', () => {
    const table = (rows: number) =>
      reportHtml({
        ...report,
        charts: [
          {
            ...chart,
            table: { columns: [{ name: 'x', label: 'X' }], rows: Array.from({ length: rows }, () => ['a']) },
          },
        ],
      })
    expect(table(50)).toContain('<table class="sorts">')
    expect(table(51)).not.toContain('<table class="sorts">')
    expect(table(50)).not.toContain(`aria-label="Table: ${chart.title}"`)
    expect(table(51)).toContain(`role="group" aria-label="Table: ${chart.title}" tabindex="0"><table>`)
  })

  it('colours a verdict by its shape, and turns a table of sentences into a list on a phone', () => {
    const page = reportHtml({
      ...report,
      sections: [
        {
          heading: 'Claims',
          table: {
            columns: [
              { name: 'verdict', label: 'Verdict', kind: 'verdict' },
              { name: 'reading', label: 'Reading' },
            ],
            rows: [
              ['✘ does not hold', 'A sentence that is far too long to stand in a narrow column.'],
              ['? undecided', 'Short.'],
            ],
          },
        },
      ],
    })
    expect(page).toContain('<div class="table prose">')
    expect(page).toContain('<td class="verdict refuse" data-label="Verdict">✘ does not hold</td>')
    expect(page).toContain('<td class="verdict" data-label="Verdict">? undecided</td>')
  })

  it('turns a table of a section that is wider than a phone into a list there', () => {
    const withColumns = (count: number, cell: string): string => {
      const columns = Array.from({ length: count }, (_, k) => ({ name: `c${k}`, label: `C${k}` }))
      const table = { columns, rows: [columns.map(() => cell)] }
      return reportHtml({ ...report, sections: [{ heading: 'Wide', table }] })
    }
    expect(withColumns(5, '0.012')).not.toContain('<div class="table prose"')
    expect(withColumns(9, '0.012')).toContain('<div class="table prose"')
    expect(withColumns(3, '0.012 (0.002–0.022)')).toContain('<div class="table prose"')
  })

  it('puts a note below its figure, as plain text, wherever the figure stands', () => {
    const text = `${hostile}\n**not bold**`
    const notes = { [chart.name]: text }
    const inSection = { ...report, charts: [], sections: [{ heading: 'Here', charts: [chart] }], notes }
    for (const page of [reportHtml({ ...report, notes }), reportHtml(inSection)]) {
      expect(page).toMatch(/<\/figcaption>\s*<p class="remark"><strong>Note\.<\/strong> &lt;\/script&gt;/)
      expect([...page.matchAll(/class="remark"/g)]).toHaveLength(1)
      expect(page).toContain('\n**not bold**</p>')
      expect(page).not.toContain('<img')
    }
  })

  it('loses no note on a figure that it does not have, whatever that is called', () => {
    const page = reportHtml({ ...report, notes: { toString: 'one', elsewhere: 'two' } })
    expect(page).toMatch(
      /id="section-notes"[\s\S]*On the figure toString[\s\S]*one[\s\S]*On the figure elsewhere[\s\S]*two/,
    )
    expect(reportHtml({ ...report, notes: {} })).toBe(html)
  })

  it('runs its own script alone: the policy names it by its hash', () => {
    const own = /<script>([\s\S]*?)<\/script>/.exec(html)![1]!
    const hash = createHash('sha256').update(own).digest('base64')
    expect(/script-src ([^;"]*)/.exec(html)![1]).toBe(`'sha256-${hash}'`)
  })

  it('leaves out what it was not given', () => {
    const page = reportHtml({
      title: 't',
      answer: 'a',
      facts: [],
      charts: [],
      settings: {},
      generatedBy: 'g',
    })
    expect(page).not.toMatch(/<dl|<figure|<details/)
  })
})

function tallyOf(
  impressions: number[],
  clicks: number[],
  ids = impressions.map((_, k) => `item ${k}`),
): Tally {
  const reward = Float64Array.from(clicks)
  return { ids, impressions: Float64Array.from(impressions), reward, clicks: reward }
}
