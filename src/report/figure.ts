import { type Chart, type Dial, type DialStop, withoutHeading } from '../figures/chart.js'
import { stampedTable } from '../figures/table-cells.js'
import { formatCount } from '../number-text.js'
import { verdictWord } from '../words/verdict-text.js'
import { embedJson, escapeHtml, proseHtml } from './escape.js'
import type { Report, Section } from './report.js'
import { tableHtml } from './table.js'
import type { TermMarker } from './terms.js'

/** A chart as a figure of a page: words under a heading of a level, picture, table behind a toggle, and buttons that save it. */
export function figureHtml(chart: Chart, marker: TermMarker, level = 2): string {
  const name = escapeHtml(chart.name)
  const rows = chart.table.rows.length
  const { columns, rows: saved } = stampedTable(chart)
  return `<figure id="${name}" data-name="${name}">
<h${level}>${proseHtml(chart.title)}</h${level}>
<p class="subtitle">${stampHtml(chart)}${marker.write(chart.subtitle)}</p>
${dialsHtml(chart)}<div class="wide">${asImage(withoutHeading(chart.svg))}</div>
<div class="narrow">${asImage(chart.narrow)}</div>
<figcaption>${marker.write(chart.caption)}</figcaption>
${noteHtml(chart.note)}<div class="tools">
<details><summary>Table (${formatCount(rows)} ${rows === 1 ? 'row' : 'rows'})</summary>
${tableHtml(chart.table, { label: chart.title })}
</details>
<p class="save" hidden>Save as ${['SVG', 'PNG', 'CSV']
    .map(
      (kind) =>
        `<button type="button" data-save="${kind.toLowerCase()}" aria-label="Save as ${kind}: ${name}">${kind}</button>`,
    )
    .join(' ')}</p>
</div>
<script type="application/json">${embedJson({
    columns: columns.map((column) => column.name),
    rows: saved,
  })}</script>
</figure>`
}

/** To a screen reader a drawing is one image with its own words: labels of parts inside it are of no use. */
const asImage = (svg: string): string => svg.replace(/(<g\b[^>]*?) aria-label="[^"]*"/g, '$1')

/** What can be moved, each with an id of its own on the page. */
const dialsHtml = ({ name, dials = [] }: Chart): string =>
  dials.map((dial, k) => `${dialHtml(dial, `${name}-dial-${k + 1}`)}\n`).join('')

/** The verdict before the words of a figure, where it is not to trust: the page's own stands far above. */
const stampHtml = ({ stamp }: Chart): string =>
  stamp === undefined || stamp === 'trust'
    ? ''
    : `<strong class="${stamp}">${escapeHtml(verdictWord({ level: stamp }))}</strong> `

/**
 * A dial above its figure: a slider or a choice, and what holds where it stands. It is hidden until the page's script makes
 * it move; without one, the table behind the figure has its numbers.
 */
function dialHtml({ label, kind, stops, start }: Dial, id: string): string {
  const at = stops[start]!
  const labelled = `<label for="${escapeHtml(id)}">${proseHtml(label)}</label>`
  return `<div class="dial" hidden>
<p>${kind === 'slider' ? `${labelled} <span class="at" aria-hidden="true">${proseHtml(at.at)}</span>` : labelled}</p>
${controlHtml({ kind, stops, start }, escapeHtml(id))}
<p class="stop">${stopHtml(at)}</p>
<p class="told" role="status"></p>
<script type="application/json">${embedJson(stops)}</script>
</div>`
}

const controlHtml = ({ kind, stops, start }: Pick<Dial, 'kind' | 'stops' | 'start'>, id: string): string =>
  kind === 'slider'
    ? `<input id="${id}" type="range" min="0" max="${stops.length - 1}" value="${start}" autocomplete="off">`
    : `<select id="${id}" autocomplete="off">${stops
        .map(
          ({ at }, k) => `<option value="${k}"${k === start ? ' selected' : ''}>${escapeHtml(at)}</option>`,
        )
        .join('')}</select>`

const stopHtml = ({ tag, text }: DialStop): string =>
  `${tag ? `<strong class="${tag.level}">${escapeHtml(tag.text)}</strong> ` : ''}${proseHtml(text)}`

/** A note below its figure, in the words and lines of whoever wrote it. */
export const noteHtml = (note: string | undefined): string =>
  note === undefined ? '' : `<p class="remark"><strong>Note.</strong> ${escapeHtml(note)}</p>\n`

/** The report with each note on its figure; a note on a figure that it does not have gets a section at the end. */
export function withNotes(report: Report): Report {
  const { charts, sections = [], notes = {} } = report
  // Names of figures are data: one may be called like something that every object has.
  const left = new Map(Object.entries(notes))
  const noted = (chart: Chart): Chart => {
    const note = left.get(chart.name)
    left.delete(chart.name)
    return note === undefined ? chart : { ...chart, note }
  }
  const notedIn = (section: Section): Section => ({
    ...section,
    ...(section.charts && { charts: section.charts.map(noted) }),
    ...(section.sections && { sections: section.sections.map(notedIn) }),
  })
  const own = { charts: charts.map(noted), sections: sections.map(notedIn) }
  const others = [...left].map(([name, text]): Section => ({
    heading: `On the figure ${name}`,
    remark: text,
  }))
  return {
    ...report,
    ...own,
    sections: others.length === 0 ? own.sections : [...own.sections, { heading: 'Notes', sections: others }],
  }
}
