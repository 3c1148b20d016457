import { describe, expect, it } from 'vitest'
import { decodeNpy, isNpy } from './npy.js'
import { npyBytes } from './example-npy.js'

/** The same header with another type. */
function wholeNumbers(): Uint8Array {
  const bytes = npyBytes([1], [1])
  bytes[bytes.indexOf(0x66, 10 + '{'.length + "'descr': '<".length)] = 0x69
  return bytes
}

const values = [0.5, 0.25, 0.25, 0.125, 0.375, 0.5]

describe('decodeNpy', () => {
  it('reads what numpy.save wrote, to the byte', () => {
    // np.save(f, np.array([[1, 2, 3], [4, 5, 6]], dtype='f4', order='F')), NumPy 2.4.6
    const base64 =
      'k05VTVBZAQB2AHsnZGVzY3InOiAnPGY0JywgJ2ZvcnRyYW5fb3JkZXInOiBUcnVlLCAnc2hhcGUnOiAoMiwgMyksIH0gICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAoAAIA/AACAQAAAAEAAAKBAAABAQAAAwEA='
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    expect(isNpy(bytes)).toBe(true)
    expect(decodeNpy(bytes, 'a.npy')).toEqual({
      rows: 2,
      columns: 3,
      values: Float32Array.of(1, 2, 3, 4, 5, 6),
    })
  })

  it.each([
    ['<f4', false],
    ['<f4', true],
    ['<f8', false],
    ['<f8', true],
    ['>f8', false],
  ] as const)('gives the same matrix for %s, Fortran order %s', (type, fortran) => {
    const { rows, columns, values: read } = decodeNpy(npyBytes(values, [2, 3], { type, fortran }), 'p.npy')
    expect([rows, columns, Array.from(read)]).toEqual([2, 3, values])
    expect(read).toBeInstanceOf(type === '<f4' ? Float32Array : Float64Array)
  })

  it('reads the bytes that it is given, wherever in memory they stand', () => {
    const bytes = npyBytes(values, [2, 3], { type: '>f8' })
    const among = Buffer.concat([Buffer.alloc(5), bytes, Buffer.alloc(7)])
    const before = Buffer.from(among)
    const part = among.subarray(5, 5 + bytes.length)
    expect(Array.from(decodeNpy(part, 'p.npy').values)).toEqual(values)
    expect(among.equals(before)).toBe(true)
  })

  it('takes a list for one row', () => {
    expect(decodeNpy(npyBytes([0.25, 0.75], [2]), 'p.npy')).toMatchObject({ rows: 1, columns: 2 })
  })

  it.each([
    ['cut off', npyBytes(values, [2, 3]).subarray(0, 100), 'needs 24 bytes|is cut off'],
    [
      'of another shape',
      npyBytes(values, [2, 4]),
      'a shape of 2 × 4 needs 32 bytes of numbers, but 24 follow',
    ],
    ['of whole numbers', wholeNumbers(), '"<i4", not float32 or float64'],
    ['of three axes', npyBytes(values, [1, 2, 3]), 'it has 3 axes'],
  ])('refuses one %s', (_name, bytes, message) => {
    expect(() => decodeNpy(bytes, 'p.npy')).toThrow(new RegExp(message))
  })
})
