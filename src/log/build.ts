import { HindcastError, throwIfAborted } from '../error.js'
import { given } from '../given.js'
import type { Progress, ProgressListener } from '../progress.js'
import { type BadCell, badRowsError, type ColumnOrigins, SHOWN, tellBrokenCells } from './bad-rows.js'
import {
  type CodedColumn,
  type Column,
  ID_COLUMNS,
  furtherName,
  type IdColumn,
  isFurtherColumn,
  isLabelColumn,
  labelName,
  NUMBER_COLUMNS,
  type NumberColumn,
  type NumericColumn,
} from './columns.js'
import { orderOfIds } from './ids.js'
import { type Labels, NO_LABEL } from './labels.js'
import type { Log } from './log.js'
import { type BrokenCell, RULES } from './rules.js'
import { type Batch, MISSING, type RawRow, type RowSource } from './source.js'

/** What happens to a row that breaks a rule. `keep` is for the doctor, which examines it. */
export type OnBadRow = 'stop' | 'skip' | 'keep'

export interface BuildOptions {
  onBadRow?: OnBadRow
  /** Called with all bad rows that are left out, once the file has been read; only with `skip`. */
  onSkipped?: (bad: { cell: BadCell; raw: RawRow }[]) => void | Promise<void>
  /** Applied to every valid reward, for example to turn a rating into a click. */
  rewardOf?: (value: number) => number
  progress?: ProgressListener
  signal?: AbortSignal
}

export interface BuiltLog {
  readonly log: Log
  /** Number of rows left out. */
  readonly skipped: number
  /** Position in the file of each row of the log, if rows were left out; otherwise row k is at position k. */
  readonly places?: Uint32Array
  /** The cells that break a rule: all unreadable rows, and with `keep` the first few of each column. */
  readonly broken: BrokenCells
}

/** Cells that break a rule, and how many there are. */
export class BrokenCells {
  readonly rows = new Set<number>()
  readonly #cells = new Map<Column | undefined, BrokenCell[]>()
  readonly #counts = new Map<Column | undefined, number>()
  readonly #keepAll: boolean

  /** `keepAll`: remember every cell, not only the first of each column. */
  constructor(keepAll: boolean) {
    this.#keepAll = keepAll
  }

