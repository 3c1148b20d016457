/** A file as numpy.save writes it, of numbers given row after row. */
export function npyBytes(
  values: readonly number[],
  shape: readonly number[],
  { type = '<f4', fortran = false }: { type?: '<f4' | '<f8' | '>f8'; fortran?: boolean } = {},
): Uint8Array {
  const dict = `{'descr': '${type}', 'fortran_order': ${fortran ? 'True' : 'False'}, 'shape': (${shape.join(', ')}${shape.length === 1 ? ',' : ''}), }`
  const start = Math.ceil((10 + dict.length + 1) / 64) * 64
  const size = type === '<f4' ? 4 : 8
  const bytes = new Uint8Array(start + values.length * size)
  bytes.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, (start - 10) & 255, (start - 10) >> 8])
  bytes.set(new TextEncoder().encode(`${dict.padEnd(start - 11)}\n`), 10)
  const view = new DataView(bytes.buffer)
  const [rows = 1, columns = 1] = shape
  values.forEach((_, k) => {
    const value = values[fortran ? (k % rows) * columns + Math.floor(k / rows) : k]!
    if (size === 4) view.setFloat32(start + 4 * k, value, true)
    else view.setFloat64(start + 8 * k, value, type === '<f8')
  })
  return bytes
}
