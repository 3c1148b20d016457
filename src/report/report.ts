import type { Cell, Chart, FigureOptions, Table } from '../figures/chart.js'
import type { QuestionAnswer, Verdict } from '../verdict/verdict.js'
import {
  furtherReasons,
  hullText,
  QUESTION_LABELS,
  QUESTION_SHAPES,
  verdictHeading,
} from '../words/verdict-text.js'
import { escapeHtml, proseHtml } from './escape.js'
import { figureHtml, noteHtml, withNotes } from './figure.js'
import { script, SCRIPT_HASH } from './script.js'
import { style } from './style.js'
import { tableHtml } from './table.js'
import { termMarker, type TermMarker } from './terms.js'

/** A part of a report under its own heading. */
export interface Section {
  readonly heading: string
  /** On what the section is about, after its text. */
  readonly verdict?: Verdict
  /** Paragraphs of plain text; `**words**` are set in bold. */
  readonly text?: readonly string[]
  /** What somebody noted, in plain text: nothing in it is set in bold or explained. */
  readonly remark?: string
  readonly facts?: readonly Fact[]
  readonly table?: Table
  readonly charts?: readonly Chart[]
  /** Smaller parts, after all of this. */
  readonly sections?: readonly Section[]
  /** Its heading opens and closes it: how it stands at first. Without, it does not fold; on paper all of it is open. */
  readonly fold?: 'open' | 'closed'
}

/** What a report says, from the answer down to the settings. */
export interface Report {
  /** What was looked at; the title of the page. */
  readonly title: string
  /** The answer in a sentence or two, with its uncertainty; `**words**` are set in bold. Further paragraphs stand below it, smaller. */
  readonly answer: string | readonly string[]
  /** How far the answer can be trusted: a badge below it, the five questions, further reasons. */
  readonly verdict?: Verdict
  readonly facts: readonly Fact[]
  readonly charts: readonly Chart[]
  /** Further parts, after the charts. */
  readonly sections?: readonly Section[]
  /** Notes on figures by the name of the figure, in plain text; those on figures that the report does not have stand at its end. */
  readonly notes?: Readonly<Record<string, string>>
  /** Files that lie beside the page, each with words that say what it holds. */
  readonly files?: readonly { readonly href: string; readonly text: string }[]
  /** Whatever is needed to make the report again: seed, file, options, versions. */
  readonly settings: Readonly<Record<string, unknown>>
  /** Name and version of the program. */
  readonly generatedBy: string
}

/**
 * A report as one HTML file that needs nothing else: no network, light and dark, phone to paper. All text
 * is escaped. The same report always gives the same bytes. At `#answer` it shows the answer and the first figure alone, for
 * a frame on another page.
 */
