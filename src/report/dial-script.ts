import { STRIPS } from '../figures/chart.js'
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
export const dialScript = `
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
