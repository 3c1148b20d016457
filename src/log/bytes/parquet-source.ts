import { type AsyncBuffer, type FileMetaData, parquetMetadataAsync, parquetRead } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { HindcastError } from '../../error.js'
import type { ColumnOrigins } from '../bad-rows.js'
import type { Cell } from '../cell.js'
import type { RawRow, RowSource } from '../source.js'
import { holdsPages, type Shape, ShapeFinder, usedNames } from '../shape.js'
import { BatchCollector, type CellColumn } from './batch-collector.js'
import { parseJson } from './exact-json.js'
import { requireFooterTypes, requireWhole, soundCells, topLevelElements } from './sound-parquet.js'
import { type ByteInput, bytesInput, concatenate } from './input.js'
import { columnsOfName, parquetShape, textColumns } from './parquet-shape.js'
import { keeping, type RowFilter, shapedRows } from './shaped-rows.js'
import { type SoundPages, soundPages } from './sound-pages.js'
import { rawCells } from './text-source.js'
import { unwrapped, type Wrap } from './wraps.js'

/** A Parquet file whose footer has been read. */
export interface OpenParquet {
  readonly name: string
  readonly file: AsyncBuffer
  readonly metadata: FileMetaData
  readonly columns: readonly string[]
  /** The columns of text. */
  readonly textColumns: ReadonlySet<string>
  /** What its cells hold besides single values. */
  readonly shape: Shape
  readonly pages: SoundPages
}

/** Text keeps a byte order mark, and is an error where it is not UTF-8: ids must not change. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true })

/** Times keep their microseconds, as fractions of a millisecond. */
const parsers = {
  timestampFromMilliseconds: (value: bigint) => Number(value),
  timestampFromMicroseconds: (value: bigint) => Number(value) / 1000,
  timestampFromNanoseconds: (value: bigint) => Number(value / 1000n) / 1000,
  stringFromBytes: (bytes: Uint8Array | undefined) => bytes && decoder.decode(bytes),
  jsonFromBytes: (bytes: Uint8Array | undefined) => bytes && parseJson(decoder.decode(bytes)),
}

export async function openParquet(input: ByteInput, wraps: readonly Wrap[]): Promise<OpenParquet> {
  const source =
    wraps.length > 0
      ? bytesInput(input.name, await concatenate(unwrapped(input.name, input.stream(), wraps)))
      : input
  const file: AsyncBuffer = {
    byteLength: source.byteLength,
    slice: async (start, end) => bufferOf(await source.slice(start, end)),
  }
  try {
    const metadata = await parquetMetadataAsync(file)
    await requireFooterTypes(file)
    requireWhole(metadata, file.byteLength)
    const pages = soundPages(file, metadata, compressors)
    return {
      name: input.name,
      file,
      metadata: pages.metadata,
      pages,
      columns: topLevelElements(metadata).map(({ name }) => name),
      textColumns: textColumns(metadata),
      shape: parquetShape(metadata),
    }
  } catch (cause) {
    throw damaged(input.name, cause)
  }
}

/** The bytes as a separate buffer: an array may be a view of a larger one, as slices of Node's Buffer are. */
const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): ArrayBuffer =>
  byteLength === buffer.byteLength
    ? (buffer as ArrayBuffer)
    : (buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer)

/** The error for a Parquet file that cannot be read. */
export const damaged = (name: string, cause: unknown): HindcastError =>
  new HindcastError('bad-file', `${name} cannot be read as Parquet: it is truncated or damaged.`, {
    remedy: 'Export or copy the file again.',
    cause,
  })

/** Rows of a Parquet file, read from its bytes one row group at a time; of the records that a filter keeps, where there is one. */
export function parquetSource(parquet: OpenParquet, origins: ColumnOrigins, filter?: RowFilter): RowSource {
  const isPaged = holdsPages(origins, { names: parquet.columns, shape: parquet.shape })
  const columns = columnsFor(parquet, origins, filter)
  const shaped = keeping(
    filter,
    { names: columns, shape: parquet.shape },
    shapedRows(columns, parquet.shape, origins),
  )
  const collector = new BatchCollector(shaped.names, origins)
  return {
    name: parquet.name,
    lineUnit: 'row',
    ...(!isPaged && !filter && { expectedRows: Number(parquet.metadata.num_rows) }),
    async *batches(signal) {
      const visit = shaped.into(collector.visit)
      const single = !filter && shaped.names === columns ? collector.single : undefined
      for (const [start, end] of rowGroups(parquet)) {
        if (signal?.aborted) return
        const cells = await readColumns(parquet, columns, start, end)
        if (single) takeColumns(collector, single, cells, end - start)
        else
          for (let row = 0; row < end - start; row++)
            visit(
              start + row + 1,
              cells.map((column) => column[row]),
            )
        yield collector.flush()
      }
    },
    codes: (column) => collector.codes(column),
    idText: (column, code) => collector.idText(column, code),
    ...(!isPaged && !filter && { linesOf: (places) => places.map((place) => place + 1) }),
    rawRows: (places) =>
      isPaged || filter ? rowsOneByOne(parquet, origins, places, filter) : rowsAt(parquet, origins, places),
  }
}

