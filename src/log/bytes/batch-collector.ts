import type { ColumnOrigins } from '../bad-rows.js'
import { type Cell, cellId, cellLabel, cellNumber, cellOutcome, cellTime } from '../cell.js'
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
import { type Batch, type Codes, MISSING } from '../source.js'
import { computeValue } from '../values/compute-value.js'
import { originOf } from '../values/origin.js'
import { namesIn } from '../values/value.js'

/** The cells of one column for many rows, as readers of columns have them. */
export type CellColumn = ArrayLike<Cell>

/** Whole numbers below this that serve as ids have their codes in a table. */
const SMALL_IDS = 1 << 20

/** Ids or labels of one column: each text has a code, in the order in which texts first came. */
export class CodedCells {
  readonly column: CodedColumn
  /** The one cell that the text is read from; −1 where several make it. */
  readonly place: number
  codes = new Uint32Array(0)
  readonly texts: string[] = []
  readonly #textOf: (cells: readonly Cell[]) => string | undefined
  readonly #codeOf = new Map<string, number>()
  /** 1 + the code of each small whole number, 0 where it has not come yet. */
  #small = new Uint32Array(1024)

  constructor(column: CodedColumn, places: readonly number[]) {
    this.column = column
    this.place = places.length === 1 ? places[0]! : -1
    this.#textOf = textReaderOf(column, places)
  }

