import { escapeXml } from '../figures/serialise.js'

/** Text made safe for HTML, in an element or between quotes. */
export const escapeHtml = escapeXml

/** A range of numbers, such as "0.25–0.31 %". */
export const RANGE = /[\d.,]+–[\d.,]*\d(?:\u00a0%)?/g

/** Prose made safe for HTML; a number and its percent sign stay on one line, as do "95 % CI" and a range. */
export const proseHtml = (text: string): string =>
  escapeHtml(text)
    .replace(/(\d) %/g, '$1\u00a0%')
    .replace(/% CI\b/g, '%\u00a0CI')
    .replace(RANGE, '<span class="range">$&</span>')

/** A value as JSON that can stand inside a script element, whatever its strings hold. */
export const embedJson = (value: unknown): string =>
  JSON.stringify(value)
    .replace(/</g, '\\u003c')
    .replace(/>/g, '\\u003e')
    .replace(/&/g, '\\u0026')
    .replace(/\u2028/g, '\\u2028')
    .replace(/\u2029/g, '\\u2029')
