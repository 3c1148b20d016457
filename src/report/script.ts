import { darkQuery } from '../figures/theme.js'
import { dialScript } from './dial-script.js'
import { FORMULA_START, NUMBER } from '../log/write/text.js'

/**
 * The script of a report: its buttons save a figure as SVG, PNG (light, for documents) or CSV, safe in a spreadsheet, and headings of
 * tables sort them, by click or by key. Cells without a value stay at the end. What is folded is open on paper; what a frame leaves out is
 * shown when asked for. Dials move, and
 * exact values follow the pointer.
 */
export const script = `
'use strict'
function offer(name, blob) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10000)
}
function svgFile(figure) {
  const svg = figure.querySelector('.wide svg').cloneNode(true)
  const full = svg.dataset.full
  if (full) {
    svg.setAttribute('viewBox', full)
    svg.setAttribute('width', full.split(' ')[2])
    svg.setAttribute('height', full.split(' ')[3])
    svg.removeAttribute('data-full')
  }
  return new XMLSerializer().serializeToString(svg)
}
function csvCell(value) {
  const shown = value === null ? '' : String(value)
  const text = ${FORMULA_START}.test(shown) && !${NUMBER}.test(shown) ? "'" + shown : shown
  return /[",\\r\\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text
}
const kinds = {
  svg: (figure, name) => offer(name + '.svg', new Blob([svgFile(figure)], { type: 'image/svg+xml' })),
  csv: (figure, name) => {
    const { columns, rows } = JSON.parse(figure.querySelector(':scope > script').textContent)
    const lines = [columns, ...rows].map((row) => row.map(csvCell).join(','))
    offer(name + '.csv', new Blob([lines.join('\\r\\n') + '\\r\\n'], { type: 'text/csv' }))
  },
  png: async (figure, name) => {
    const light = svgFile(figure).replace(${JSON.stringify(darkQuery)}, 'not all')
    const image = new Image()
    image.src = 'data:image/svg+xml,' + encodeURIComponent(light)
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = image.width * 2
    canvas.height = image.height * 2
    canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height)
    canvas.toBlob((blob) => offer(name + '.png', blob), 'image/png')
  },
}
for (const save of document.querySelectorAll('.save')) save.hidden = false
document.addEventListener('click', (event) => {
  const button = event.target.closest('button[data-save]')
  if (!button) return
  const figure = button.closest('figure')
  kinds[button.dataset.save](figure, figure.dataset.name)
})

// A frame with a sandbox may not follow the link where the report is a file on a disk.
document.querySelector('.whole a').addEventListener('click', (event) => {
  event.preventDefault()
  const main = document.querySelector('main')
  main.classList.add('whole-report')
  const heading = main.querySelector('h1')
  heading.tabIndex = -1
  heading.focus()
})

let folded = []
addEventListener('beforeprint', () => {
  folded = [...document.querySelectorAll('.fold:not([open])')]
  for (const part of folded) part.open = true
})
addEventListener('afterprint', () => {
  for (const part of folded) part.open = false
})

function sortKey(row, column, isNumber) {
  const text = row.cells[column].textContent.trim()
  if (text === '–' || text === '') return null
  if (!isNumber) return text
  if (text.includes('∞')) return Number.MAX_VALUE
  const number = parseFloat(text.replaceAll(',', '').replace('−', '-'))
  return Number.isFinite(number) ? number : null
}
function sortTable(table, column) {
  const heads = [...table.tHead.rows[0].cells]
  const head = heads[column]
  const isNumber = head.classList.contains('number')
  const direction = head.ariaSort === 'ascending' ? 'descending' : 'ascending'
  const sign = direction === 'ascending' ? 1 : -1
  for (const other of heads) other.ariaSort = other === head ? direction : 'none'
  const order = (a, b) =>
    a === null || b === null
      ? (a === null) - (b === null)
      : sign * (isNumber ? (a > b) - (a < b) : a.localeCompare(b, 'en', { numeric: true }))
  const rows = [...table.tBodies[0].rows].map((row) => [sortKey(row, column, isNumber), row])
  rows.sort(([a], [b]) => order(a, b))
  table.tBodies[0].append(...rows.map(([, row]) => row))
}
for (const table of document.querySelectorAll('table.sorts')) {
  for (const [column, head] of [...table.tHead.rows[0].cells].entries()) {
    const button = document.createElement('button')
    button.type = 'button'
    button.append(...head.childNodes)
    button.addEventListener('click', () => sortTable(table, column))
    head.append(button)
    head.ariaSort = 'none'
  }
}
${dialScript}`

/** The SHA-256 of the script, by which a page's policy lets it run, and no other; its test says what it is. */
export const SCRIPT_HASH = 'sha256-NjctJV3PmTADMZZBZZPaBjqbDHcDWV7Tq1LqvLeX+no='
