import type { Cell, Column, Table } from '../figures/chart.js'
import { formatCount, formatPercent } from '../number-text.js'
import { escapeHtml } from './escape.js'

/** A table as HTML, its first `most` rows; numbers are aligned at the right and fractions shown as percentages. */
export function tableHtml({ columns, rows }: Table, most = 50): string {
  const head = columns
    .map((column) => `<th scope="col"${numeric(column)}>${escapeHtml(column.label)}</th>`)
    .join('')
  const body = rows
    .slice(0, most)
    .map(
      (row) =>
        `<tr>${columns.map((column, k) => `<td${numeric(column)}>${cellText(row[k]!, column)}</td>`).join('')}</tr>`,
    )
    .join('\n')
  const note =
    rows.length > most
      ? `<p class="note">The first ${formatCount(most)} of ${formatCount(rows.length)} rows; the CSV has all of them.</p>`
      : ''
  return `<div class="table"><table><thead><tr>${head}</tr></thead><tbody>\n${body}\n</tbody></table></div>${note}`
}

const numeric = (column: Column): string => ((column.kind ?? 'text') === 'text' ? '' : ' class="number"')

function cellText(cell: Cell, { kind = 'text' }: Column): string {
  if (cell === null) return '–'
  if (typeof cell === 'string' || kind === 'text') return escapeHtml(String(cell))
  if (kind === 'count') return formatCount(cell)
  if (kind === 'number') return String(Number(cell.toPrecision(4)))
  return formatPercent(cell, cell > 0 && cell < 0.1 ? 2 : 1)
}
