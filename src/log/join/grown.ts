type Numbers = Uint8Array | Uint16Array | Uint32Array | Float64Array

/** An array that holds so many numbers: itself, or a copy twice as long. */
export function grown<Array extends Numbers>(array: Array, needed: number): Array {
  if (needed <= array.length) return array
  const larger = new (array.constructor as new (length: number) => Array)(Math.max(needed, array.length * 2))
  larger.set(array)
  return larger
}
