const IS_LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1
/** Where the upper half of a number stands among halves. */
const UPPER = IS_LITTLE_ENDIAN ? 1 : 0
/** Bits of a half that are left out of a key: nine of the fraction remain, so that numbers of one key differ by at most 1/512. */
const DROPPED = 11

/** Numbers of at least 0 in bins that end below ascending limits, the last of them infinite. No logarithm is needed to find one. */
export interface BinsByBits {
  readonly limits: Float64Array
  /** For the upper bits of a number, from those of the first limit on: the bin of the least number that has them. */
  readonly starts: Uint16Array
  readonly firstKey: number
}

/** The bins below some limits. */
export function binsByBits(limits: Float64Array): BinsByBits {
  const keys = halvesOf(limits)
  const firstKey = keyAt(keys, 0)
  const lastKey = limits.length > 1 ? keyAt(keys, limits.length - 2) : firstKey
  const starts = new Uint16Array(lastKey - firstKey + 2)
  const least = new Float64Array(1)
  const half = halvesOf(least)
  // What lies below the first limit is in the first bin; of the numbers of its key, some may be.
  for (let k = 1, bin = 0; k < starts.length; k++) {
    half[UPPER] = (firstKey + k) << DROPPED
    while (least[0]! >= limits[bin]!) bin++
    starts[k] = bin
  }
  return { limits, starts, firstKey }
}

/** The bits of numbers, 32 at a time. */
export const halvesOf = (values: Float64Array): Uint32Array =>
  new Uint32Array(values.buffer, values.byteOffset, 2 * values.length)

const keyAt = (halves: Uint32Array, row: number): number => halves[2 * row + UPPER]! >>> DROPPED

/** The bin of number `row` of `values`, whose bits are `halves`. */
export function binAt(
  { limits, starts, firstKey }: BinsByBits,
  values: Float64Array,
  halves: Uint32Array,
  row: number,
): number {
  const key = keyAt(halves, row) - firstKey
  let bin = starts[key <= 0 ? 0 : key < starts.length ? key : starts.length - 1]!
  while (values[row]! >= limits[bin]!) bin++
  return bin
}
