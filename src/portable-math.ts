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

/** 1/0!, 1/1!, …, 1/13!: beyond, terms are below rounding for |r| ≤ ln 2 / 2. */
const INVERSE_FACTORIALS = Array.from({ length: 14 }, (_, n) => {
  let factorial = 1
  for (let k = 2; k <= n; k++) factorial *= k
  return 1 / factorial
})

/** eˣ: x = k·ln 2 + r, the exponential series of r, times 2ᵏ. */
export function exp(x: number): number {
  if (Number.isNaN(x)) return NaN
  if (x > 709.782712893384) return Infinity
  if (x < -745.1332191019412) return 0
  const k = Math.round(x / Math.LN2)
  const r = x - k * LN2_HIGH - k * LN2_LOW
  let series = 0
  for (let n = INVERSE_FACTORIALS.length - 1; n >= 0; n--) series = series * r + INVERSE_FACTORIALS[n]!
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

/** 2ᵏ for −1022 ≤ k ≤ 1023, from its bits. */
function powerOfTwo(k: number): number {
  bits.setUint32(0, (k + 1023) << 20)
  bits.setUint32(4, 0)
  return bits.getFloat64(0)
}
