import { throwIfAborted } from '../../error.js'
import type { ColumnOrigins } from '../bad-rows.js'
import { type Cell, cellId, cellLabel, cellNumber, cellOutcome, cellText, cellTime } from '../cell.js'
import {
  type CodedColumn,
  ID_COLUMNS,
  isFurtherColumn,
  isKeyColumn,
  isLabelColumn,
  type KeyColumn,
  NUMBER_COLUMNS,
  type NumericColumn,
} from '../columns.js'
import { type Batch, type Codes, MISSING, type RawRow, type RowSource } from '../source.js'
import { computeValue } from '../values/compute-value.js'
import { originOf } from '../values/origin.js'
import { namesIn } from '../values/value.js'
import { type TextContainer, textReaderFor } from './detect.js'
import { notUtf8 } from './head.js'
import { type ByteInput, gunzip } from './input.js'
import { lineAt, LineLengths, lineTooLong } from './long-lines.js'
import { keeping, type RowFilter } from './row-filter.js'
import { type ShapedRows, shapedRows } from './shaped-rows.js'

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
  return {
    name: input.name,
    lineUnit: 'line',
    bytes,
    async *batches(signal) {
      const reader = textReaderFor(container)
      const visit = shaped.into(collector.visit)
      for await (const text of textOf(input, container, bytes)) {
        if (signal?.aborted) return
        reader.push(text, visit)
        yield collector.flush()
      }
      reader.end(visit)
      yield collector.flush()
    },
    codes: (column) => collector.codes(column),
    idText: (column, code) => collector.idText(column, code),
    rawRows: (places, signal) => rawRows(input, container, shaped, places, signal),
  }
}

/** The names of the cells of a record; a format's own reader may give more cells than the file uses. */
const cellNames = (container: TextContainer): readonly string[] =>
  container.kind === 'text' ? container.reader().names : container.names

