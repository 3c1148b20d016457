import type { AsyncBuffer, ColumnMetaData, FileMetaData, SchemaElement } from 'hyparquet'
import type { CellColumn } from './batch-collector.js'
import { declared, ThriftReader } from './thrift.js'

/**
 * Throws where the footer of a Parquet file contradicts itself: rows that are in no row group, columns with more or
 * fewer cells than rows, pages outside the file. Whoever reads the file then reads all of it.
 */
export function requireWhole(metadata: FileMetaData, byteLength: number): void {
  const rows = metadata.row_groups.reduce((sum, { num_rows }) => sum + Number(num_rows), 0)
  if (rows !== Number(metadata.num_rows))
    throw new Error(`The file has ${metadata.num_rows} rows, its row groups have ${rows}.`)
  for (const { num_rows, columns } of metadata.row_groups)
    for (const { meta_data: column } of columns) {
      if (!column) throw new Error('A column has no metadata.')
      const [name] = column.path_in_schema
      const isFlat = flatColumn(metadata, name!) !== undefined
      if (isFlat && column.num_values !== num_rows)
        throw new Error(`Column ${name} has ${column.num_values} cells in a group of ${num_rows} rows.`)
      if (hasOddExtremes(column)) throw new Error(`Column ${name} has extremes of another size.`)
      const start = Number(column.dictionary_page_offset ?? column.data_page_offset)
      const end = start + Number(column.total_compressed_size)
      if (!(start >= 0 && end >= start && end <= byteLength))
        throw new Error(`Column ${name} lies outside the file.`)
    }
}

/** Whether the least or largest value of a column of numbers has more or fewer bytes than such a number: it is left as bytes. */
function hasOddExtremes({ type, statistics: about }: ColumnMetaData): boolean {
  const isNumber = type === 'INT32' || type === 'INT64' || type === 'FLOAT' || type === 'DOUBLE'
  const extremes = [about?.min, about?.max, about?.min_value, about?.max_value]
  return isNumber && extremes.some((one) => one instanceof Uint8Array)
}

/**
 * The cells of a column, if there are as many as rows and each is a value or null: an index that its dictionary does not
 * have, or a page that ends too early, leaves a hole.
 */
export function soundCells(
  metadata: FileMetaData,
  column: string,
  cells: CellColumn,
  rows: number,
): CellColumn {
  const element = flatColumn(metadata, column)
  if (cells.length !== rows) throw new Error(`Column ${column} has ${cells.length} cells of ${rows}.`)
  if (element && Array.isArray(cells) && cells.includes(undefined))
    throw new Error(`Column ${column} has cells without a value.`)
  return element ? asRead(element, cells) : cells
}

/** The columns of a file, each with the root of its schema. */
export function topLevelElements({ schema }: FileMetaData): SchemaElement[] {
  const elements: SchemaElement[] = []
  // The schema lists the tree depth first: an element is followed by all of its descendants.
  let k = 1
  while (k < schema.length) {
    elements.push(schema[k]!)
    let pending = 1
    while (pending > 0) {
      if (k === schema.length) throw new Error('The schema ends too early.')
      pending += (schema[k++]!.num_children ?? 0) - 1
    }
  }
  return elements
}

/** The schema of a column whose cells are single values; undefined for lists and records. */
function flatColumn(metadata: FileMetaData, column: string): SchemaElement | undefined {
  const element = topLevelElements(metadata).find(({ name }) => name === column)
  return element && !element.num_children && element.repetition_type !== 'REPEATED' ? element : undefined
}

/** Cells as everyone reads them: decimals to the nearest double; times of day are neither ids nor numbers. */
function asRead(element: SchemaElement, cells: CellColumn): CellColumn {
  const { converted_type: type, logical_type: logical, scale = 0 } = element
  if (type === 'DECIMAL' || logical?.type === 'DECIMAL') {
    const factor = Number(`1e${scale}`)
    // The reader multiplies by a rounded 0.1, 0.01 …
    return Array.from(cells, (cell) => (typeof cell === 'number' ? Math.round(cell * factor) / factor : cell))
  }
  return type === 'TIME_MILLIS' || type === 'TIME_MICROS' || logical?.type === 'TIME'
    ? Array.from(cells, () => null)
    : cells
}

const { i32, i64, binary, listOf, structure } = declared

/** The fields of a footer that readers make rows of, by their numbers in the format. */
const SCHEMA_ELEMENT = structure({
  1: i32,
  2: i32,
  3: i32,
  4: binary,
  5: i32,
  6: i32,
  7: i32,
  8: i32,
  9: i32,
  10: structure({}),
})
const COLUMN = structure({
  1: i32,
  2: listOf(i32),
  3: listOf(binary),
  4: i32,
  5: i64,
  6: i64,
  7: i64,
  9: i64,
  10: i64,
  11: i64,
  12: structure({ 1: binary, 2: binary, 3: i64, 4: i64, 5: binary, 6: binary }),
  14: i64,
  15: i32,
})
const ROW_GROUP = structure({
  1: listOf(structure({ 1: binary, 2: i64, 3: COLUMN })),
  2: i64,
  3: i64,
  5: i64,
  6: i64,
})
const FOOTER = { 1: i32, 2: listOf(SCHEMA_ELEMENT), 3: i64, 4: listOf(ROW_GROUP), 6: binary }

/** Behind the footer stand its length, in four bytes, and the mark of the format. */
const BEHIND = 8

/** Throws where a field of the footer has another type than the format says: some readers pass over it, others do not. */
export async function requireFooterTypes(file: AsyncBuffer): Promise<void> {
  const end = file.byteLength - BEHIND
  const length = new DataView(await file.slice(end, end + 4)).getUint32(0, true)
  new ThriftReader(new Uint8Array(await file.slice(end - length, end)), 0).structure(FOOTER)
}
