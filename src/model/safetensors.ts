import { badOption, HindcastError } from '../error.js'

/** The numbers of a tensor, and how many there are along each axis. */
export interface Tensor {
  readonly shape: readonly number[]
  readonly data: Float32Array | Float64Array | Uint32Array | Int32Array | BigInt64Array
}

/** A safetensors file: tensors by name, and texts by name. */
export interface Safetensors {
  readonly tensors: Readonly<Record<string, Tensor>>
  readonly metadata: Readonly<Record<string, string>>
}

const TYPES = {
  F64: Float64Array,
  F32: Float32Array,
  U32: Uint32Array,
  I32: Int32Array,
  I64: BigInt64Array,
} as const
type DataType = keyof typeof TYPES

const METADATA = '__metadata__'
/** The published limit of the header, in bytes. */
const LONGEST_HEADER = 100_000_000

const DAMAGED = 'It was truncated or changed after it was written: copy or write it again.'

/**
 * The bytes of a safetensors file: the length of the header in eight bytes, the header in JSON, padded with
 * spaces to a multiple of eight, then the numbers, little-endian, the widest type first so that all are
 * aligned. The same tensors give the same bytes.
 */
export function encodeSafetensors(
  tensors: Safetensors['tensors'],
  metadata: Safetensors['metadata'] = {},
): Uint8Array<ArrayBuffer> {
  const named = Object.entries(tensors).toSorted(
    ([, a], [, b]) => b.data.BYTES_PER_ELEMENT - a.data.BYTES_PER_ELEMENT,
  )
  // Entries, not assignments: a tensor may be called `__proto__`.
  const header: [string, unknown][] = Object.keys(metadata).length > 0 ? [[METADATA, metadata]] : []
  let end = 0
  for (const [name, { shape, data }] of named) {
    if (name === METADATA || elementsOf(shape) !== data.length)
      throw badOption(
        `A tensor ${JSON.stringify(name)} of ${data.length} numbers and shape [${shape.join(', ')}] cannot be written.`,
        'Give a name of your own, and a shape whose product is the number of values.',
      )
    header.push([name, { dtype: typeOf(data), shape, data_offsets: [end, (end += data.byteLength)] }])
  }
  const text = new TextEncoder().encode(JSON.stringify(Object.fromEntries(header)))
  const length = Math.ceil(text.length / 8) * 8
  const bytes = new Uint8Array(8 + length + end).fill(0x20, 8, 8 + length)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(length), true)
  bytes.set(text, 8)
  let place = 8 + length
  for (const [, { data }] of named) {
    bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), place)
    place += data.byteLength
  }
  return bytes
}

/**
 * Reads a safetensors file of F64, F32, U32, I32 and I64 tensors; `name` is what messages call it. Refused are files cut short,
 * headers that are not JSON of the published layout, other types, shapes that do not fit their bytes, and bytes that
 * belong to no tensor or to two. NaN is a number like others here. The arrays are copies.
 */
export function decodeSafetensors(bytes: Uint8Array, name = 'The file'): Safetensors {
  const refuse = (reason: string, cause?: unknown, remedy = DAMAGED): HindcastError =>
    new HindcastError('bad-file', `${name} is not a valid safetensors file: ${reason}.`, { remedy, cause })
  if (bytes.length < 8)
    throw refuse(`it has ${bytes.length} bytes, but the length of its header alone takes 8`)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const length = Number(view.getBigUint64(0, true))
  if (length > LONGEST_HEADER || 8 + length > bytes.length)
    throw refuse(`its header should have ${length} bytes, but ${bytes.length - 8} follow`)
  let header: unknown
  try {
    header = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(8, 8 + length)))
  } catch (cause) {
    throw refuse('its header is not JSON', cause)
  }
  if (!isRecord(header)) throw refuse('its header is not a JSON object')
  const { [METADATA]: metadata = {}, ...entries } = header
  if (!isRecord(metadata) || !Object.values(metadata).every((text) => typeof text === 'string'))
    throw refuse(`its ${METADATA} is not a map of names to texts`)

  const numbers = bytes.subarray(8 + length)
  const tensors: [string, Tensor][] = []
  const spans: { of: string; from: number; to: number }[] = []
  for (const [tensor, entry] of Object.entries(entries)) {
    const of = JSON.stringify(tensor)
    if (!isRecord(entry)) throw refuse(`tensor ${of} is not described by an object`)
    const { dtype, shape, data_offsets: offsets } = entry
    if (!Object.hasOwn(TYPES, String(dtype)))
      throw refuse(
        `tensor ${of} has the type ${JSON.stringify(dtype)}, not ${Object.keys(TYPES).join(', ')}`,
        undefined,
        'Write it as float32.',
      )
    if (!isCounts(shape)) throw refuse(`tensor ${of} has no shape of whole numbers`)
    if (!isCounts(offsets) || offsets.length !== 2)
      throw refuse(`tensor ${of} does not have two data_offsets`)
    const [from, to] = offsets as readonly [number, number]
    if (from > to || to > numbers.length)
      throw refuse(`tensor ${of} lies at bytes ${from} to ${to} of ${numbers.length}`)
    const Type = TYPES[dtype as DataType]
    if (elementsOf(shape) * Type.BYTES_PER_ELEMENT !== to - from)
      throw refuse(
        `tensor ${of} has ${to - from} bytes for the shape [${shape.join(', ')}] of ${String(dtype)}`,
      )
    // A copy begins at a multiple of eight wherever the tensor stood; `slice` of a Buffer would make none.
    tensors.push([tensor, { shape, data: new Type(new Uint8Array(numbers.subarray(from, to)).buffer) }])
    spans.push({ of, from, to })
  }
  let end = 0
  for (const { of, from, to } of spans.toSorted((a, b) => a.from - b.from || a.to - b.to)) {
    if (from !== end)
      throw refuse(`tensor ${of} begins at byte ${from}, but what comes before it ends at ${end}`)
    end = to
  }
  if (end !== numbers.length) throw refuse(`its tensors end at byte ${end} of ${numbers.length}`)
  return { tensors: Object.fromEntries(tensors), metadata: metadata as Safetensors['metadata'] }
}

const elementsOf = (shape: readonly number[]): number => shape.reduce((product, size) => product * size, 1)

const typeOf = (data: Tensor['data']): DataType =>
  (Object.keys(TYPES) as DataType[]).find((type) => data instanceof TYPES[type])!

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isCounts = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.every((size) => Number.isSafeInteger(size) && size >= 0)
