import { throwIfAborted } from '../../error.js'
import type { ColumnOrigins } from '../bad-rows.js'
import { type Cell, cellText } from '../cell.js'
import type { RawRow, RowSource } from '../source.js'
import { BatchCollector } from './batch-collector.js'
import { type TextContainer, textReaderFor } from './detect.js'
import { DelimitedReader } from './delimited.js'
import { notUtf8 } from './head.js'
import { type ByteInput, joined } from './input.js'
import { LineNumbers, PlainTable } from './plain-table.js'
import { lineAt, LineLengths, lineTooLong, type TextReader, type Visit } from './lines.js'
import { keeping, type RowFilter, type ShapedRows, shapedRows } from './shaped-rows.js'
import { unwrapped } from './wraps.js'

/** Rows of a text file, read from its bytes; of the records that a filter keeps, where there is one. */
export function textSource(
  input: ByteInput,
  container: TextContainer,
  origins: ColumnOrigins,
  filter?: RowFilter,
): RowSource {
  const [names, { shape }] = [cellNames(container), container]
  const shaped = keeping(filter, { names, shape }, shapedRows(names, shape, origins))
  const collector = new BatchCollector(shaped.names, origins)
  const bytes = { read: 0, total: input.byteLength }
  // A record is a row.
  const isAsRecorded = !filter && shaped.names === names
  let lines = new LineNumbers()
  return {
    name: input.name,
    // Where an element of an array begins in the file is not known.
    lineUnit: container.wraps.includes('json-array') ? 'row' : 'line',
    bytes,
    async *batches(signal) {
      lines = new LineNumbers()
      const noted: Visit = (line, cells, broken) => {
        lines.note(line)
        collector.visit(line, cells, broken)
      }
      const visit = isAsRecorded ? noted : shaped.into(collector.visit)
      const plain =
        container.kind === 'delimited' && isAsRecorded
          ? PlainTable.of(collector, names, container.delimiter, lines)
          : undefined
      const reader = new PlainFirst(container, decoderOf(input), visit, plain)
      for await (const piece of bytesOf(input, container, bytes)) {
        if (signal?.aborted) return
        reader.push(piece)
        yield collector.flush()
      }
      reader.end()
      yield collector.flush()
    },
    codes: (column) => collector.codes(column),
    idText: (column, code) => collector.idText(column, code),
    ...(isAsRecorded && { linesOf: (places) => places.map((place) => lines.of(place)) }),
    rawRows: (places, signal) => rawRows(input, container, shaped, places, signal),
  }
}

/** The names of the cells of a record; a format's own reader may give more cells than the file uses. */
const cellNames = (container: TextContainer): readonly string[] =>
  container.kind === 'text' ? container.reader().names : container.names

/** Turns bytes into text, piece by piece; nothing given ends it. */
type Decode = (piece?: Uint8Array) => string

function decoderOf({ name }: ByteInput): Decode {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  return (piece) => {
    try {
      return piece ? decoder.decode(piece, { stream: true }) : decoder.decode()
    } catch (cause) {
      throw notUtf8(name, cause)
    }
  }
}

/** The bytes of the text, unpacked; none of its lines is too long. */
async function* bytesOf(
  input: ByteInput,
  { wraps, kind }: TextContainer,
  bytes: { read: number } = { read: 0 },
): AsyncGenerator<Uint8Array> {
  const lengths = new LineLengths(kind === 'delimited')
  for await (const piece of unwrapped(input.name, counted(input.stream(), bytes), wraps)) {
    const before = lengths.pass(piece)
    if (before !== undefined)
      throw lineTooLong(
        input.name,
        await lineAt(unwrapped(input.name, input.stream(), wraps), before, kind === 'delimited'),
      )
    yield piece
  }
}

async function* textOf(input: ByteInput, container: TextContainer): AsyncGenerator<string> {
  const decode = decoderOf(input)
  for await (const piece of bytesOf(input, container)) yield decode(piece)
  yield decode()
}

