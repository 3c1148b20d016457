/*
 * Exponentials and logarithms from additions, multiplications and divisions alone. Those are rounded the same
 * way everywhere, while Math.exp and Math.log differ in the last bit from one engine to the next, and a seed
 * is to give the same bits, and a log the same verdict, in Node and in every browser. Accurate to about one
 * unit in the last place.
 */

/** ln 2 in two parts: the first has trailing zeros, so that small multiples of it are exact. */
const LN2_HIGH = 0.6931471803691238
const LN2_LOW = 1.9082149292705877e-10
const SQRT_HALF = Math.SQRT1_2

/** The whole number nearest to x/ln 2, for |x| below 10¹⁵: what is added leaves no room for a fraction. */
const multipleOfLn2 = (x: number): number => x * Math.LOG2E + 6755399441055744 - 6755399441055744

const bits = new DataView(new ArrayBuffer(8))

/** 2ᵏ for k = −1022, …, 1023. */
const POWERS_OF_TWO = new Float64Array(2046)
for (let k = 0, power = 2 ** -1022; k < POWERS_OF_TWO.length; k++, power *= 2) POWERS_OF_TWO[k] = power
const powerOfTwo = (k: number): number => POWERS_OF_TWO[k + 1022]!

/** eˣ: x = k·ln 2 + r, the exponential series of r, times 2ᵏ. */
export function exp(x: number): number {
  if (Number.isNaN(x)) return NaN
  if (x > 709.782712893384) return Infinity
  if (x < -745.1332191019412) return 0
  const k = multipleOfLn2(x)
  const r = x - k * LN2_HIGH - k * LN2_LOW
  const series = (seriesOfExp(r) * r + 1) * r + 1
  // In two steps, because 2ᵏ alone may be too large or too small for a number.
  const half = Math.trunc(k / 2)
  return series * powerOfTwo(half) * powerOfTwo(k - half)
}

/** ln x: x = m·2ᵏ with m near 1, and ln m = 2·(s + s³/3 + s⁵/5 + …) with s = (m − 1)/(m + 1). */
export function log(x: number): number {
  if (Number.isNaN(x) || x < 0) return NaN
  if (x === 0) return -Infinity
  if (x === Infinity) return Infinity
  // A subnormal number is made a normal one first.
  const scaled = x < 2.2250738585072014e-308 ? x * 0x10000000000000 : x
  bits.setFloat64(0, scaled)
  let k = ((bits.getUint32(0) >>> 20) & 0x7ff) - 1022 - (scaled === x ? 0 : 52)
  bits.setUint32(0, (bits.getUint32(0) & 0x000fffff) | 0x3fe00000)
  let m = bits.getFloat64(0)
  if (m < SQRT_HALF) {
    m *= 2
    k--
  }
  const s = (m - 1) / (m + 1)
  const square = s * s
  return k * LN2_HIGH + (k * LN2_LOW + 2 * (s + s * seriesOfLog(square)))
}

/** s²/3 + s⁴/5 + s⁶/7 + … of s²: terms beyond s²² are below rounding for a number near 1. */
function seriesOfLog(square: number): number {
  let series = (1 / 23) * square
  series = (series + 1 / 21) * square
  series = (series + 1 / 19) * square
  series = (series + 1 / 17) * square
  series = (series + 1 / 15) * square
  series = (series + 1 / 13) * square
  series = (series + 1 / 11) * square
  series = (series + 1 / 9) * square
  series = (series + 1 / 7) * square
  series = (series + 1 / 5) * square
  return (series + 1 / 3) * square
}

/** ln(1 + x): the rounding of 1 + x is taken back to first order. */
export function log1p(x: number): number {
  const sum = 1 + x
  if (!(sum > 0 && sum < Infinity)) return log(sum)
  return log(sum) + (x - (sum - 1)) / sum
}

/** log₁₀ x. */
export const log10 = (x: number): number => log(x) * Math.LOG10E

/** ln(1 + eˣ), without overflow. */
export const softplus = (x: number): number => Math.max(x, 0) + log1p(exp(-Math.abs(x)))

