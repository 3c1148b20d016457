import { STRIPS } from '../figures/dial.js'

/**
 * The part of a report's script that makes it alive. Dials: what was computed for a stop is written out, and its strip of
 * the drawing is lit. Hover: the exact values of a mark appear at once beside the pointer, or under a finger. All words are
 * set as text, never as HTML.
 */
export const dialScript = `
function setDial(dial) {
  const figure = dial.closest('figure')
  const stops = JSON.parse(dial.querySelector('script').textContent)
  const control = dial.querySelector('input, select')
  const words = dial.querySelector('.stop')
  const output = dial.querySelector('output')
  const move = () => {
    const { at, text, tag, strip } = stops[Number(control.value)]
    words.replaceChildren()
    if (tag) {
      const word = document.createElement('strong')
      word.className = tag.level
      word.textContent = tag.text
      words.append(word, ' ')
    }
    words.append(text.replace(/(\\d) %/g, '$1\\u00a0%').replace(/% CI/g, '%\\u00a0CI'))
    if (output) {
      output.textContent = at
      control.setAttribute('aria-valuetext', tag ? at + ', ' + tag.text : at)
    }
    for (const drawing of figure.querySelectorAll('svg'))
      for (const [place, mark] of drawing.querySelectorAll('.${STRIPS} rect').entries())
        mark.classList.toggle('lit', place === strip)
  }
  control.addEventListener('input', move)
  dial.hidden = false
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
  if (!pointed) return
  pointed.mark.append(pointed.title)
  pointed.mark.classList.remove('pointed')
  pointed = null
  tip.hidden = true
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
    tip.textContent = title.textContent
    tip.hidden = false
  }
  const isRight = event.clientX > innerWidth / 2
  tip.style.left = isRight ? 'auto' : event.clientX + 12 + 'px'
  tip.style.right = isRight ? innerWidth - event.clientX + 12 + 'px' : 'auto'
  tip.style.top = Math.min(event.clientY + 12, innerHeight - tip.offsetHeight - 8) + 'px'
}
document.addEventListener('pointermove', pointAt)
document.addEventListener('pointerdown', pointAt)
document.addEventListener('scroll', leave, { passive: true })
document.documentElement.addEventListener('pointerleave', leave)
`