  add(cell: BrokenCell): void {
    const before = this.count(cell.column)
    this.rows.add(cell.row)
    this.#counts.set(cell.column, before + 1)
    const cells = this.#cells.get(cell.column) ?? []
    this.#cells.set(cell.column, cells)
    cells.push(cell)
    // Readers may deliver rows out of order, so the first are known only once all have arrived.
    if (!this.#keepAll && cell.column !== undefined && cells.length > 50 * SHOWN) keepFirst(cells)
  }

  /** In file order, and the cells of a row in the order of columns. */
  get cells(): readonly BrokenCell[] {
    const columns = [undefined, ...ID_COLUMNS, ...NUMBER_COLUMNS]
    return columns.flatMap((column) => this.#cells.get(column) ?? []).toSorted((a, b) => a.row - b.row)
  }

  /** Number of cells of a column that break its rule; for `undefined`, of rows that cannot be read at all. */
  count(column: Column | undefined): number {
    return this.#counts.get(column) ?? 0
  }
}

function keepFirst(cells: BrokenCell[]): void {
  cells.sort((a, b) => a.row - b.row)
  cells.length = SHOWN
}

/** Reads all rows of a source, checks each against the rules, and assigns dense indices to ids. */
export async function buildLog(
  source: RowSource,
  origins: ColumnOrigins,
  options: BuildOptions = {},
): Promise<BuiltLog> {
  const { onBadRow = 'stop' } = options
  const idColumns = ID_COLUMNS.filter((column) => origins[column])
  const numberColumns = NUMBER_COLUMNS.filter((column) => origins[column])
  const labelColumns = Object.keys(origins).filter(isLabelColumn)
  const furtherColumns = Object.keys(origins).filter(isFurtherColumn)
  const table = new GrowingTable(
    [...idColumns, ...labelColumns],
    [...numberColumns, ...furtherColumns],
    source.expectedRows ?? 0,
  )
  const broken = new BrokenCells(onBadRow === 'skip')

  for await (const batch of source.batches(options.signal)) {
    throwIfAborted(options.signal)
    const start = table.rows
    table.append(batch, expectedOf(source, start + batch.rows))
    for (const cell of brokenCells(batch, start, idColumns, numberColumns)) broken.add(cell)
    options.progress?.(progressOf(source, table.rows))
  }
  // A source that is interrupted ends early, without an error.
  throwIfAborted(options.signal)
  if (table.rows === 0)
    throw new HindcastError('bad-file', `${source.name} has no rows.`, {
      remedy: 'Give a log with at least one impression.',
    })
  const badRows = broken.rows
  if (badRows.size > 0 && onBadRow === 'stop')
    throw await badRowsError(source, origins, broken.cells, badRows.size)

  let places: Uint32Array | undefined
  if (badRows.size > 0 && onBadRow === 'skip') {
    await options.onSkipped?.(await tellBrokenCells(source, origins, broken.cells))
    if (badRows.size === table.rows) throw await badRowsError(source, origins, broken.cells, badRows.size)
    places = table.leaveOut(badRows)
  }
  const log = table.finish(source, options.rewardOf)
  return { log, broken, skipped: onBadRow === 'skip' ? badRows.size : 0, ...(places && { places }) }
}

/** About how many rows there will be, judging by those that so many bytes held; without end if unknown. */
const expectedOf = ({ bytes }: RowSource, rows: number): number =>
  bytes && bytes.read > 0 ? Math.ceil(((rows * bytes.total) / bytes.read) * 1.02) : Infinity

/** Reading progress: in rows if their number is known, else in bytes. */
function progressOf({ expectedRows, bytes }: RowSource, rows: number): Progress {
  if (expectedRows === undefined && bytes)
    return { what: 'reading', done: bytes.read, total: bytes.total, unit: 'bytes' }
  return {
    what: 'reading',
    done: rows,
    ...(expectedRows !== undefined && { total: expectedRows }),
    unit: 'rows',
  }
}

/** The cells of a batch that break a rule; `start` is the place of its first row. */
export function brokenCells(
  batch: Batch,
  start: number,
  idColumns: readonly IdColumn[],
  numberColumns: readonly NumberColumn[],
): BrokenCell[] {
  const cells: BrokenCell[] = []
  const placeOf = (k: number): number => (batch.places ? batch.places[k]! : start + k)
  const add = (k: number, column: Column): void => {
    if (!batch.broken?.has(k)) cells.push({ row: placeOf(k), column })
  }
  for (const [k, structure] of batch.broken ?? [])
    cells.push({ row: placeOf(k), column: undefined, structure })
  for (const column of idColumns) {
    const codes = batch.ids[column]!
    // Nearly all batches have every id, which `includes` finds out fastest.
    if (!codes.includes(MISSING)) continue
    for (let k = 0; k < batch.rows; k++) if (codes[k] === MISSING) add(k, column)
  }
  for (const column of numberColumns) {
    const values = batch.numbers[column]!
    for (const k of outsideRule(column, values, batch.rows)) add(k, column)
  }
  return cells
}

/** The places where the first `rows` values break the rule of their column. Nearly all obey it, so the common path is two comparisons. */
function outsideRule(column: NumberColumn, values: Float64Array, rows: number): number[] {
  const { least, most, whole = false } = RULES[column]
  const broken: number[] = []
  for (let k = 0; k < rows; k++) {
    const value = values[k]!
    if (!(value >= least && value <= most) || (whole && !Number.isInteger(value))) broken.push(k)
  }
  return broken
}

/** Columns that grow as batches arrive. */
class GrowingTable {
  rows = 0
  #capacity: number
  readonly #ids = new Map<CodedColumn, Uint32Array>()
  readonly #numbers = new Map<NumericColumn, Float64Array>()

  constructor(
    idColumns: readonly CodedColumn[],
    numberColumns: readonly NumericColumn[],
    expectedRows: number,
  ) {
    this.#capacity = Math.max(expectedRows, 1024)
    for (const column of idColumns) this.#ids.set(column, new Uint32Array(this.#capacity))
    for (const column of numberColumns) this.#numbers.set(column, new Float64Array(this.#capacity))
  }

  /** `expected`: about how many rows there will be. Twice as many as now are made room for at most. */
  append(batch: Batch, expected: number): void {
    const end = this.rows + batch.rows
    if (end > this.#capacity) this.#grow(Math.max(end, Math.min(expected, 2 * end)))
    for (const [column, values] of this.#ids) place(values, batch.ids[column]!, batch, this.rows)
    for (const [column, values] of this.#numbers) place(values, batch.numbers[column]!, batch, this.rows)
    this.rows = end
  }

  #grow(needed: number): void {
    this.#capacity = needed
    for (const [column, values] of this.#ids) {
      const larger = new Uint32Array(this.#capacity)
      larger.set(values)
      this.#ids.set(column, larger)
    }
    for (const [column, values] of this.#numbers) {
      const larger = new Float64Array(this.#capacity)
      larger.set(values)
      this.#numbers.set(column, larger)
    }
  }

  /** Removes the given rows and returns the file positions of those that remain. */
  leaveOut(bad: ReadonlySet<number>): Uint32Array {
    const places = new Uint32Array(this.rows - bad.size)
    let kept = 0
    for (let row = 0; row < this.rows; row++) if (!bad.has(row)) places[kept++] = row
    for (const values of [...this.#ids.values(), ...this.#numbers.values()])
      for (let k = 0; k < kept; k++) values[k] = values[places[k]!]!
    this.rows = kept
    return places
  }

  finish(source: RowSource, rewardOf: ((value: number) => number) | undefined): Log {
    const indexed: Partial<Record<IdColumn, Labels>> = {}
    const labels: [string, Labels][] = []
    for (const [column, codes] of this.#ids) {
      const index = codes.length === this.rows ? codes : codes.slice(0, this.rows)
      // What was copied need not be kept.
      this.#ids.delete(column)
      const ids = indexDensely(index, source, column)
      if (isLabelColumn(column)) labels.push([labelName(column), { index, ids }])
      else indexed[column] = { index, ids }
    }
    const numbers: Partial<Record<NumberColumn, Float64Array>> = {}
    const further: [string, Float64Array][] = []
    for (const [column, held] of this.#numbers) {
      const values = held.length === this.rows ? held : held.slice(0, this.rows)
      this.#numbers.delete(column)
      if (isFurtherColumn(column)) further.push([furtherName(column), values])
      else numbers[column] = values
    }
    const reward = numbers.reward!
    if (rewardOf)
      for (let k = 0; k < reward.length; k++)
        if (Number.isFinite(reward[k]!)) reward[k] = rewardOf(reward[k]!)
    const { user, item, slate, cluster } = indexed
    const { propensity, target, position, time, weight, q, v } = numbers
    return {
      rows: this.rows,
      user: user!.index,
      item: item!.index,
      userIds: user!.ids,
      itemIds: item!.ids,
      catalogueKnown: false,
      reward,
      propensitySource: propensity ? 'logged' : 'none',
      ...given({ propensity, target, position, time, weight, q, v }),
      ...(slate && { slate: slate.index, slateIds: slate.ids }),
      ...(cluster && { cluster: cluster.index, clusterIds: cluster.ids }),
      ...(labels.length > 0 && { labels: Object.fromEntries(labels) }),
      ...(further.length > 0 && { numbers: Object.fromEntries(further) }),
    }
  }
}

function place<Values extends Uint32Array | Float64Array>(
  into: Values,
  from: Values,
  batch: Batch,
  start: number,
): void {
  const { places, rows } = batch
  if (!places) into.set(rows === from.length ? from : from.subarray(0, rows), start)
  else for (let k = 0; k < rows; k++) into[places[k]!] = from[k]!
}

/** The error for a code that stands for nothing: the file says one thing of its ids and holds another. */
const unknownCode = (name: string): HindcastError =>
  new HindcastError('bad-file', `${name} has ids outside the range that it declares: it is damaged.`, {
    remedy: 'Export or copy the file again.',
  })

/** Replaces codes, in place, with indices into the ordered ids that occur, and returns those ids. */
function indexDensely(index: Uint32Array, source: RowSource, column: CodedColumn): string[] {
  const codes = source.codes(column)
  const occurs = new Uint8Array(codes.count)
  let anyMissing = false
  for (let k = 0; k < index.length; k++) {
    const code = index[k]!
    if (code < codes.count) occurs[code] = 1
    else if (code === MISSING) anyMissing = true
    else throw unknownCode(source.name)
  }
  const occurring = placesOfOnes(occurs)
  if (codes.ordered && !anyMissing) {
    if (occurring.length < codes.count) renumber(index, occurring, codes.count)
    return textsOf(occurring, (code) => source.idText(column, code))
  }
  // Labels may be missing; only the doctor sees logs with missing ids. They share one more code, and the empty text.
  const all = anyMissing ? withLast(occurring, codes.count) : occurring
  if (anyMissing) for (let k = 0; k < index.length; k++) if (index[k] === MISSING) index[k] = codes.count
  const texts = textsOf(all, (code) => (code === codes.count ? NO_LABEL : source.idText(column, code)))
  const order = orderOfIds(texts)
  renumber(
    index,
    order.map((place) => all[place]!),
    codes.count + 1,
  )
  return Array.from(order, (place) => texts[place]!)
}

function placesOfOnes(marks: Uint8Array): Uint32Array {
  let count = 0
  for (let k = 0; k < marks.length; k++) count += marks[k]!
  const places = new Uint32Array(count)
  let found = 0
  for (let k = 0; k < marks.length; k++) if (marks[k]) places[found++] = k
  return places
}

function withLast(codes: Uint32Array, last: number): Uint32Array {
  const longer = new Uint32Array(codes.length + 1)
  longer.set(codes)
  longer[codes.length] = last
  return longer
}

function textsOf(codes: Uint32Array, textOf: (code: number) => string): string[] {
  const texts: string[] = []
  for (let k = 0; k < codes.length; k++) texts.push(textOf(codes[k]!))
  return texts
}

/** Replaces each code, all below `count`, with its position in a list of codes. */
function renumber(index: Uint32Array, codes: Uint32Array, count: number): void {
  const placeOf = new Uint32Array(count)
  for (let place = 0; place < codes.length; place++) placeOf[codes[place]!] = place
  for (let k = 0; k < index.length; k++) index[k] = placeOf[index[k]!]!
}