export function reportHtml(report: Report): string {
  const marker = termMarker()
  const { charts, sections = [] } = withNotes(report)
  const [answer = '', ...more] = typeof report.answer === 'string' ? [report.answer] : report.answer
  const parts = [
    `<h1>${escapeHtml(report.title)}</h1>`,
    `<p class="answer">${marker.write(answer)}</p>`,
    report.verdict ? verdictHtml(report.verdict, marker) : '',
    ...more.map((paragraph) => `<p>${marker.write(paragraph)}</p>`),
    factsHtml(report.facts, marker),
    ...charts.map((chart) => figureHtml(chart, marker)),
    ...sections.map((section) => sectionHtml(section, marker)),
    filesHtml(report.files ?? []),
    settingsHtml(report.settings),
    wordsHtml(marker),
  ]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; \
script-src '${SCRIPT_HASH}'; img-src data: blob:">
<meta name="generator" content="${escapeHtml(report.generatedBy)}">
<title>${escapeHtml(report.title)}</title>
<style>${style}</style>
</head>
<body>
<main id="answer">
${parts.filter(Boolean).join('\n')}
</main>
<nav class="whole" aria-label="Report"><a href="#">The whole report</a></nav>
<footer>Made by ${escapeHtml(report.generatedBy)}.</footer>
<script>${script}</script>
</body>
</html>
`
}

/** The word of a verdict with its shape, a line for each question, and the reasons that these leave unsaid. */
function verdictHtml(verdict: Verdict, marker: TermMarker): string {
  const hull = hullText(verdict)
  const reasons = furtherReasons(verdict)
  return [
    `<p class="badge ${verdict.level}">${escapeHtml(verdictHeading(verdict))}</p>`,
    `<ul class="questions">\n${verdict.questions.map((one) => questionHtml(one, marker)).join('\n')}\n</ul>`,
    hull === undefined ? '' : `<p class="hull">${escapeHtml(hull)}</p>`,
    reasons.length === 0
      ? ''
      : `<ul class="reasons">\n${reasons.map((reason) => `<li>${marker.write(reason)}</li>`).join('\n')}\n</ul>`,
  ]
    .filter(Boolean)
    .join('\n')
}

const questionHtml = ({ question, level, text }: QuestionAnswer, marker: TermMarker): string =>
  `<li class="${level}"><span role="img" aria-label="${level.replaceAll('-', ' ')}">${QUESTION_SHAPES[level]}</span> ` +
  `<b>${QUESTION_LABELS[question]}</b> <span>${marker.write(text)}</span></li>`

/** The table of a section has no CSV that could hold more. */
const MOST_ROWS = 1000

/** Letters of a row that fit on a phone, and those that the space between two columns takes. */
const PHONE_LETTERS = 48
const BETWEEN = 1.5
const NUMBER_LETTERS = 6

/** As many letters as a cell takes; numbers are rounded. */
const lettersOf = (cell: Cell): number => (typeof cell === 'string' ? cell.length : NUMBER_LETTERS)

/** Whether a table is wider than a phone. */
const isWide = ({ columns, rows }: Table): boolean =>
  columns.reduce(
    (sum, { label }, k) => sum + BETWEEN + Math.max(label.length, ...rows.map((row) => lettersOf(row[k]!))),
    0,
  ) > PHONE_LETTERS

/** A section of a page: heading, text, verdict, facts, table, charts, smaller sections, in this order. */
function sectionHtml(section: Section, marker: TermMarker, level = 2): string {
  const { heading, text = [], verdict, remark, facts = [], table, charts = [], sections = [], fold } = section
  const inside = [
    ...text.map((paragraph) => `<p>${marker.write(paragraph)}</p>`),
    verdict ? verdictHtml(verdict, marker) : '',
    noteHtml(remark),
    factsHtml(facts, marker),
    table
      ? tableHtml(table, {
          marker,
          most: MOST_ROWS,
          asList: isWide(table),
          label: heading,
        })
      : '',
    ...charts.map((chart) => figureHtml(chart, marker, level + 1)),
    ...sections.map((smaller) => sectionHtml(smaller, marker, level + 1)),
  ].filter(Boolean)
  const id = level === 2 ? ` id="${sectionId(section)}"` : ''
  const title = `<h${level}>${proseHtml(heading)}</h${level}>`
  if (fold)
    return `<details class="fold"${id}${fold === 'open' ? ' open' : ''}><summary>${title}</summary>\n${inside.join('\n')}\n</details>`
  return `<section${id}>\n${title}\n${inside.join('\n')}\n</section>`
}

const sectionId = ({ heading }: Section): string =>
  `section-${heading
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')}`

const filesHtml = (files: NonNullable<Report['files']>): string =>
  files.length === 0
    ? ''
    : `<p class="files">${files
        .map(({ href, text }) => `<a href="${escapeHtml(href)}">${escapeHtml(href)}</a>: ${escapeHtml(text)}`)
        .join('<br>\n')}</p>`

/** The terms again as a list, for screens without a pointer to hover with. */
const wordsHtml = (marker: TermMarker): string =>
  marker.used().length === 0
    ? ''
    : `<details class="words"><summary>Glossary</summary>\n<dl>\n${marker
        .used()
        .map(([term, hint]) => `<dt>${escapeHtml(term)}</dt><dd>${escapeHtml(hint)}</dd>`)
        .join('\n')}\n</dl></details>`

/** What every page needs besides its data. */
export interface PageOptions extends FigureOptions {
  /** Name and version of the program. */
  readonly generatedBy: string
  /** Notes on figures by the name of the figure, in plain text. */
  readonly notes?: Readonly<Record<string, string>>
}

/** A number worth knowing, already written as text with its unit. */
export interface Fact {
  readonly label: string
  readonly value: string
  /** Its uncertainty, or what it means. */
  readonly note?: string
}

/** Facts as a list of labelled values. */
const factsHtml = (facts: readonly Fact[], marker: TermMarker): string =>
  facts.length === 0
    ? ''
    : `<dl class="facts">\n${facts
        .map(
          ({ label, value, note }) =>
            `<div><dt>${marker.write(label)}</dt><dd>${proseHtml(value)}` +
            `${note === undefined ? '' : `<small>${marker.write(note)}</small>`}</dd></div>`,
        )
        .join('\n')}\n</dl>`

/** Settings folded under one line: one row each, nested values as JSON. */
const settingsHtml = (settings: Readonly<Record<string, unknown>>): string =>
  Object.keys(settings).length === 0
    ? ''
    : `<details class="settings"><summary>Settings</summary>\n<div class="table" role="group" aria-label="Table: Settings" tabindex="0"><table><tbody>\n${Object.entries(
        settings,
      )
        .map(
          ([name, value]) =>
            `<tr><th scope="row">${escapeHtml(name)}</th><td>${escapeHtml(settingText(value))}</td></tr>`,
        )
        .join('\n')}\n</tbody></table></div></details>`

const settingText = (value: unknown): string =>
  value === undefined || value === null
    ? 'not set'
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value)