async function* counted(
  pieces: AsyncIterable<Uint8Array>,
  bytes: { read: number },
): AsyncGenerator<Uint8Array> {
  bytes.read = 0
  for await (const piece of pieces) {
    bytes.read += piece.length
    yield piece
  }
}

const NEWLINE = 10

/** A header is looked for in so many bytes before the table is read as text. */
const LONGEST_HEADER = 1 << 20

/** Reads a text from its bytes: the lines of a plain table as they are, everything else, and whatever follows it, as text. */
class PlainFirst {
  readonly #reader: TextReader
  readonly #names: readonly string[]
  readonly #decode: Decode
  readonly #visit: Visit
  #plain: PlainTable | undefined
  /** Lines to be read as text before those of the table. */
  #headerLines: number
  /** The pieces of a line whose end has not come yet. */
  #open: Uint8Array[] = []

  constructor(container: TextContainer, decode: Decode, visit: Visit, plain: PlainTable | undefined) {
    this.#reader = textReaderFor(container)
    this.#names = container.names
    this.#headerLines = container.kind === 'delimited' ? container.headerLines : 0
    this.#decode = decode
    this.#visit = visit
    this.#plain = plain
  }

  push(piece: Uint8Array): void {
    // A long line would be searched again with every piece.
    if (this.#plain && !piece.includes(NEWLINE)) return void this.#open.push(piece.slice())
    let bytes = this.#open.length > 0 ? joined(Uint8Array, [...this.#open, piece]) : piece
    this.#open = []
    if (this.#plain && this.#headerLines > 0) {
      const end = endOfLines(bytes, this.#headerLines)
      if (end < 0 && bytes.length < LONGEST_HEADER) return void this.#open.push(bytes.slice())
      if (end < 0) this.#plain = undefined
      else {
        this.#asText(bytes.subarray(0, end))
        bytes = bytes.subarray(end)
        // Of a header in quotes there may be more to come.
        if (!areSame(this.#reader.names, this.#names)) this.#plain = undefined
        else if (this.#reader instanceof DelimitedReader) this.#plain.line = this.#reader.line
      }
      this.#headerLines = 0
    }
    if (this.#plain) {
      const { taken, isPlain } = this.#plain.read(bytes)
      bytes = bytes.subarray(taken)
      // Should the rest be read as text, its lines are counted from here on.
      if (this.#reader instanceof DelimitedReader) this.#reader.line = this.#plain.line
      if (isPlain) return void this.#open.push(bytes.slice())
      this.#plain = undefined
    }
    this.#asText(bytes)
  }

  end(): void {
    for (const piece of this.#open) this.#asText(piece)
    this.#reader.push(this.#decode(), this.#visit)
    this.#reader.end(this.#visit)
  }

  #asText(bytes: Uint8Array): void {
    this.#reader.push(this.#decode(bytes), this.#visit)
  }
}

/** The place after so many lines; −1 if they do not end here, or not with \\n. */
function endOfLines(bytes: Uint8Array, lines: number): number {
  let end = 0
  for (let line = 0; line < lines; line++) {
    end = bytes.indexOf(NEWLINE, end) + 1
    if (end === 0) return -1
  }
  return end
}

const areSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((name, k) => name === others[k])

/** Reads the file again, up to the last requested row. */
async function rawRows(
  input: ByteInput,
  container: TextContainer,
  shaped: ShapedRows,
  places: readonly number[],
  signal: AbortSignal | undefined,
): Promise<RawRow[]> {
  const rows: RawRow[] = []
  const reader = textReaderFor(container)
  let place = 0
  const visit = shaped.into((line, cells) => {
    if (place++ !== places[rows.length]) return
    rows.push({ line, cells: rawCells(shaped.names, cells) })
  })
  for await (const text of textOf(input, container)) {
    throwIfAborted(signal)
    reader.push(text, visit)
    if (rows.length === places.length) return rows
  }
  reader.end(visit)
  return rows
}

/** The cells of a row as text, by name. */
export const rawCells = (names: readonly string[], cells: readonly Cell[]): RawRow['cells'] =>
  Object.fromEntries(names.map((name, k) => [name, cellText(cells[k])]))
