/**
 * What a terminal obeys instead of showing: control characters but tab and line feed, and marks that change the
 * direction of the text around them.
 */
// oxlint-disable-next-line no-control-regex
const OBEYED = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** Text in which each such character is written as JSON writes it, `\\u001b`: JSON stays the same JSON. */
export const tamed = (text: string): string =>
  text.replaceAll(OBEYED, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** An id or a name that came from a file, on one line. */
export const onOneLine = (text: string): string => tamed(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t')

/** Longer lines of notes and errors are cut: a header may hold a megabyte. */
const LONGEST_LINE = 2000

/** Text with its overlong lines cut, and how much is missing. */
export const shortened = (text: string): string =>
  text
    .split('\n')
    .map((line) =>
      line.length <= LONGEST_LINE
        ? line
        : `${line.slice(0, LONGEST_LINE)}… (${(line.length - LONGEST_LINE).toLocaleString('en-US')} more characters)`,
    )
    .join('\n')
