import { randomUUID } from 'node:crypto'
import { styleText } from 'node:util'

/** How text looks: bold, green, … */
export type Style = Parameters<typeof styleText>[0]

/** The terminal, or the file or pipe that replaces it. */
export interface Terminal {
  /** Writes a line of the answer to standard output. */
  print(text?: string): void
  /** Writes a line to standard error: warnings, what was written where. */
  note(text: string): void
  /** Shows a line that the next one replaces; if standard error is not a terminal, one line now and then. */
  status(text: string): void
  /** Styled if the terminal shows colours, else unchanged. */
  style(style: Style, text: string): string
}

/** Milliseconds between two lines of progress in a file or a pipe. */
const LINE_EVERY = 9_000

/** A text in which what stands between `**` is bold. */
export const emphasised = (text: string, { style }: Pick<Terminal, 'style'>): string =>
  text.replace(/\*\*([^*]+)\*\*/g, (_, words: string) => style('bold', words))

/** What a terminal writes to. */
interface Output {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): boolean
}

/** The terminal of this process. Colours only on a real terminal, and never if NO_COLOR is set. */
export const processTerminal = (): Terminal => streamTerminal(process.stdout, process.stderr, process.env)

/**
 * A terminal over two streams. Here, at its edge, text becomes tame: no character of an id, a header or a file name
 * is obeyed. Our own styles are marked by a word that nobody can know, and become control sequences last.
 */
export function streamTerminal(
  stdout: Output,
  stderr: Output,
  env: Readonly<Record<string, string | undefined>>,
): Terminal {
  const hasColours = Boolean(stdout.isTTY) && !env['NO_COLOR'] && env['TERM'] !== 'dumb'
  const { mark, shown } = styleMarks()
  let statusShown = false
  let lastLine = performance.now()
  const clearStatus = (): void => {
    if (statusShown) stderr.write('\r\x1b[2K')
    statusShown = false
  }
  return {
    print(text = '') {
      clearStatus()
      stdout.write(`${shown(text)}\n`)
    },
    note(text) {
      clearStatus()
      stderr.write(`${shown(shortened(text))}\n`)
    },
    status(text) {
      if (!stderr.isTTY) {
        if (env['HINDCAST_PROGRESS'] === 'none') return
        if (text === '' || performance.now() - lastLine < LINE_EVERY) return
        lastLine = performance.now()
        stderr.write(`${shown(text)}\n`)
        return
      }
      clearStatus()
      if (text === '') return
      stderr.write(onOneLine(text).slice(0, (stderr.columns || 80) - 1))
      statusShown = true
    },
    style: (style, text) => (hasColours ? mark(style, text) : text),
  }
}

/** Styles as marks within text, and text with its marks turned into what the terminal obeys. */
function styleMarks(): { mark: (style: Style, text: string) => string; shown: (text: string) => string } {
  const word = randomUUID().slice(0, 8)
  const marks = new RegExp(`<${word}((?:\\[\\d+m)+)>`, 'g')
  const marked = (codes: string): string => `<${word}${codes.replaceAll('\x1b', '')}>`
  return {
    mark(style, text) {
      // Whether there are colours was decided above; by itself it asks the standard output of the process.
      const [before = '', after = ''] = styleText(style, '|', { validateStream: false }).split('|')
      return `${marked(before)}${text}${marked(after)}`
    },
    shown: (text) => tamed(text).replaceAll(marks, (_, codes: string) => codes.replaceAll('[', '\x1b[')),
  }
}

/**
 * What a terminal obeys instead of showing: control characters but tab and line feed, and marks that change the
 * direction of the text around them.
 */
// oxlint-disable-next-line no-control-regex
const OBEYED = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** Text in which each such character is written as JSON writes it, `\\u001b`: JSON stays the same JSON. */
const tamed = (text: string): string =>
  text.replaceAll(OBEYED, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** An id or a name that came from a file, on one line. */
export const onOneLine = (text: string): string => tamed(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t')

/** Longer lines of notes and errors are cut: a header may hold a megabyte. */
const LONGEST_LINE = 2000

/** Text with its overlong lines cut, and how much is missing. */
const shortened = (text: string): string =>
  text
    .split('\n')
    .map((line) =>
      line.length <= LONGEST_LINE
        ? line
        : `${line.slice(0, LONGEST_LINE)}… (${(line.length - LONGEST_LINE).toLocaleString('en-US')} more characters)`,
    )
    .join('\n')
