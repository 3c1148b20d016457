import { type AsyncBuffer, type FileMetaData, parquetMetadataAsync, parquetRead } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { HindcastError } from '../../error.js'
import type { ColumnOrigins } from '../bad-rows.js'
import { type Cell, cellText } from '../cell.js'
import type { RowSource } from '../source.js'
import { parseJson } from './exact-json.js'
import { type ByteInput, bytesInput, concatenate, gunzip } from './input.js'
import { requireWhole, soundCells, topLevelElements } from './sound-parquet.js'
import { BatchCollector } from './text-source.js'

/** A Parquet file whose footer has been read. */
export interface OpenParquet {
  readonly name: string
  readonly file: AsyncBuffer
  readonly metadata: FileMetaData
  readonly columns: readonly string[]
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

export async function openParquet(input: ByteInput, gzip: boolean): Promise<OpenParquet> {
  const source = gzip ? bytesInput(input.name, await concatenate(gunzip(input.name, input.stream()))) : input
  const file: AsyncBuffer = {
    byteLength: source.byteLength,
    slice: async (start, end) => bufferOf(await source.slice(start, end)),
  }
  try {
    const metadata = await parquetMetadataAsync(file)
    requireWhole(metadata, file.byteLength)
    return { name: input.name, file, metadata, columns: topLevelElements(metadata).map(({ name }) => name) }
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

/** Rows of a Parquet file, read from its bytes one row group at a time. */
export function parquetSource(parquet: OpenParquet, origins: ColumnOrigins): RowSource {
  const names = [...new Set(Object.values(origins).flat())]
  const collector = new BatchCollector(names, origins)
  return {
    name: parquet.name,
    lineUnit: 'row',
    expectedRows: Number(parquet.metadata.num_rows),
    async *batches(signal) {
      let start = 0
      for (const group of parquet.metadata.row_groups) {
        if (signal?.aborted) return
        const end = start + Number(group.num_rows)
        const columns = await readColumns(parquet, names, start, end)
        for (let row = 0; row < end - start; row++)
          collector.visit(
            start + row + 1,
            columns.map((column) => column[row]),
          )
        yield collector.flush()
        start = end
      }
    },
    codes: (column) => collector.codes(column),
    idText: (column, code) => collector.idText(column, code),
    async rawRows(places) {
      const rows = []
      for (const place of places) {
        const cells: Record<string, string | undefined> = {}
        for (const column of parquet.columns)
          cells[column] = cellText(await rawCell(parquet, names, column, place))
        rows.push({ line: place + 1, cells })
      }
      return rows
    },
  }
}

/** A cell as it is; one that no column of the log is made of may be of a kind that cannot be read. */
async function rawCell(
  parquet: OpenParquet,
  used: readonly string[],
  column: string,
  place: number,
): Promise<Cell> {
  try {
    return (await readColumns(parquet, [column], place, place + 1))[0]![0]
  } catch (error) {
    if (used.includes(column)) throw error
    return undefined
  }
}

/** For its first rows, no column is read further than this, if its pages have the usual size. */
const FIRST_BYTES = 1 << 21
/** A column in one page must be decoded whole: up to this size, that takes negligible time. */
const LARGEST_PAGE = 1 << 25

/**
 * The cells of the first rows of each column, reading little of a large file: undefined if a column would have to be
 * decoded to its end, none if its cells are lists or records.
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
      readColumns({ ...parquet, file: from }, [name], 0, end).then(([column]) => column)
    if (path.length > 1) cells.push([])
    else cells.push(await read(start).catch(() => (size <= LARGEST_PAGE ? read(file) : undefined)))
  }
  return cells
}

/** The cells of rows [start, end), one list per column. */
async function readColumns(
  { name, file, metadata }: OpenParquet,
  columns: readonly string[],
  start: number,
  end: number,
): Promise<Cell[][]> {
  let rows: Cell[][] = []
  try {
    await parquetRead({
      file,
      metadata,
      columns: [...columns],
      rowStart: start,
      rowEnd: end,
      rowFormat: 'array',
      compressors,
      parsers,
      onComplete: (read) => {
        rows = read
      },
    })
    const cells = columns.map((_, k) => rows.map((row) => row[k]))
    return columns.map((column, k) => soundCells(metadata, column, cells[k]!, end - start))
  } catch (cause) {
    throw damaged(name, cause)
  }
}
