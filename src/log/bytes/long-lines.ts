import { HindcastError } from '../../error.js'

/** No line of a text file may be longer than this, in bytes: what is longer is not a row of a log. */
export const LONGEST_LINE = 1 << 24

const NEWLINE = 10
const RETURN = 13

/** Watches the lines of a text that passes in pieces. In a table, a return alone ends a line too. */
export class LineLengths {
  readonly #isTable: boolean
  /** How many bytes passed before the line that is open. */
  #before = 0
  /** How many of its bytes have passed. */
  #open = 0

  constructor(isTable: boolean) {
    this.#isTable = isTable
  }

  /** Takes the next piece; where a line is too long, returns how many bytes precede it. */
  pass(piece: Uint8Array): number | undefined {
    let start = 0
    for (;;) {
      // The last line end that can close the open line in time; whatever lies between is short enough.
      const reach = Math.min(start + LONGEST_LINE - this.#open, piece.length - 1)
      let end = piece.lastIndexOf(NEWLINE, reach)
      if (end < start && this.#isTable) end = piece.lastIndexOf(RETURN, reach)
      if (end >= start) {
        this.#before += this.#open + end + 1 - start
        this.#open = 0
        start = end + 1
        if (start >= piece.length) return undefined
      } else {
        this.#open += piece.length - start
        return this.#open > LONGEST_LINE ? this.#before : undefined
      }
    }
  }
}

/** The error for a line that is too long, counted from 1. */
export const lineTooLong = (name: string, line: number): HindcastError =>
  new HindcastError(
    'bad-file',
    `${name}: line ${line.toLocaleString('en-US')} is longer than ${LONGEST_LINE / 2 ** 20} MB.`,
    { remedy: 'Write one impression per line: a line end or a closing quote may be missing.' },
  )

/** The number of the line that so many bytes precede, counted from 1. */
export async function lineAt(
  pieces: AsyncIterable<Uint8Array>,
  before: number,
  isTable: boolean,
): Promise<number> {
  let line = 1
  let passed = 0
  let isAfterReturn = false
  for await (const piece of pieces) {
    for (const byte of piece.subarray(0, before - passed)) {
      const isSecond = isAfterReturn && byte === NEWLINE
      isAfterReturn = isTable && byte === RETURN
      if (isAfterReturn || (byte === NEWLINE && !isSecond)) line++
    }
    passed += piece.length
    if (passed >= before) break
  }
  return line
}