  codeIn(cells: readonly Cell[]): number {
    return this.codeOf(this.#textOf(cells))
  }

  /** The code of a text; of none, MISSING. */
  codeOf(text: string | undefined): number {
    if (text === undefined) return MISSING
    const known = this.#codeOf.get(text)
    if (known !== undefined) return known
    const code = this.texts.length
    const kept = ownCopy(text)
    this.#codeOf.set(kept, code)
    this.texts.push(kept)
    return code
  }

  /** The code of a whole number from 0, as if it were written in digits. */
  codeOfNumber(value: number): number {
    if (value >= SMALL_IDS) return this.codeOf(String(value))
    if (value >= this.#small.length) {
      const longer = new Uint32Array(Math.min(SMALL_IDS, 2 * value))
      longer.set(this.#small)
      this.#small = longer
    }
    const known = this.#small[value]!
    if (known > 0) return known - 1
    const code = this.codeOf(String(value))
    this.#small[value] = code + 1
    return code
  }

  /** Writes the codes of a column from a row on. */
  take(cells: CellColumn, from: number): void {
    const { codes } = this
    if (cells instanceof BigInt64Array) {
      // Making a big integer of each would take longer than all the rest.
      const halves = new Int32Array(cells.buffer, cells.byteOffset, 2 * cells.length)
      for (let k = 0; k < cells.length; k++) {
        const low = halves[2 * k]!
        codes[from + k] =
          halves[2 * k + 1] === 0 && low >= 0 ? this.codeOfNumber(low) : this.codeIn(this.#alone(cells[k]!))
      }
    } else for (let k = 0; k < cells.length; k++) codes[from + k] = this.codeIn(this.#alone(cells[k]))
  }

  #cells: Cell[] = []
  /** A record that has this cell alone. */
  #alone(cell: Cell): readonly Cell[] {
    this.#cells[this.place] = cell
    return this.#cells
  }
}

/** Numbers of one column. */
export class NumericCells {
  readonly column: NumericColumn
  /** The one cell that it is read from; −1 where it is computed. */
  readonly place: number
  values = new Float64Array(0)
  readonly parse: (cell: Cell) => number
  readonly #compute: ((cells: readonly Cell[]) => number) | undefined

  constructor(column: NumericColumn, text: string, names: readonly string[]) {
    this.column = column
    this.parse = column === 'time' ? cellTime : column === 'reward' ? cellOutcome : cellNumber
    const origin = originOf(text, names, column)
    this.place = origin.kind === 'column' ? names.indexOf(origin.name) : -1
    if (origin.kind === 'column') return
    const placeOf = new Map(namesIn(origin.value).map((name) => [name, names.indexOf(name)]))
    this.#compute = computeValue(origin.value, (cells, { name }) => cells[placeOf.get(name)!])
  }

  numberIn(cells: readonly Cell[]): number {
    return this.#compute ? this.#compute(cells) : this.parse(cells[this.place])
  }

  /** Writes the numbers of a column from a row on. */
  take(cells: CellColumn, from: number): void {
    if (cells instanceof Float64Array) this.values.set(cells, from)
    else for (let k = 0; k < cells.length; k++) this.values[from + k] = this.parse(cells[k])
  }
}

/** Collects records into batches: ids and labels become codes, numbers are parsed. */
export class BatchCollector {
  readonly #coded: readonly CodedCells[]
  readonly #numeric: readonly NumericCells[]
  readonly #keys: { readonly column: KeyColumn; readonly place: number; texts: (string | undefined)[] }[]
  #rows = 0
  #capacity = 0
  #broken = new Map<number, string>()

  constructor(names: readonly string[], origins: ColumnOrigins) {
    const coded = [
      ...ID_COLUMNS.filter((column) => origins[column]),
      ...Object.keys(origins).filter(isLabelColumn),
    ]
    this.#coded = coded.map(
      (column) =>
        new CodedCells(
          column,
          origins[column]!.map((name) => names.indexOf(name)),
        ),
    )
    this.#keys = Object.keys(origins)
      .filter(isKeyColumn)
      .map((column) => ({ column, place: names.indexOf(origins[column]![0]!), texts: [] }))
    const numeric: NumericColumn[] = [
      ...NUMBER_COLUMNS.filter((column) => origins[column]),
      ...Object.keys(origins).filter(isFurtherColumn),
    ]
    this.#numeric = numeric.map((column) => new NumericCells(column, origins[column]![0]!, names))
  }

  /** The columns, where each is made of one cell of a record: then they can be filled column by column. */
  get single():
    | { readonly coded: readonly CodedCells[]; readonly numeric: readonly NumericCells[] }
    | undefined {
    const [coded, numeric] = [this.#coded, this.#numeric]
    const isSingle = this.#keys.length === 0 && [...coded, ...numeric].every(({ place }) => place >= 0)
    return isSingle ? { coded, numeric } : undefined
  }

  /** Makes room for further rows; returns the place of the first of them. */
  reserve(rows: number): number {
    const needed = this.#rows + rows
    if (needed > this.#capacity) {
      this.#capacity = Math.max(needed, 2 * this.#capacity, 1024)
      for (const one of this.#coded) one.codes = longer(one.codes, new Uint32Array(this.#capacity))
      for (const one of this.#numeric) one.values = longer(one.values, new Float64Array(this.#capacity))
    }
    return this.#rows
  }

  /** Counts rows that were written into the columns. */
  add(rows: number): void {
    this.#rows += rows
  }

  readonly visit = (_line: number, cells: readonly Cell[], broken?: string): void => {
    const row = this.reserve(1)
    this.#rows++
    if (broken !== undefined) this.#broken.set(row, broken)
    for (const one of this.#coded) one.codes[row] = broken === undefined ? one.codeIn(cells) : MISSING
    for (const { place, texts } of this.#keys)
      texts.push(broken === undefined ? cellId(cells[place]) : undefined)
    for (const one of this.#numeric) one.values[row] = broken === undefined ? one.numberIn(cells) : NaN
  }

  /** The records collected since the last call. */
  flush(): Batch {
    const rows = this.#rows
    const batch: Batch = {
      rows,
      ids: Object.fromEntries(this.#coded.map(({ column, codes }) => [column, codes.slice(0, rows)])),
      numbers: Object.fromEntries(this.#numeric.map(({ column, values }) => [column, values.slice(0, rows)])),
      ...(this.#keys.length > 0 && {
        keys: Object.fromEntries(this.#keys.map(({ column, texts }) => [column, texts])),
      }),
      broken: this.#broken,
    }
    this.#rows = 0
    this.#broken = new Map()
    for (const column of this.#keys) column.texts = []
    return batch
  }

  codes(column: CodedColumn): Codes {
    return { count: this.#textsOf(column).length, ordered: false }
  }

  idText(column: CodedColumn, code: number): string {
    return this.#textsOf(column)[code]!
  }

  #textsOf(column: CodedColumn): readonly string[] {
    return this.#coded.find((candidate) => candidate.column === column)!.texts
  }
}

function longer<Values extends Uint32Array | Float64Array>(values: Values, into: Values): Values {
  into.set(values)
  return into
}

/**
 * A copy of the text in its own memory. Engines represent a field cut from a text as a pointer into it: keeping one
 * id would keep all the text around it, in the end the whole file, and such texts take three times as long to compare.
 */
const ownCopy = (text: string): string => [text.slice(0, 1), text.slice(1)].join('')

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
