import { STRIPS } from '../figures/chart.js'
import { darkQuery } from '../figures/theme.js'
import { FORMULA_START, NUMBER } from '../log/write/text.js'
import { RANGE } from './escape.js'

/** Milliseconds that a dial rests before its words are told to those who listen: not at each step on the way. */
const REST = 700

/** Milliseconds after which told words are taken back, so that nobody who reads on meets them twice. */
const TOLD = 3000

/**
 * The part of a report's script that makes it alive. Dials: what was computed for a stop is written out, and its strip of
 * the drawing is lit. On a phone the dial that moved last stays in sight. Hover: the exact values of a mark appear at once
 * beside the pointer, or under a finger, and so does what a term means. All words are set as text, never as HTML.
 */
const dialScript = `
function setDial(dial) {
  const figure = dial.closest('figure')
  const stops = JSON.parse(dial.querySelector('script').textContent)
  const control = dial.querySelector('input, select')
  const words = dial.querySelector('.stop')
  const shown = dial.querySelector('.at')
  const told = dial.querySelector('.told')
  let telling
  const hold = () => {
    for (const other of figure.querySelectorAll('.dial')) other.classList.toggle('held', other === dial)
  }
  const tell = () => {
    told.textContent = words.textContent
    telling = setTimeout(() => told.replaceChildren(), ${TOLD})
  }
  const move = () => {
    const { at, text, tag, strip } = stops[Number(control.value)]
    words.replaceChildren()
    if (tag) {
      const word = document.createElement('strong')
      word.className = tag.level
      word.textContent = tag.text
      words.append(word, ' ')
    }
    // A range stays on one line.
    for (const [k, part] of text.replace(/(\\d) %/g, '$1\\u00a0%').replace(/% CI/g, '%\\u00a0CI').split(/(${RANGE.source})/).entries()) {
      const range = document.createElement('span')
      range.className = 'range'
      range.textContent = part
      words.append(k % 2 ? range : part)
    }
    if (shown) {
      shown.textContent = at
      control.setAttribute('aria-valuetext', tag ? at + ', ' + tag.text : at)
    }
    for (const drawing of figure.querySelectorAll('svg'))
      for (const [place, mark] of drawing.querySelectorAll('.${STRIPS} rect').entries())
        mark.classList.toggle('lit', place === strip)
  }
  control.addEventListener('input', () => {
    hold()
    move()
    clearTimeout(telling)
    told.replaceChildren()
    telling = setTimeout(tell, ${REST})
  })
  control.addEventListener('focus', hold)
  dial.hidden = false
  hold()
  move()
}
// The first dial of a figure is set last: its stop is the one that is lit.
for (const dial of [...document.querySelectorAll('.dial')].reverse()) setDial(dial)

const tip = document.createElement('div')
tip.className = 'tip'
tip.hidden = true
tip.setAttribute('aria-hidden', 'true')
document.body.append(tip)
let pointed = null
function leave() {
  tip.hidden = true
  if (!pointed) return
  pointed.mark.append(pointed.title)
  pointed.mark.classList.remove('pointed')
  pointed = null
}
function say(text, event) {
  tip.textContent = text
  tip.hidden = false
  const isRight = event.clientX > innerWidth / 2
  tip.style.left = isRight ? 'auto' : event.clientX + 12 + 'px'
  tip.style.right = isRight ? innerWidth - event.clientX + 12 + 'px' : 'auto'
  tip.style.top = Math.min(event.clientY + 12, innerHeight - tip.offsetHeight - 8) + 'px'
}
function pointAt(event) {
  const mark = event.target.closest?.('figure .wide svg *')
  if (!mark || mark !== pointed?.mark) {
    leave()
    const title = mark && [...mark.children].find(({ localName }) => localName === 'title')
    if (!title) return
    // Beside ours, the browser would show the same words late.
    title.remove()
    mark.classList.add('pointed')
    pointed = { mark, title }
  }
  say(pointed.title.textContent, event)
}
// Under a finger nothing hovers: a term says what it means when it is touched.
function explain(event) {
  const term = event.target.closest?.('abbr[title]')
  if (term) say(term.title, event)
}
document.addEventListener('pointermove', pointAt)
document.addEventListener('pointerdown', pointAt)
document.addEventListener('click', explain)
document.addEventListener('scroll', leave, { passive: true })
document.documentElement.addEventListener('pointerleave', leave)
`

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
