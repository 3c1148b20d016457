import { HindcastError } from '../../error.js'

/** A matrix of numbers, row after row. */
export interface Matrix {
  readonly rows: number
  readonly columns: number
  readonly values: Float32Array | Float64Array
}

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59]
/** NumPy's names of little-endian float32 and float64, and of their big-endian twins. */
const TYPES = { f4: Float32Array, f8: Float64Array } as const

/** Whether a file begins as NumPy's files of one array do. */
export const isNpy = (start: Uint8Array): boolean => MAGIC.every((byte, k) => start[k] === byte)

/**
 * Reads an array that `numpy.save` wrote: float32 or float64, in C or in Fortran order, of one axis (a matrix of one row)
 * or two. Format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
 */
export function decodeNpy(bytes: Uint8Array, name: string): Matrix {
  const refuse = (reason: string, remedy = 'Write it again with numpy.save.'): HindcastError =>
    new HindcastError('bad-file', `${name} cannot be read as a NumPy array: ${reason}.`, { remedy })
  if (!isNpy(bytes)) throw refuse('it does not begin with \\x93NUMPY')
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const isLong = bytes[6]! > 1
  const begin = isLong ? 12 : 10
  const length = bytes.length < begin ? Infinity : isLong ? view.getUint32(8, true) : view.getUint16(8, true)
  if (begin + length > bytes.length) throw refuse('it is cut off')
  const header = new TextDecoder().decode(bytes.subarray(begin, begin + length))
  const type = /'descr'\s*:\s*'([^']*)'/.exec(header)?.[1]
  const order = /'fortran_order'\s*:\s*(True|False)/.exec(header)?.[1]
  const shape = /'shape'\s*:\s*\(([\d,\s]*)\)/.exec(header)?.[1]
  if (order === undefined || shape === undefined)
    throw refuse('its header does not state its order and shape')
  const [, endian, kind] = /^([<>])(f4|f8)$/.exec(type ?? '') ?? []
  if (endian === undefined)
    throw refuse(
      `its numbers are ${type === undefined ? 'records' : JSON.stringify(type)}, not float32 or float64`,
      'Write it with array.astype("float32").',
    )
  const sizes = shape.split(',').flatMap((size) => (size.trim() === '' ? [] : [Number(size)]))
  if (sizes.length < 1 || sizes.length > 2)
    throw refuse(`it has ${sizes.length} axes, not users and items`, 'Give a matrix, one row per user.')
  const [rows, columns] = (sizes.length === 1 ? [1, ...sizes] : sizes) as [number, number]
  const Type = TYPES[kind as keyof typeof TYPES]
  // A copy, so that the numbers are aligned; `slice` of a Buffer would make none.
  const data = new Uint8Array(bytes.subarray(begin + length))
  if (data.length !== rows * columns * Type.BYTES_PER_ELEMENT)
    throw refuse(
      `a shape of ${rows} × ${columns} needs ${rows * columns * Type.BYTES_PER_ELEMENT} bytes of numbers, but ${data.length} follow`,
    )
  if (endian === '>') swapBytes(data, Type.BYTES_PER_ELEMENT)
  const values = new Type(data.buffer)
  return { rows, columns, values: order === 'True' ? transposed(values, rows, columns) : values }
}

function swapBytes(bytes: Uint8Array, size: number): void {
  for (let at = 0; at < bytes.length; at += size) bytes.subarray(at, at + size).reverse()
}

/** The same matrix row after row, from column after column. */
function transposed<Values extends Float32Array | Float64Array>(
  values: Values,
  rows: number,
  columns: number,
): Values {
  const turned = values.slice() as Values
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++)
      turned[row * columns + column] = values[column * rows + row]!
  return turned
}
