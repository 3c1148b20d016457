import type { Chart } from '$core/figures/chart.js'
import { stampedTable } from '$core/figures/table-cells.js'
import { darkQuery } from '$core/figures/theme.js'
import { spreadsheetCsv } from '$core/log/write/text.js'

/** Offers a file to the reader. */
export function offer(name: string, parts: BlobPart[], type: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob(parts, { type }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

/** Offers a chart as a file: SVG, PNG (twice the size, light, for documents), or its numbers as CSV. */
export async function saveChart(chart: Chart, kind: 'svg' | 'png' | 'csv'): Promise<void> {
  if (kind === 'svg') offer(`${chart.name}.svg`, [chart.svg], 'image/svg+xml')
  else if (kind === 'csv') offer(`${chart.name}.csv`, [csvOf(chart)], 'text/csv')
  else offer(`${chart.name}.png`, [await pngOf(chart)], 'image/png')
}

/** A chart as an image, twice the size and in light colours, for documents. */
export async function pngOf({ svg }: Chart): Promise<Blob> {
  const image = new Image()
  image.src = `data:image/svg+xml,${encodeURIComponent(svg.replace(darkQuery, 'not all'))}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = image.width * 2
  canvas.height = image.height * 2
  canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) =>
      blob ? resolve(blob) : reject(new Error('The image could not be made. Save it as SVG instead.')),
    ),
  )
}

function csvOf(chart: Chart): string {
  const { columns, rows } = stampedTable(chart)
  const cell = (value: string | number | null): string => spreadsheetCsv(value === null ? '' : String(value))
  const lines = [columns.map(({ name }) => name), ...rows].map((row) => row.map(cell).join(','))
  return `${lines.join('\r\n')}\r\n`
}
