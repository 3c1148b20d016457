import { darkQuery } from '../figures/theme.js'

/** The script of a report: its buttons save a figure as SVG, PNG (light, for documents) or CSV. */
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
  const text = value === null ? '' : String(value)
  return /[",\\r\\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text
}
const kinds = {
  svg: (figure, name) => offer(name + '.svg', new Blob([svgFile(figure)], { type: 'image/svg+xml' })),
  csv: (figure, name) => {
    const { columns, rows } = JSON.parse(figure.querySelector('script').textContent)
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
`
