import type { Chart } from '../figures/chart.js'
import { withoutHeading } from '../figures/chart.js'
import { stampedTable } from '../figures/stamped-table.js'
import { formatCount } from '../number-text.js'
import { verdictWord } from '../words/verdict-text.js'
import { embedJson, escapeHtml, proseHtml } from './escape.js'
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
<div class="wide">${withoutHeading(chart.svg)}</div>
<div class="narrow">${chart.narrow}</div>
<figcaption>${marker.write(chart.caption)}</figcaption>
<div class="tools">
<details><summary>Table (${formatCount(rows)} ${rows === 1 ? 'row' : 'rows'})</summary>
${tableHtml(chart.table)}
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

/** The verdict before the words of a figure, where it is not to trust: the page's own stands far above. */
const stampHtml = ({ stamp }: Chart): string =>
  stamp === undefined || stamp === 'trust'
    ? ''
    : `<strong class="${stamp}">${escapeHtml(verdictWord({ level: stamp }))}</strong> `