/** Collects rows column by column. */
function takeColumns(
  collector: BatchCollector,
  { coded, numeric }: NonNullable<BatchCollector['single']>,
  cells: readonly CellColumn[],
  rows: number,
): void {
  const from = collector.reserve(rows)
  for (const one of coded) one.take(cells[one.place]!, from)
  for (const one of numeric) one.take(cells[one.place]!, from)
  collector.add(rows)
}

/** The first row of each row group, and the one after its last. */
function* rowGroups({ metadata }: OpenParquet): Generator<readonly [start: number, end: number]> {
  let start = 0
  for (const group of metadata.row_groups) {
    const end = start + Number(group.num_rows)
    yield [start, end]
    start = end
  }
}

/** The rows at these places of the file. */
async function rowsAt(
  parquet: OpenParquet,
  origins: ColumnOrigins,
  places: readonly number[],
): Promise<RawRow[]> {
  const rows: RawRow[] = []
  const shaped = shapedRows(parquet.columns, parquet.shape, origins)
  const visit = shaped.into((line, cells) => rows.push({ line, cells: rawCells(shaped.names, cells) }))
  for (const place of places) visit(place + 1, await cellsAt(parquet, origins, place))
  return rows
}

/** The cells of a row; one that no column of the log is made of may be of a kind that cannot be read. */
async function cellsAt(parquet: OpenParquet, origins: ColumnOrigins, place: number): Promise<Cell[]> {
  const used = columnsBehind(parquet, origins)
  const cells: Cell[] = []
  for (const column of parquet.columns)
    try {
      const [only] = await readColumns(parquet, [column], place, place + 1)
      cells.push(only![0])
    } catch (error) {
      if (used.includes(column)) throw error
      cells.push(undefined)
    }
  return cells
}

/** The columns of the file that those of the log are read from. */
function columnsBehind(parquet: OpenParquet, origins: ColumnOrigins): string[] {
  const names = usedNames({ names: parquet.columns, shape: parquet.shape }, origins)
  return [...new Set(names.flatMap((name) => columnsOfName(parquet, name)))]
}

/** The columns behind those of the log, and the one that a filter looks at. */
const columnsFor = (
  parquet: OpenParquet,
  origins: ColumnOrigins,
  filter: RowFilter | undefined,
): string[] => [
  ...new Set([...columnsBehind(parquet, origins), ...(filter ? columnsOfName(parquet, filter.column) : [])]),
]

/** The rows at these places among those of all pages, or among those that a filter keeps, up to the last of them. */
async function rowsOneByOne(
  parquet: OpenParquet,
  origins: ColumnOrigins,
  places: readonly number[],
  filter: RowFilter | undefined,
): Promise<RawRow[]> {
  const rows: RawRow[] = []
  const used = columnsFor(parquet, origins, filter)
  const shaped = keeping(
    filter,
    { names: used, shape: parquet.shape },
    shapedRows(used, parquet.shape, origins),
  )
  let place = 0
  const visit = shaped.into((line, cells) => {
    if (place++ === places[rows.length]) rows.push({ line, cells: rawCells(shaped.names, cells) })
  })
  for (const [start, end] of rowGroups(parquet)) {
    const columns = await readColumns(parquet, used, start, end)
    for (let row = 0; row < end - start; row++)
      visit(
        start + row + 1,
        columns.map((column) => column[row]),
      )
    if (rows.length === places.length) break
  }
  return rows
}

/** The file with the paths into those of its columns whose cells are texts of JSON, as their first rows show them. */
export async function openTexts(parquet: OpenParquet): Promise<OpenParquet> {
  const texts = parquet.columns.filter((column) => parquet.textColumns.has(column))
  const cells = await firstParquetRows({ ...parquet, columns: texts }, LOOKED_AT)
  const all = parquet.columns.map((column) => cells[texts.indexOf(column)])
  return { ...parquet, shape: withTexts(parquet, all) }
}

