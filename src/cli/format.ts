import { onOneLine, type Terminal } from './terminal.js'

/** The width of all text, in characters. */
export const WIDTH = 80

/** Between columns, and before lines that belong to one above. */
export const GAP = '  '

/** A text on one line, of at most so many characters, the last of them … where it was longer. */
export const cut = (text: string, most: number): string => {
  const line = onOneLine(text)
  return line.length <= most ? line : `${line.slice(0, most - 1).trimEnd()}…`
}

/** A sentence of a list. */
export const bullet = (text: string): string => `${GAP}• ${wrap(text, WIDTH, '    ').trimStart()}`

/** A number with this many significant digits, without trailing zeros. */
export const significant = (value: number, digits = 3): string =>
  value === 0
    ? '0'
    : Math.abs(value) < 1e-4
      ? value.toExponential(digits - 1)
      : String(Number(value.toPrecision(digits)))

/** 45 s, 3 min 20 s, 2 h 5 min */
export function duration(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`
  return `${Math.floor(seconds / 3600)} h ${Math.round((seconds % 3600) / 60)} min`
}

/** An option with a value in quotes, which must stay on one line to be copied; a number with its %; or what stands between spaces. */
const WORD = /--[a-z-]+ (?:"[^"]*"|'[^']*')[^ ]*|[^ ]*\d %[^ ]*|[^ ]+|^$/g

/** Breaks text into lines of at most `width` characters, each indented by `indent`; existing line breaks stay. */
export function wrap(text: string, width = WIDTH, indent = ''): string {
  return text
    .split('\n')
    .map((paragraph) => {
      const hanging = `${indent}${/^ */.exec(paragraph)![0]}`
      const lines: string[] = []
      let line = ''
      for (const [word] of paragraph.trim().matchAll(WORD)) {
        if (line !== '' && hanging.length + line.length + 1 + word.length > width) {
          lines.push(line)
          line = word
        } else line = line === '' ? word : `${line} ${word}`
      }
      return [...lines, line].map((part) => hanging + part).join('\n')
    })
    .join('\n')
}

/** Text in two columns: the left one padded to its widest entry, the right one wrapped. */
export function columns(rows: readonly (readonly [string, string])[], indent = '  ', width = 80): string {
  const left = Math.max(...rows.map(([text]) => text.length)) + 2
  return rows
    .map(([first, second]) => {
      const beside = wrap(second, width, ' '.repeat(indent.length + left))
      return `${indent}${first.padEnd(left)}${beside.trimStart()}`
    })
    .join('\n')
}

/** Columns of text: the first, or as many as have words, to the left, and the others to the right. */
export function textTable(
  names: readonly string[],
  rows: readonly (readonly string[])[],
  terminal: Terminal,
  words = 1,
): string[] {
  const widths = names.map((name, k) => Math.max(name.length, ...rows.map((row) => row[k]!.length)))
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, k) => `${GAP}${k < words ? cell.padEnd(widths[k]!) : cell.padStart(widths[k]!)}`)
      .join('')
      .trimEnd()
  return [terminal.style('dim', line(names)), ...rows.map(line)]
}
