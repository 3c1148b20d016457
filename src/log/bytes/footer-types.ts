import type { AsyncBuffer } from 'hyparquet'
import { declared, ThriftReader } from './thrift.js'

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
