import type { Cell } from '../cell.js'
import type { TextReader, Visit } from './text-reader.js'

/** Splits text that arrives in pieces into lines, without their line endings. */
export class LineSplitter {
  /** 1-based number of the last line delivered. */
  line = 0
  /** The pieces of the line that is open. */
  #open: string[] = []

  push(text: string, take: (line: string) => void): void {
    this.#open.push(text)
    // A long line would be searched again with every piece.
    if (!text.includes('\n')) return
    const whole = this.#open.join('')
    let start = 0
    for (let end = whole.indexOf('\n'); end >= 0; end = whole.indexOf('\n', start)) {
      this.line++
      take(whole.slice(start, whole.charCodeAt(end - 1) === 13 && end > start ? end - 1 : end))
      start = end + 1
    }
    this.#open = [whole.slice(start)]
  }

  end(take: (line: string) => void): void {
    const rest = this.#open.join('')
    this.#open = []
    if (rest === '') return
    this.line++
    take(rest.endsWith('\r') ? rest.slice(0, -1) : rest)
  }
}

/** Reads one record per line; blank lines are skipped. `readLine` returns the cells, or says why there are none. */
export function lineReader(
  names: readonly string[],
  readLine: (line: string, number: number) => readonly Cell[] | string,
): TextReader {
  const lines = new LineSplitter()
  const take =
    (visit: Visit) =>
    (line: string): void => {
      if (line.trim() === '') return
      const cells = readLine(line, lines.line)
      if (typeof cells === 'string') visit(lines.line, [], cells)
      else visit(lines.line, cells)
    }
  return {
    names,
    push: (text, visit) => lines.push(text, take(visit)),
    end: (visit) => lines.end(take(visit)),
  }
}
