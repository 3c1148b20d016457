import { describe, expect, it } from 'vitest'
import { pageHeader } from './page-header.js'
import { declared, ThriftReader } from './thrift.js'

/** Field heads of the compact protocol: the step from the last field, and the type. */
const head = (step: number, type: number): number => 16 * step + type
const [I32, I64, BINARY, STRUCT] = [5, 6, 8, 12]

describe('a structure of Thrift', () => {
  it('is read behind texts, as long as they are', () => {
    const bytes = Uint8Array.from([head(1, BINARY), 3, 97, 98, 99, head(1, I32), 2 * 7, 0])
    const reader = new ThriftReader(bytes, 0)
    expect(reader.structure().get(2)).toEqual({ kind: 'integer', value: 7 })
    expect(reader.at).toBe(bytes.length)
  })

  it('is refused where a field has another type than it is declared with', () => {
    const bytes = Uint8Array.from([head(1, STRUCT), head(3, I64), 2, 0, 0])
    const read = (type: typeof declared.i32 | typeof declared.i64): unknown =>
      new ThriftReader(bytes, 0).structure({ 1: declared.structure({ 3: type }) })
    expect(() => read(declared.i64)).not.toThrow()
    expect(() => read(declared.i32)).toThrow('A field has the type 6, not 5.')
  })
})

describe('the header of a page', () => {
  it('is read with statistics, as some writers give them', () => {
    const statistics = [head(5, STRUCT), head(1, BINARY), 1, 9, head(1, BINARY), 2, 8, 8, head(1, I64), 0, 0]
    const page = [head(1, I32), 2 * 4, head(1, I32), 0, head(1, I32), 6, head(1, I32), 6]
    const bytes = Uint8Array.from(
      [head(1, I32), 0, head(1, I32), 2 * 30, head(1, I32), 2 * 20, head(2, STRUCT), ...page]
        // The statistics are the fifth field: one behind the fourth.
        .concat([head(1, STRUCT), ...statistics.slice(1)], [0, 0]),
    )
    const { header, next } = pageHeader(bytes, 0)
    expect(header).toMatchObject({ kind: 'first', size: 20, decompressed: 30, values: 4, encoding: 0 })
    expect(next).toBe(bytes.length)
  })
})
