import type { Dial, DialStop } from '../figures/chart.js'
import { embedJson, escapeHtml, proseHtml } from './escape.js'

/**
 * A dial above its figure: a slider or a choice, and what holds where it stands. It is hidden until the page's script makes
 * it move; without one, the table behind the figure has its numbers.
 */
export function dialHtml({ label, kind, stops, start }: Dial, id: string): string {
  const at = stops[start]!
  const labelled = `<label for="${escapeHtml(id)}">${proseHtml(label)}</label>`
  return `<div class="dial" hidden>
<p>${kind === 'slider' ? `${labelled} <span class="at" aria-hidden="true">${proseHtml(at.at)}</span>` : labelled}</p>
${controlHtml({ kind, stops, start }, escapeHtml(id))}
<p class="stop">${stopHtml(at)}</p>
<p class="told" role="status"></p>
<script type="application/json">${embedJson(stops)}</script>
</div>`
}

const controlHtml = ({ kind, stops, start }: Pick<Dial, 'kind' | 'stops' | 'start'>, id: string): string =>
  kind === 'slider'
    ? `<input id="${id}" type="range" min="0" max="${stops.length - 1}" value="${start}" autocomplete="off">`
    : `<select id="${id}" autocomplete="off">${stops
        .map(
          ({ at }, k) => `<option value="${k}"${k === start ? ' selected' : ''}>${escapeHtml(at)}</option>`,
        )
        .join('')}</select>`

const stopHtml = ({ tag, text }: DialStop): string =>
  `${tag ? `<strong class="${tag.level}">${escapeHtml(tag.text)}</strong> ` : ''}${proseHtml(text)}`
