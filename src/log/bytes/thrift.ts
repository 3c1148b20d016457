/** A value of Thrift's compact protocol, as far as Parquet uses it: numbers, truths and structures; texts and lists are passed over. */
export type ThriftValue =
  | { readonly kind: 'integer'; readonly value: number }
  | { readonly kind: 'truth'; readonly value: boolean }
  | { readonly kind: 'structure'; readonly fields: ThriftFields }
  | { readonly kind: 'other' }

export type ThriftFields = ReadonlyMap<number, ThriftValue>

/** The type that a field is declared to have; of a structure also those of its fields, of a list that of its elements. */
export interface DeclaredType {
  readonly type: number
  readonly fields?: DeclaredFields
  readonly of?: DeclaredType
}

export type DeclaredFields = Readonly<Record<number, DeclaredType>>

const [STOP, TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, STRUCT] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12,
]
const DEEPEST = 16

/** The types that fields are declared with. */
export const declared = {
  i32: { type: I32 },
  i64: { type: I64 },
  binary: { type: BINARY },
  listOf: (of: DeclaredType): DeclaredType => ({ type: LIST, of }),
  structure: (fields: DeclaredFields): DeclaredType => ({ type: STRUCT, fields }),
} as const

/** Reads structures one after another; throws where the bytes end within one, or a field has another type than it is declared with. */
export class ThriftReader {
  readonly #bytes: Uint8Array
  at: number

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes
    this.at = at
  }

  structure(expected: DeclaredFields = {}, depth = 0): ThriftFields {
    if (depth > DEEPEST) throw new Error('A structure is nested too deeply.')
    const fields = new Map<number, ThriftValue>()
    let field = 0
    for (;;) {
      const head = this.#byte()
      const type = head & 15
      if (type === STOP) return fields
      field = head >> 4 === 0 ? this.#zigzag() : field + (head >> 4)
      fields.set(field, this.#value(type, depth, expected[field]))
    }
  }

  #value(type: number, depth: number, expected?: DeclaredType): ThriftValue {
    if (expected && expected.type !== type)
      throw new Error(`A field has the type ${type}, not ${expected.type}.`)
    if (type === TRUE || type === FALSE) return { kind: 'truth', value: type === TRUE }
    if (type === I32) return { kind: 'integer', value: this.#zigzag() }
    if (type === STRUCT) return { kind: 'structure', fields: this.structure(expected?.fields, depth + 1) }
    if (type === I16 || type === I64) this.#zigzag()
    else if (type === BYTE) this.at++
    else if (type === DOUBLE) this.at += 8
    else if (type === BINARY) {
      const length = this.#varint()
      this.at += length
    } else if (type === LIST) this.#list(depth, expected?.of)
    else throw new Error(`A field has the unknown type ${type}.`)
    return { kind: 'other' }
  }

  #list(depth: number, of: DeclaredType | undefined): void {
    const head = this.#byte()
    const count = head >> 4 === 15 ? this.#varint() : head >> 4
    const type = head & 15
    for (let k = 0; k < count; k++)
      if (type === TRUE || type === FALSE) this.#byte()
      else this.#value(type, depth + 1, of)
  }

  #zigzag(): number {
    const value = this.#varint()
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2
  }

  #varint(): number {
    let value = 0
    for (let k = 0; k < 10; k++) {
      const byte = this.#byte()
      value += (byte & 0x7f) * 2 ** (7 * k)
      if (byte < 0x80) return value
    }
    throw new Error('A number has no end.')
  }

  #byte(): number {
    const byte = this.#bytes[this.at++]
    if (byte === undefined) throw new Error('A structure ends too early.')
    return byte
  }
}
