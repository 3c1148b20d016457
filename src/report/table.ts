import type { Cell, Column, Table } from '../figures/chart.js'
import { formatCount, formatPercent } from '../number-text.js'
import { escapeHtml } from './escape.js'
import type { TermMarker } from './terms.js'

/** How a table of a page is written. */
interface TableOptions {
  /** As many rows are shown at most; default 50. A table that is cut cannot be sorted. */
  readonly most?: number
  /** Becomes a list on a phone, whatever its cells hold. */
  readonly asList?: boolean
  /** Explains terms of art in the cells. */
  readonly marker?: TermMarker
  /** What the table is of, for those who do not see it: one that cannot be sorted is then reached by keyboard, to scroll it. */
  readonly label?: string
}

/** A cell longer than so many letters is a sentence. */
const PROSE = 48

/**
 * A table as HTML, its first rows; numbers are aligned at the right, fractions shown as percentages, and
 * verdicts coloured by their shape. The page's script makes its headings sort it. With sentences in its cells, or
 * `asList`, it becomes a list on a phone.
 */
export function tableHtml(
  { columns, rows }: Table,
  { most = 50, marker, asList = false, label }: TableOptions = {},
): string {
  const isProse =
    asList || rows.some((row) => row.some((cell) => typeof cell === 'string' && cell.length > PROSE))
  const head = columns
    .map((column) => `<th scope="col"${classOf(column)}>${escapeHtml(column.label)}</th>`)
    .join('')
  const body = rows
    .slice(0, most)
    .map(
      (row) =>
        `<tr>${columns.map((column, k) => `<td${classOf(column, row[k]!)}${isProse ? ` data-label="${escapeHtml(column.label)}"` : ''}>${cellText(row[k]!, column, marker)}</td>`).join('')}</tr>`,
    )
    .join('\n')
  const isCut = rows.length > most
  const note = isCut
    ? `<p class="note">The first ${formatCount(most)} of ${formatCount(rows.length)} rows; the CSV has them all.</p>`
    : ''
  const isSorted = !isCut && rows.length >= 2
  const sorts = isSorted ? ' class="sorts"' : ''
  // The headings of one that is sorted take the focus.
  const reached =
    label === undefined || isSorted
      ? ''
      : ` role="group" aria-label="Table: ${escapeHtml(label)}" tabindex="0"`
  return `<div class="table${isProse ? ' prose' : ''}"${reached}><table${sorts}><thead><tr>${head}</tr></thead><tbody>\n${body}\n</tbody></table></div>${note}`
}

/** The meaning of the shape that a verdict begins with. */
const SHAPES: Readonly<Record<string, string>> = {
  '✔': ' trust',
  '✘': ' refuse',
  '◐': ' caution',
  '▲': ' caution',
}

function classOf({ kind = 'text' }: Column, cell: Cell = ''): string {
  if (kind === 'text') return ''
  return kind === 'verdict' ? ` class="verdict${SHAPES[String(cell)[0] ?? ''] ?? ''}"` : ' class="number"'
}

function cellText(cell: Cell, { kind = 'text' }: Column, marker: TermMarker | undefined): string {
  if (cell === null) return '–'
  if (typeof cell === 'string' || kind === 'text' || kind === 'verdict')
    return marker ? marker.write(String(cell)) : escapeHtml(String(cell))
  if (kind === 'count') return formatCount(cell)
  if (kind === 'number') return String(Number(cell.toPrecision(4)))
  return formatPercent(cell, cell > 0 && cell < 0.1 ? 2 : 1)
}
