import type { Chart, Table } from '../figures/chart.js'
import { escapeHtml } from './escape.js'
import type { Fact } from './facts.js'
import { factsHtml, settingsHtml } from './facts.js'
import { figureHtml } from './figure.js'
import { script } from './script.js'
import { style } from './style.js'
import { tableHtml } from './table.js'
import { termMarker } from './terms.js'
import type { TermMarker } from './terms.js'

/** A part of a report under its own heading. */
interface Section {
  readonly heading: string
  /** Paragraphs of plain text; `**words**` are set in bold. */
  readonly text?: readonly string[]
  readonly facts?: readonly Fact[]
  readonly table?: Table
  readonly charts?: readonly Chart[]
}

/** What a report says, from the answer down to the settings. */
export interface Report {
  /** What was looked at; the title of the page. */
  readonly title: string
  /** The answer in a sentence or two, with its uncertainty; `**words**` are set in bold. */
  readonly answer: string
  readonly facts: readonly Fact[]
  readonly charts: readonly Chart[]
  /** Further parts, after the charts. */
  readonly sections?: readonly Section[]
  /** Whatever is needed to make the report again: seed, file, options, versions. */
  readonly settings: Readonly<Record<string, unknown>>
  /** Name and version of the program. */
  readonly generatedBy: string
}

/**
 * A report as one HTML file that needs nothing else: no network, light and dark, phone to paper. All text
 * is escaped. The same report always gives the same bytes.
 */
export function reportHtml(report: Report): string {
  const marker = termMarker()
  const parts = [
    `<h1>${escapeHtml(report.title)}</h1>`,
    `<p class="answer">${marker.write(report.answer)}</p>`,
    factsHtml(report.facts, marker),
    ...report.charts.map((chart) => figureHtml(chart, marker)),
    ...(report.sections ?? []).map((section) => sectionHtml(section, marker)),
    settingsHtml(report.settings),
    wordsHtml(marker),
  ]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; \
script-src 'unsafe-inline'; img-src data: blob:">
<meta name="generator" content="${escapeHtml(report.generatedBy)}">
<title>${escapeHtml(report.title)}</title>
<style>${style}</style>
</head>
<body>
<main>
${parts.filter(Boolean).join('\n')}
</main>
<footer>Made by ${escapeHtml(report.generatedBy)}.</footer>
<script>${script}</script>
</body>
</html>
`
}

/** A section of a page: heading, text, facts, table, charts, in this order. */
const sectionHtml = (section: Section, marker: TermMarker): string =>
  [
    `<section>\n<h2>${escapeHtml(section.heading)}</h2>`,
    ...(section.text ?? []).map((paragraph) => `<p>${marker.write(paragraph)}</p>`),
    factsHtml(section.facts ?? [], marker),
    section.table ? tableHtml(section.table) : '',
    ...(section.charts ?? []).map((chart) => figureHtml(chart, marker)),
    '</section>',
  ]
    .filter(Boolean)
    .join('\n')

/** The terms again as a list, for screens without a pointer to hover with. */
const wordsHtml = (marker: TermMarker): string =>
  marker.used().length === 0
    ? ''
    : `<details class="words"><summary>Words</summary>\n<dl>\n${marker
        .used()
        .map(([term, hint]) => `<dt>${escapeHtml(term)}</dt><dd>${escapeHtml(hint)}</dd>`)
        .join('\n')}\n</dl></details>`
