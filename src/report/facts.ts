import { escapeHtml, proseHtml } from './escape.js'
import type { TermMarker } from './terms.js'

/** A number worth knowing, already written as text with its unit. */
export interface Fact {
  readonly label: string
  readonly value: string
  /** Its uncertainty, or what it means. */
  readonly note?: string
}

/** Facts as a list of labelled values. */
export const factsHtml = (facts: readonly Fact[], marker: TermMarker): string =>
  facts.length === 0
    ? ''
    : `<dl class="facts">\n${facts
        .map(
          ({ label, value, note }) =>
            `<div><dt>${marker.write(label)}</dt><dd>${proseHtml(value)}` +
            `${note === undefined ? '' : `<small>${marker.write(note)}</small>`}</dd></div>`,
        )
        .join('\n')}\n</dl>`

/** Settings folded under one line: one row each, nested values as JSON. */
export const settingsHtml = (settings: Readonly<Record<string, unknown>>): string =>
  Object.keys(settings).length === 0
    ? ''
    : `<details class="settings"><summary>Settings</summary>\n<div class="table" role="group" aria-label="Table: Settings" tabindex="0"><table><tbody>\n${Object.entries(
        settings,
      )
        .map(
          ([name, value]) =>
            `<tr><th scope="row">${escapeHtml(name)}</th><td>${escapeHtml(settingText(value))}</td></tr>`,
        )
        .join('\n')}\n</tbody></table></div></details>`

const settingText = (value: unknown): string =>
  value === undefined || value === null
    ? 'not set'
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value)
