import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeSafetensors, encodeSafetensors, type Tensor } from './safetensors.js'

/** The bytes of a file with this header and so many bytes behind it. */
function fileOf(header: unknown, size: number, length?: number): Uint8Array {
  const text = new TextEncoder().encode(typeof header === 'string' ? header : JSON.stringify(header))
  const bytes = new Uint8Array(8 + text.length + size)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(length ?? text.length), true)
  bytes.set(text, 8)
  return bytes
}
const entry = (dtype: string, shape: unknown, data_offsets: unknown) => ({ dtype, shape, data_offsets })

describe('encodeSafetensors', () => {
  it('lays out bytes as published', () => {
    const bytes = encodeSafetensors(
      { a: { shape: [1], data: Float32Array.of(1) }, b: { shape: [1, 2], data: Uint32Array.of(1, 258) } },
      { by: 'me' },
    )
    const header =
      '{"__metadata__":{"by":"me"},"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"b":{"dtype":"U32","shape":[1,2],"data_offsets":[4,12]}}'
    const padded = header.padEnd(Math.ceil(header.length / 8) * 8)
    const start = 8 + padded.length
    expect(Array.from(bytes.subarray(0, 8))).toEqual([padded.length, 0, 0, 0, 0, 0, 0, 0])
    expect(new TextDecoder().decode(bytes.subarray(8, start))).toBe(padded)
    expect(Array.from(bytes.subarray(start))).toEqual([0, 0, 0x80, 0x3f, 1, 0, 0, 0, 2, 1, 0, 0])
  })

  it('can be read by hand', () => {
    const weights = Float32Array.of(1.5, -2, 0.1, NaN)
    const bytes = encodeSafetensors({
      weights: { shape: [2, 2], data: weights },
      wide: { shape: [1], data: Float64Array.of(Math.PI) },
    })
    const view = new DataView(bytes.buffer)
    const length = Number(view.getBigUint64(0, true))
    expect(length % 8).toBe(0)
    const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)))
    expect(Object.keys(header).toSorted()).toEqual(['weights', 'wide'])
    expect(header.wide).toEqual({ dtype: 'F64', shape: [1], data_offsets: [0, 8] })
    expect(view.getFloat64(8 + length, true)).toBe(Math.PI)
    const start = 8 + length + header.weights.data_offsets[0]
    weights.forEach((value, k) => expect(view.getFloat32(start + 4 * k, true)).toBe(value))
  })

  it('comes back from decoding, wherever the bytes stand', () => {
    const tensor: fc.Arbitrary<Tensor> = fc
      .tuple(fc.nat({ max: 3 }), fc.nat({ max: 4 }), fc.constantFrom(Float32Array, Float64Array, Uint32Array))
      .map(([rows, columns, Type]) => ({
        shape: [rows, columns],
        data: new Type(Array.from({ length: rows * columns }, (_, k) => k + 0.5)),
      }))
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), tensor, { maxKeys: 6 }),
        fc.dictionary(fc.string(), fc.string(), { maxKeys: 3 }),
        fc.nat({ max: 9 }),
        (tensors, metadata, shift) => {
          fc.pre(!('__metadata__' in tensors))
          const bytes = encodeSafetensors(tensors, metadata)
          const shifted = new Uint8Array(bytes.length + shift)
          shifted.set(bytes, shift)
          expect(decodeSafetensors(shifted.subarray(shift))).toEqual({
            tensors: { ...tensors },
            metadata: { ...metadata },
          })
        },
      ),
    )
  })

  it('keeps a tensor called __proto__', () => {
    const tensors = Object.fromEntries([['__proto__', { shape: [1], data: Float32Array.of(2) }]])
    const decoded = decodeSafetensors(encodeSafetensors(tensors)).tensors
    expect(Object.keys(decoded)).toEqual(['__proto__'])
  })

  it('refuses a shape that is not that of the numbers, and the name of the metadata', () => {
    expect(() => encodeSafetensors({ a: { shape: [3], data: Float32Array.of(1) } })).toThrow(
      'A tensor "a" of 1 numbers and shape [3] cannot be written.',
    )
    expect(() => encodeSafetensors({ __metadata__: { shape: [1], data: Float32Array.of(1) } })).toThrow(
      'cannot be written',
    )
  })
})

