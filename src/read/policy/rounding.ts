import type { PolicyValues } from './policy-file.js'

/** Sums of probabilities up to this far from 1 are rounding, however the numbers are written, as of float32. */
export const ROUNDED = 1e-4
/** Up to this far from 1, nothing is worth a note. */
export const UNNOTED = 1e-9
/** No larger gap is put down to rounding: it may as well be an item that is missing. */
const LARGEST = 0.01

/**
 * How far from 1 the sum of a row of probabilities may be by rounding alone: K values rounded to d decimals are off by up to
 * K · 0.5 · 10⁻ᵈ together, where d is the most decimals among them.
 */
export function roundingGap(values: PolicyValues): number {
  let decimals = 0
  for (const value of values) decimals = Math.max(decimals, decimalsOf(value))
  return Math.max(ROUNDED, Math.min(LARGEST, values.length * Number(`5e-${decimals + 1}`)))
}

/** The sum of probabilities is 1, up to rounding. */
export const sumsToOne = (sum: number, values: PolicyValues): boolean => {
  // The sum of exact decimals has rounding of its own.
  const gap = Math.abs(sum - 1) - UNNOTED
  return gap <= ROUNDED || (gap <= LARGEST && gap <= roundingGap(values))
}

/** How many decimals a number is written with, whatever arithmetic did to its last digit; one that went through float32 had those that lead to the same float32. */
function decimalsOf(value: number): number {
  const short = Number(value.toPrecision(7))
  // 12.34 % is 0.1234, though a division makes it 0.12340000000000001.
  const written =
    Math.fround(value) === value && Math.fround(short) === value ? short : Number(value.toPrecision(15))
  const [digits = '', exponent = '0'] = String(written).split('e')
  return Math.max(0, (digits.split('.')[1] ?? '').length - Number(exponent))
}