async function* textOf(
  input: ByteInput,
  { gzip, kind }: TextContainer,
  bytes: { read: number } = { read: 0 },
): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const decode = (piece?: Uint8Array): string => {
    try {
      return piece ? decoder.decode(piece, { stream: true }) : decoder.decode()
    } catch (cause) {
      throw notUtf8(input.name, cause)
    }
  }
  const unpacked = (pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> =>
    gzip ? gunzip(input.name, pieces) : pieces
  const lengths = new LineLengths(kind === 'delimited')
  for await (const piece of unpacked(counted(input.stream(), bytes))) {
    const before = lengths.pass(piece)
    if (before !== undefined)
      throw lineTooLong(input.name, await lineAt(unpacked(input.stream()), before, kind === 'delimited'))
    yield decode(piece)
  }
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

/** Collects records into batches: ids and labels become codes, numbers are parsed. */
export class BatchCollector {
  readonly #idColumns: {
    column: CodedColumn
    textOf: (cells: readonly Cell[]) => string | undefined
    codes: number[]
    codeOf: Map<string, number>
    texts: string[]
  }[]
  readonly #numberColumns: {
    column: NumericColumn
    values: number[]
    /** The one cell that it is read from, and how. */
    place: number
    parse: (cell: Cell) => number
    /** What computes it instead, from any of the cells. */
    compute: ((cells: readonly Cell[]) => number) | undefined
  }[]
  #rows = 0
  #broken = new Map<number, string>()
  readonly #keyColumns: { column: KeyColumn; place: number; texts: (string | undefined)[] }[]

  constructor(names: readonly string[], origins: ColumnOrigins) {
    const placesOf = (columns: readonly string[]): number[] => columns.map((name) => names.indexOf(name))
    const coded = [
      ...ID_COLUMNS.filter((column) => origins[column]),
      ...Object.keys(origins).filter(isLabelColumn),
    ]
    this.#idColumns = coded.map((column) => ({
      column,
      textOf: textReaderOf(column, placesOf(origins[column]!)),
      codes: [],
      codeOf: new Map(),
      texts: [],
    }))
    this.#keyColumns = Object.keys(origins)
      .filter(isKeyColumn)
      .map((column) => ({ column, place: names.indexOf(origins[column]![0]!), texts: [] }))
    const numeric: NumericColumn[] = [
      ...NUMBER_COLUMNS.filter((column) => origins[column]),
      ...Object.keys(origins).filter(isFurtherColumn),
    ]
    this.#numberColumns = numeric.map((column) => ({
      column,
      values: [],
      parse: column === 'time' ? cellTime : column === 'reward' ? cellOutcome : cellNumber,
      ...numberSource(column, origins[column]![0]!, names),
    }))
  }

  readonly visit = (_line: number, cells: readonly Cell[], broken?: string): void => {
    if (broken !== undefined) this.#broken.set(this.#rows, broken)
    this.#rows++
    for (const { textOf, codes, codeOf, texts } of this.#idColumns) {
      const id = broken === undefined ? textOf(cells) : undefined
      if (id === undefined) {
        codes.push(MISSING)
        continue
      }
      let code = codeOf.get(id)
      if (code === undefined) {
        code = texts.length
        const kept = ownCopy(id)
        codeOf.set(kept, code)
        texts.push(kept)
      }
      codes.push(code)
    }
    for (const { place, texts } of this.#keyColumns)
      texts.push(broken === undefined ? cellId(cells[place]) : undefined)
    for (const { place, values, parse, compute } of this.#numberColumns)
      values.push(broken !== undefined ? NaN : compute ? compute(cells) : parse(cells[place]))
  }

  /** The records collected since the last call. */
  flush(): Batch {
    const batch: Batch = {
      rows: this.#rows,
      ids: Object.fromEntries(this.#idColumns.map(({ column, codes }) => [column, Uint32Array.from(codes)])),
      numbers: Object.fromEntries(
        this.#numberColumns.map(({ column, values }) => [column, Float64Array.from(values)]),
      ),
      ...(this.#keyColumns.length > 0 && {
        keys: Object.fromEntries(this.#keyColumns.map(({ column, texts }) => [column, texts])),
      }),
      broken: this.#broken,
    }
    this.#rows = 0
    this.#broken = new Map()
    for (const column of this.#idColumns) column.codes.length = 0
    for (const column of this.#numberColumns) column.values.length = 0
    for (const column of this.#keyColumns) column.texts = []
    return batch
  }

  codes(column: CodedColumn): Codes {
    return { count: this.#textsOf(column).length, ordered: false }
  }

  idText(column: CodedColumn, code: number): string {
    return this.#textsOf(column)[code]!
  }

  #textsOf(column: CodedColumn): readonly string[] {
    return this.#idColumns.find((candidate) => candidate.column === column)!.texts
  }
}

/**
 * A copy of the text in its own memory. Engines represent a field cut from a text as a pointer into it: keeping one
 * id would keep all the text around it, in the end the whole file, and such texts take three times as long to compare.
 */
const ownCopy = (text: string): string => [text.slice(0, 1), text.slice(1)].join('')

/** Where a number of a record comes from: a cell, or a value computed from several. */
function numberSource(
  column: NumericColumn,
  text: string,
  names: readonly string[],
): { place: number; compute: ((cells: readonly Cell[]) => number) | undefined } {
  const origin = originOf(text, names, column)
  if (origin.kind === 'column') return { place: names.indexOf(origin.name), compute: undefined }
  const placeOf = new Map(namesIn(origin.value).map((name) => [name, names.indexOf(name)]))
  return { place: -1, compute: computeValue(origin.value, (cells, { name }) => cells[placeOf.get(name)!]) }
}

/** What finds the id or label of a record. Several cells make one id only if none is missing. */
function textReaderOf(
  column: CodedColumn,
  places: readonly number[],
): (cells: readonly Cell[]) => string | undefined {
  const [first] = places
  if (isLabelColumn(column)) return (cells) => cellLabel(cells[first!])
  if (places.length === 1) return (cells) => cellId(cells[first!])
  return (cells) => {
    const parts = places.map((place) => cellId(cells[place]))
    return parts.includes(undefined) ? undefined : parts.join('|')
  }
}
