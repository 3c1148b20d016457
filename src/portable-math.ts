/*
 * exp and log from additions, multiplications and divisions alone. Those are rounded the same way
 * everywhere, while Math.exp and Math.log differ in the last bit from one engine to the next, and a seed
 * is to give the same bits in Node and in every browser. Accurate to about one unit in the last place.
 */

/** ln 2 in two parts: the first has trailing zeros, so that small multiples of it are exact. */
const LN2_HIGH = 0.6931471803691238
const LN2_LOW = 1.9082149292705877e-10
const SQRT_HALF = Math.SQRT1_2

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
  const k = Math.round(x / Math.LN2)
  const r = x - k * LN2_HIGH - k * LN2_LOW
  // 1/n! of n = 13, …, 0: beyond, terms are below rounding for |r| ≤ ln 2 / 2. Written out, because it is the inner loop
  // of every softmax.
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
  series = series * r + 1 / 2
  series = series * r + 1
  series = series * r + 1
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
  let series = 0
  for (let n = 23; n >= 3; n -= 2) series = (series + 1 / n) * square
  return k * LN2_HIGH + (k * LN2_LOW + 2 * (s + s * series))
}
