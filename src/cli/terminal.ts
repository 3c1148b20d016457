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
const LINE_EVERY = 15_000

/** The terminal of this process. Colours only on a real terminal, and never if NO_COLOR is set. */
export function processTerminal(): Terminal {
  const { stdout, stderr, env } = process
  const hasColours = Boolean(stdout.isTTY) && !env['NO_COLOR'] && env['TERM'] !== 'dumb'
  let statusShown = false
  let lastLine = performance.now()
  const clearStatus = (): void => {
    if (statusShown) stderr.write('\r\x1b[2K')
    statusShown = false
  }
  return {
    print(text = '') {
      clearStatus()
      stdout.write(`${text}\n`)
    },
    note(text) {
      clearStatus()
      stderr.write(`${text}\n`)
    },
    status(text) {
      if (!stderr.isTTY) {
        if (text === '' || performance.now() - lastLine < LINE_EVERY) return
        lastLine = performance.now()
        stderr.write(`${text}\n`)
        return
      }
      clearStatus()
      if (text === '') return
      stderr.write(text.slice(0, (stderr.columns || 80) - 1))
      statusShown = true
    },
    style: (style, text) => (hasColours ? styleText(style, text) : text),
  }
}
