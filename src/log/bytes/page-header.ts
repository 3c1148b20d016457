import { type ThriftFields, ThriftReader } from './thrift.js'

/** What the header of a page of Parquet says. */
export interface PageHeader {
  readonly kind: 'dictionary' | 'first' | 'second'
  /** The bytes of the page in the file. */
  readonly size: number
  /** The bytes of the page once decompressed. */
  readonly decompressed: number
  readonly values: number
  readonly encoding: number
  /** Of a page of the second version, whose levels are never compressed. */
  readonly second?: {
    readonly nulls: number
    readonly rows: number
    readonly repetitionSize: number
    readonly definitionSize: number
    readonly isCompressed: boolean
  }
}

const PLAIN = 0
export const PLAIN_DICTIONARY = 2
export const RLE = 3
export const RLE_DICTIONARY = 8
const LAST_ENCODING = 9

/**
 * The header at a place and the place behind it. A field that the format requires must be there, with its type: readers
 * differ in what they make of any other.
 */
export function pageHeader(bytes: Uint8Array, at: number): { header: PageHeader; next: number } {
  const reader = new ThriftReader(bytes, at)
  const fields = reader.structure()
  const type = integer(fields, 1)
  const decompressed = integer(fields, 2)
  const size = integer(fields, 3)
  if (size < 0) throw new Error(`A page has ${size} bytes.`)
  if (type === 0) {
    const page = structure(fields, 5)
    integer(page, 3)
    integer(page, 4)
    return { header: { kind: 'first', size, decompressed, ...counted(page, 1, 2) }, next: reader.at }
  }
  if (type === 2) {
    const header: PageHeader = {
      kind: 'dictionary',
      size,
      decompressed,
      ...counted(structure(fields, 7), 1, 2),
    }
    if (header.encoding !== PLAIN && header.encoding !== PLAIN_DICTIONARY)
      throw new Error(`A dictionary has the encoding ${header.encoding}.`)
    return { header, next: reader.at }
  }
  if (type !== 3) throw new Error(`A page has the unknown type ${type}.`)
  const page = structure(fields, 8)
  const compressed = page.get(7)
  const second = {
    nulls: integer(page, 2),
    rows: integer(page, 3),
    definitionSize: integer(page, 5),
    repetitionSize: integer(page, 6),
    isCompressed: !(compressed?.kind === 'truth' && !compressed.value),
  }
  const { nulls, rows, definitionSize, repetitionSize } = second
  const header: PageHeader = { kind: 'second', size, decompressed, ...counted(page, 1, 4), second }
  const isSound = nulls >= 0 && rows >= 0 && rows <= header.values && nulls <= header.values
  if (!second.isCompressed && decompressed !== size) throw new Error('A page has two sizes.')
  if (!isSound || definitionSize < 0 || repetitionSize < 0 || definitionSize + repetitionSize > size)
    throw new Error('A page contradicts itself.')
  return { header, next: reader.at }
}

function counted(
  page: ThriftFields,
  values: number,
  encoding: number,
): Pick<PageHeader, 'values' | 'encoding'> {
  const counts = { values: integer(page, values), encoding: integer(page, encoding) }
  if (counts.values < 0) throw new Error(`A page has ${counts.values} values.`)
  if (counts.encoding < 0 || counts.encoding > LAST_ENCODING) throw new Error('A page has no known encoding.')
  return counts
}

function integer(fields: ThriftFields, field: number): number {
  const found = fields.get(field)
  if (found?.kind !== 'integer') throw new Error(`A page has no field ${field}.`)
  return found.value
}

function structure(fields: ThriftFields, field: number): ThriftFields {
  const found = fields.get(field)
  if (found?.kind !== 'structure') throw new Error(`A page has no header ${field}.`)
  return found.fields
}

/** The header of a filter of values, which only some readers look at, must say how long it is and how it is made. */
export function requireFilterHeader(bytes: Uint8Array): void {
  const fields = new ThriftReader(bytes, 0).structure()
  if (integer(fields, 1) < 0) throw new Error('A filter has no bytes.')
  for (const choice of [2, 3, 4])
    if (!structure(fields, choice).has(1)) throw new Error('A filter does not say how it is made.')
}