describe('decodeSafetensors', () => {
  it.each([
    ['nothing', new Uint8Array(), 'it has 0 bytes, but the length of its header alone takes 8'],
    ['a length alone', fileOf('', 0, 4), 'its header should have 4 bytes, but 0 follow'],
    ['a header beyond the end', fileOf({}, 3, 100), 'its header should have 100 bytes, but 5 follow'],
    ['a header beyond all limits', fileOf({}, 0, 2 ** 60), 'but 2 follow'],
    ['no JSON', fileOf('{"a":', 0), 'its header is not JSON'],
    ['a list', fileOf([], 0), 'its header is not a JSON object'],
    [
      'metadata that are no texts',
      fileOf({ __metadata__: { a: 1 } }, 0),
      '__metadata__ is not a map of names to texts',
    ],
    ['no description', fileOf({ a: 3 }, 0), 'tensor "a" is not described by an object'],
    ['another type', fileOf({ a: entry('BF16', [2], [0, 4]) }, 4), 'tensor "a" has the type "BF16"'],
    ['an inherited type', fileOf({ a: entry('toString', [2], [0, 4]) }, 4), 'has the type "toString"'],
    ['a negative size', fileOf({ a: entry('F32', [-1], [0, 4]) }, 4), 'has no shape of whole numbers'],
    ['no shape', fileOf({ a: { dtype: 'F32', data_offsets: [0, 4] } }, 4), 'has no shape of whole numbers'],
    ['one offset', fileOf({ a: entry('F32', [1], [0]) }, 4), 'tensor "a" does not have two data_offsets'],
    [
      'offsets that are texts',
      fileOf({ a: entry('F32', [1], ['0', '4']) }, 4),
      'does not have two data_offsets',
    ],
    ['offsets beyond the end', fileOf({ a: entry('F32', [2], [0, 8]) }, 4), 'lies at bytes 0 to 8 of 4'],
    ['offsets backwards', fileOf({ a: entry('F32', [0], [4, 0]) }, 4), 'lies at bytes 4 to 0 of 4'],
    [
      'a shape of other bytes',
      fileOf({ a: entry('F32', [3], [0, 8]) }, 8),
      'has 8 bytes for the shape [3] of F32',
    ],
    [
      'tensors that overlap',
      fileOf({ a: entry('F32', [2], [0, 8]), b: entry('F32', [2], [4, 12]) }, 12),
      'tensor "b" begins at byte 4, but what comes before it ends at 8',
    ],
    [
      'a hole',
      fileOf({ a: entry('F32', [1], [0, 4]), b: entry('F32', [1], [8, 12]) }, 12),
      'tensor "b" begins at byte 8, but what comes before it ends at 4',
    ],
    ['bytes behind', fileOf({ a: entry('F32', [1], [0, 4]) }, 6), 'its tensors end at byte 4 of 6'],
  ])('refuses %s', (_name, bytes, reason) => {
    expect(() => decodeSafetensors(bytes, 'x.safetensors')).toThrow(
      expect.objectContaining({
        code: 'bad-file',
        message: expect.stringContaining(reason) as string,
      }) as Error,
    )
    expect(() => decodeSafetensors(bytes, 'x.safetensors')).toThrow(
      'x.safetensors is not a valid safetensors file',
    )
  })

  it('refuses every file that was cut short', () => {
    const whole = encodeSafetensors({ a: { shape: [2], data: Float32Array.of(1, 2) } }, { by: 'me' })
    for (let length = 0; length < whole.length; length++)
      expect(() => decodeSafetensors(whole.subarray(0, length)), String(length)).toThrow(
        'not a valid safetensors',
      )
    expect(decodeSafetensors(whole).metadata).toEqual({ by: 'me' })
  })
})