/** The shape of a file, with what the texts among the first cells of its columns hold. */
export function withTexts(
  { columns, shape, textColumns: texts }: Pick<OpenParquet, 'columns' | 'shape' | 'textColumns'>,
  cells: readonly (readonly Cell[] | undefined)[],
): Shape {
  const finder = new ShapeFinder(columns)
  columns.forEach((column, k) => {
    if (texts.has(column)) for (const cell of cells[k] ?? []) finder.add(column, cell)
  })
  const seen = finder.shape()
  return { paths: new Map([...shape.paths, ...seen.paths]), texts: seen.texts }
}

const LOOKED_AT = 1000

/** For its first rows, no column is read further than this, if its pages have the usual size. */
const FIRST_BYTES = 1 << 21
/** A column in one page must be decoded whole: up to this size, that takes negligible time. */
const LARGEST_PAGE = 1 << 25

/**
 * The cells of the first rows of each column, reading little of a large file: undefined if a column would have to be
 * decoded to its end, none if it has many lists or records.
 */
export async function firstParquetRows(
  parquet: OpenParquet,
  count: number,
): Promise<(readonly Cell[] | undefined)[]> {
  const { file, metadata, columns } = parquet
  const end = Math.min(count, Number(metadata.num_rows))
  const start: AsyncBuffer = {
    byteLength: file.byteLength,
    slice: (from, to = file.byteLength) => file.slice(from, Math.min(to, from + FIRST_BYTES)),
  }
  const cells: (readonly Cell[] | undefined)[] = []
  for (const name of columns) {
    const chunk = metadata.row_groups[0]?.columns.find((one) => one.meta_data?.path_in_schema[0] === name)
    const { path_in_schema: path = [], total_uncompressed_size: size = 0n } = chunk?.meta_data ?? {}
    const read = (from: AsyncBuffer): Promise<Cell[] | undefined> =>
      readColumns({ ...parquet, file: from }, [name], 0, end).then(([column]) => column && Array.from(column))
    if (path.length > 1 && size > LARGEST_PAGE) cells.push([])
    else cells.push(await read(start).catch(() => (size <= LARGEST_PAGE ? read(file) : undefined)))
  }
  return cells
}

/** The cells of rows [start, end), one list per column. */
async function readColumns(
  { name, file, metadata, pages }: OpenParquet,
  columns: readonly string[],
  start: number,
  end: number,
): Promise<CellColumn[]> {
  const parts = new Map(columns.map((column) => [column, [] as CellColumn[]]))
  try {
    await pages.check(columns, ...groupsOf(metadata, start, end))
    await parquetRead({
      file,
      metadata,
      columns: [...columns],
      rowStart: start,
      rowEnd: end,
      parsers,
      // Pages may hold more rows than those asked for.
      onChunk: ({ columnName, columnData, rowStart, rowEnd }) => {
        const [from, to] = [Math.max(start, rowStart), Math.min(end, rowEnd)]
        if (from < to)
          parts.get(columnName)!.push(cut(columnData as CellColumn, from - rowStart, to - rowStart))
      },
    })
    return columns.map((column) => soundCells(metadata, column, together(parts.get(column)!), end - start))
  } catch (cause) {
    throw damaged(name, cause)
  }
}

const cut = (cells: CellColumn, from: number, to: number): CellColumn =>
  from === 0 && to === cells.length ? cells : (cells as readonly Cell[]).slice(from, to)

/** Parts of a column in one list; the only part as it is. */
function together(parts: readonly CellColumn[]): CellColumn {
  if (parts.length === 1) return parts[0]!
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const numbers = parts.every((part) => part instanceof Float64Array) && new Float64Array(length)
  const integers = parts.every((part) => part instanceof BigInt64Array) && new BigInt64Array(length)
  const whole = numbers || integers || Array.from<Cell>({ length })
  let at = 0
  for (const part of parts) for (let k = 0; k < part.length; k++) (whole as Cell[])[at++] = part[k]
  return whole
}

/** The row groups of rows [start, end): the first, and the one after the last. */
function groupsOf({ row_groups }: FileMetaData, start: number, end: number): [first: number, end: number] {
  let passed = 0
  const ends = row_groups.map(({ num_rows }) => (passed += Number(num_rows)))
  return [ends.findIndex((last) => last > start), ends.findIndex((last) => last >= end) + 1]
}

/** Throws if a page of the columns that the log is made of contradicts the footer or itself. */
export async function requireSoundPages(parquet: OpenParquet, origins: ColumnOrigins): Promise<void> {
  try {
    await parquet.pages.check(columnsBehind(parquet, origins), 0, parquet.metadata.row_groups.length)
  } catch (cause) {
    throw damaged(parquet.name, cause)
  }
}
