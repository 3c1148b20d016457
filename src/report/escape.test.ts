import { describe, expect, it } from 'vitest'
import { proseHtml } from './escape.js'

describe('prose as HTML', () => {
  it.each([
    ['95 % CI 0.25–0.31, at most', '95\u00a0%\u00a0CI <span class="range">0.25–0.31</span>, at most'],
    ['(11.2–12.3 %).', '(<span class="range">11.2–12.3\u00a0%</span>).'],
    ['1,200–3,400', '<span class="range">1,200–3,400</span>'],
    ['train–test, 3 – 4 <b>', 'train–test, 3 – 4 &lt;b&gt;'],
  ])('keeps numbers together: %s', (text, html) => expect(proseHtml(text)).toBe(html))
})
