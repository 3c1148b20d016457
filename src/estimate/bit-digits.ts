const IS_LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1

/**
 * The bits of numbers, 16 at a time: digit d of number k, the upper digit being the first, stands at
 * `4 * k + DIGIT_PLACES[d]`. Numbers of at least 0 compare as their digits do, one after the other.
 */
export const bitDigitsOf = (values: Float64Array): Uint16Array =>
  new Uint16Array(values.buffer, values.byteOffset, 4 * values.length)

export const DIGIT_PLACES: readonly number[] = IS_LITTLE_ENDIAN ? [3, 2, 1, 0] : [0, 1, 2, 3]

/** How many different digits there are. */
export const DIGITS = 1 << 16

/** Where the upper digit of a number stands. */
export const UPPER_DIGIT = DIGIT_PLACES[0]!

/**
 * For numbers in bins that end below ascending limits, the last of them infinite: the bin of the least number of each upper
 * digit. Bins of its other numbers are that or among the next few, and no logarithm is needed to find them.
 */
export function startsByDigit(limits: Float64Array): Uint16Array {
  const least = new Float64Array(1)
  const digits = bitDigitsOf(least)
  const starts = new Uint16Array(DIGITS)
  let bin = 0
  // Digits from 0x7ff0 on belong to infinity, NaN and negative numbers.
  for (let digit = 0; digit < 0x7ff0; digit++) {
    digits[UPPER_DIGIT] = digit
    while (least[0]! >= limits[bin]!) bin++
    starts[digit] = bin
  }
  return starts
}
