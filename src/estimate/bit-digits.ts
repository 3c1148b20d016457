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