/** eˣ − 1: x = k·ln 2 + r, and 2ᵏ·((eʳ − 1) + (1 − 2⁻ᵏ)). */
export function expm1(x: number): number {
  if (Number.isNaN(x)) return NaN
  if (x > 709.782712893384) return Infinity
  if (x < -745.1332191019412) return -1
  const k = multipleOfLn2(x)
  const r = x - k * LN2_HIGH - k * LN2_LOW
  const less = r + r * r * seriesOfExp(r)
  if (k === 0) return less
  const half = Math.trunc(k / 2)
  // Below, 2⁻ᵏ may be too large for a number, and what is left of 2ᵏ·eʳ is rounding beside 1.
  if (k < -1000) return -1
  return (less + (1 - powerOfTwo(-half) * powerOfTwo(half - k))) * powerOfTwo(half) * powerOfTwo(k - half)
}

/**
 * 1/2! + r/3! + r²/4! + …: terms beyond r¹¹/13! are below rounding for |r| ≤ ln 2 / 2. Written out, because it is the
 * inner loop of every softmax.
 */
function seriesOfExp(r: number): number {
  let series = 1 / 6227020800
  series = series * r + 1 / 479001600
  series = series * r + 1 / 39916800
  series = series * r + 1 / 3628800
  series = series * r + 1 / 362880
  series = series * r + 1 / 40320
  series = series * r + 1 / 5040
  series = series * r + 1 / 720
  series = series * r + 1 / 120
  series = series * r + 1 / 24
  series = series * r + 1 / 6
  return series * r + 1 / 2
}

/**
 * xʸ for x ≥ 0, NaN for others: e to the power of y·ln x, which is kept in two parts because its error would be that
 * of the result times its size.
 */
export function pow(x: number, y: number): number {
  if (y === 0 || x === 1) return 1
  if (!(x > 0 && x < Infinity && Math.abs(y) < 1e300)) return powerAtTheEnds(x, y)
  const [high, low] = logInParts(x)
  const size = y * high
  if (size > 710) return Infinity
  if (size < -746) return 0
  const k = multipleOfLn2(size)
  // The difference of numbers this close is exact.
  const first = size - k * LN2_HIGH
  const rest = roundingOfProduct(y, high, size) + y * low - k * LN2_LOW
  const r = first + rest
  const series = 1 + (r + (first - r + rest + r * r * seriesOfExp(r)))
  const half = Math.trunc(k / 2)
  return series * powerOfTwo(half) * powerOfTwo(k - half)
}

function powerAtTheEnds(x: number, y: number): number {
  if (!(x >= 0) || Number.isNaN(y)) return NaN
  return x > 1 === y > 0 ? Infinity : 0
}

/** ln x of a positive number as a sum of two, good to about twenty digits. */
function logInParts(x: number): readonly [number, number] {
  const k = multipleOfLn2(log(x))
  // In two steps, because 2ᵏ alone may be too large or too small for a number.
  const half = Math.trunc(k / 2)
  const m = x * powerOfTwo(-half) * powerOfTwo(half - k)
  const above = m - 1
  const below = m + 1
  const s = above / below
  const rest = (above - s * below - roundingOfProduct(s, below, s * below) - s * (m - (below - 1))) / below
  const size = k * LN2_HIGH
  const sum = size + 2 * s
  const lost = Math.abs(size) > Math.abs(2 * s) ? size - sum + 2 * s : 2 * s - sum + size
  const low = lost + (k * LN2_LOW + 2 * (rest + s * seriesOfLog(s * s)))
  const high = sum + low
  return [high, sum - high + low]
}

/** What rounding took from a product: a·b − product, exactly (Dekker 1971). */
function roundingOfProduct(a: number, b: number, product: number): number {
  const [aHigh, bHigh] = [upperHalf(a), upperHalf(b)]
  const [aLow, bLow] = [a - aHigh, b - bHigh]
  return aHigh * bHigh - product + aHigh * bLow + aLow * bHigh + aLow * bLow
}

function upperHalf(x: number): number {
  const shifted = 134217729 * x
  return shifted - (shifted - x)
}
