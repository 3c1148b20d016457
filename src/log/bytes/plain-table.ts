import type { BatchCollector } from './batch-collector.js'

const NEWLINE = 10
const RETURN = 13
const QUOTE = 34
const MINUS = 45
const POINT = 46
const ZERO = 48

/** Whole numbers below this, and powers of ten up to the last, are exact: their quotient is rounded once. */
const EXACT = 2 ** 53
const POWERS_OF_TEN = Array.from({ length: 23 }, (_, k) => Number(`1e${k}`))
/** No id of more digits than this is read as a number. */
const MOST_DIGITS = 9

/** There is room for so many rows at first. */
const SOME_ROWS = 1024

/** What a cell of a record is used for. */
interface Use {
  /** Which column of ids, or of numbers, it fills; −1 where it fills none. */
  readonly id: number
  readonly number: number
}

/**
 * Reads lines of a table straight from its bytes: those in plain ASCII without quotes, whose line ends are \n or \r\n. That
 * is most tables, and several times quicker than making a text of each cell. It gives what `DelimitedReader` gives, and
 * stops at the first line that is not plain, from where on that one must read.
 */
export class PlainTable {
  readonly #collector: BatchCollector
  readonly #columns: NonNullable<BatchCollector['single']>
  readonly #delimiter: number
  readonly #uses: readonly Use[]
  readonly #lines: LineNumbers
  /** 1-based number of the line that comes next. */
  line = 1

  /** Undefined where cells are not read one by one, or several columns are made of the same cell. */
  static of(
    collector: BatchCollector,
    names: readonly string[],
    delimiter: string,
    lines = new LineNumbers(),
  ): PlainTable | undefined {
    const { single } = collector
    if (!single || delimiter.length !== 1) return undefined
    const uses = names.map((_, place) => ({
      id: single.coded.findIndex((one) => one.place === place),
      number: single.numeric.findIndex((one) => one.place === place),
    }))
    const used = uses.flatMap(({ id, number }) => [id, number]).filter((k) => k >= 0)
    const isOneToOne =
      used.length === single.coded.length + single.numeric.length &&
      uses.every(({ id, number }) => id < 0 || number < 0)
    return isOneToOne ? new PlainTable(collector, single, delimiter.charCodeAt(0), uses, lines) : undefined
  }

  private constructor(
    collector: BatchCollector,
    columns: NonNullable<BatchCollector['single']>,
    delimiter: number,
    uses: readonly Use[],
    lines: LineNumbers,
  ) {
    this.#collector = collector
    this.#columns = columns
    this.#delimiter = delimiter
    this.#uses = uses
    this.#lines = lines
  }

  /**
   * Collects the whole lines that bytes begin with, which is the start of a line. Returns how many bytes they took, and
   * whether what follows is a line that is not plain.
   */
  read(bytes: Uint8Array): { readonly taken: number; readonly isPlain: boolean } {
    const end = bytes.lastIndexOf(NEWLINE) + 1
    const uses = this.#uses
    const width = uses.length
    const delimiter = this.#delimiter
    const { coded, numeric } = this.#columns
    const first = this.#collector.reserve(SOME_ROWS)
    let room = first + SOME_ROWS
    let row = first
    // The rows since the last blank line begin here.
    let run = first
    let line = 0
    while (line < end) {
      let at = line
      // Blank lines are no records.
      if (bytes[at] === NEWLINE || (bytes[at] === RETURN && bytes[at + 1] === NEWLINE)) {
        line = at + (bytes[at] === NEWLINE ? 1 : 2)
        this.#count(row - run)
        run = row
        this.line++
        continue
      }
      let isWhole = false
      for (let k = 0; k < width; k++) {
        const start = at
        const { id, number } = uses[k]!
        let whole = 0
        let decimals = -1
        let digits = 0
        const isNegative = bytes[at] === MINUS
        if (isNegative) at++
        // Digits, and a point among them.
        for (;;) {
          const digit = bytes[at]! - ZERO
          if (digit >= 0 && digit <= 9) {
            whole = 10 * whole + digit
            digits++
          } else if (digit === POINT - ZERO && decimals < 0) decimals = digits
          else break
          at++
        }
        let isNumber = digits > 0
        for (let byte = bytes[at]!; byte !== delimiter && byte !== NEWLINE; byte = bytes[++at]!) {
          if (byte === QUOTE || byte > 127) return this.#stop(row - first, row - run, line)
          if (byte === RETURN) {
            if (bytes[at + 1] !== NEWLINE) return this.#stop(row - first, row - run, line)
            break
          }
          isNumber = false
        }
        if (id >= 0) {
          const isSmall = isNumber && !isNegative && decimals < 0 && digits <= MOST_DIGITS
          // A number with a leading zero is another id.
          coded[id]!.codes[row] =
            isSmall && (digits === 1 || bytes[start] !== ZERO)
              ? coded[id]!.codeOfNumber(whole)
              : coded[id]!.codeOf(start === at ? undefined : ascii(bytes, start, at))
        } else if (number >= 0) {
          const power = decimals < 0 ? 0 : digits - decimals
          const value = whole / POWERS_OF_TEN[power]!
          numeric[number]!.values[row] =
            isNumber && whole < EXACT && power < POWERS_OF_TEN.length
              ? isNegative
                ? -value
                : value
              : numeric[number]!.parse(ascii(bytes, start, at))
        }
        const isLast = bytes[at] !== delimiter
        if (isLast || k === width - 1) {
          isWhole = isLast && k === width - 1
          break
        }
        at++
      }
      // More cells or fewer than the header has: what becomes of such a line is for the other reader to say.
      if (!isWhole) return this.#stop(row - first, row - run, line)
      row++
      line = at + (bytes[at] === RETURN ? 2 : 1)
      if (row === room) {
        this.#collector.reserve(2 * (row - first))
        room = row + (row - first)
      }
    }
    return { ...this.#stop(row - first, row - run, end), isPlain: true }
  }

  #stop(rows: number, run: number, taken: number): { readonly taken: number; readonly isPlain: boolean } {
    this.#collector.add(rows)
    this.#count(run)
    return { taken, isPlain: false }
  }

  /** Counts rows on lines that follow each other. */
  #count(rows: number): void {
    if (rows > 0) this.#lines.note(this.line, rows)
    this.line += rows
  }
}

/** A few bytes of ASCII as text. */
function ascii(bytes: Uint8Array, from: number, to: number): string {
  let text = ''
  for (let at = from; at < to; at++) text += String.fromCharCode(bytes[at]!)
  return text
}

/** On which line of a text each row stands: kept where it is not the line after that of the row before. */
export class LineNumbers {
  #rows = 0
  readonly #from: number[] = []
  readonly #offset: number[] = []

  /** Notes the next row, or so many rows from there on, each on a line of its own. */
  note(line: number, rows = 1): void {
    const offset = line - this.#rows
    if (offset !== this.#offset.at(-1)) {
      this.#from.push(this.#rows)
      this.#offset.push(offset)
    }
    this.#rows += rows
  }

  /** The 1-based line of a row, counted from 0, that was noted. */
  of(row: number): number {
    let [low, high] = [0, this.#from.length - 1]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (this.#from[middle]! <= row) low = middle
      else high = middle - 1
    }
    return row + this.#offset[low]!
  }
}
