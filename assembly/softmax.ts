// The softmax of one user's scores in vectors, with the bits of src/portable-math.ts and of the loop in
// src/policy/softmax-family.ts: the same operations in the same order on every item. Items go through in passes, several
// vectors side by side, because each waits for its own result at every step of the series.

const LN2: f64 = 0.6931471805599453
const LN2_HIGH: f64 = 0.6931471803691238
const LN2_LOW: f64 = 1.9082149292705877e-10
/** Below this, eˣ is 0. */
const LEAST: f64 = -745.1332191019412
/** Added to a small whole number, it leaves that number in the lowest bits. */
const WHOLE: f64 = 6755399441055744

/** Where the factors of the exponential series lie, from 1/13! to 1. */
const SERIES: usize = 2048
const SERIES_END: usize = SERIES + 14 * 8

/**
 * Writes exp(score / temperature) divided by its sum, relative to the best score, as float64. `items` is a multiple of 8;
 * scores are float32 or float64, −Infinity where an item has no share. `powers` has room for as many float64 as there are
 * shares.
 */
export function softmax(
  scores: usize,
  powers: usize,
  shares: usize,
  items: i32,
  temperature: f64,
  isSingle: bool,
): void {
  writeSeries()
  if (isSingle) reduce(scores, powers, shares, items, temperature, true)
  else reduce(scores, powers, shares, items, temperature, false)
  const end = shares + (<usize>items << 3)
  for (let at = shares, power = powers; at < end; at += 64, power += 64) raise(at, power)
  const total = f64x2.splat(sumOf(shares, end))
  for (let at = shares; at < end; at += 16) v128.store(at, f64x2.div(v128.load(at), total))
}

function writeSeries(): void {
  let factorial: f64 = 1
  let at = SERIES_END - 8
  store<f64>(at, 1)
  for (let k = 1; at > SERIES; k++) {
    at -= 8
    factorial *= k
    store<f64>(at, 1 / factorial)
  }
}

// @ts-ignore: decorator
@inline
function pair(at: usize, isSingle: bool): v128 {
  return isSingle ? f64x2.promote_low_f32x4(v128.load64_zero(at)) : v128.load(at)
}

/** x = k·ln 2 + r for x = (score − best) / temperature: writes r, and 2ᵏ in two factors of one integer each; none for an x whose eˣ is 0. */
// @ts-ignore: decorator
@inline
function reduce(
  scores: usize,
  powers: usize,
  shares: usize,
  items: i32,
  temperature: f64,
  isSingle: bool,
): void {
  const size: usize = isSingle ? 8 : 16
  let highest = f64x2.splat(-Infinity)
  for (let k = 0, at = scores; k < items; k += 2, at += size) highest = f64x2.pmax(highest, pair(at, isSingle))
  const best = f64x2.splat(max(f64x2.extract_lane(highest, 0), f64x2.extract_lane(highest, 1)))
  const divisor = f64x2.splat(temperature)
  for (let k = 0, from = scores, at = shares, power = powers; k < items; k += 2) {
    const x = f64x2.div(f64x2.sub(pair(from, isSingle), best), divisor)
    const quotient = f64x2.div(x, f64x2.splat(LN2))
    const below = f64x2.floor(quotient)
    const isUpper = f64x2.ge(f64x2.sub(quotient, below), f64x2.splat(0.5))
    const whole = f64x2.add(below, v128.and(isUpper, f64x2.splat(1)))
    const r = f64x2.sub(
      f64x2.sub(x, f64x2.mul(whole, f64x2.splat(LN2_HIGH))),
      f64x2.mul(whole, f64x2.splat(LN2_LOW)),
    )
    const isAny = f64x2.ge(x, f64x2.splat(LEAST))
    v128.store(at, v128.and(r, isAny))
    // Far below any power of two that a number can have: the product is 0.
    v128.store(power, v128.bitselect(whole, f64x2.splat(-2044), isAny))
    from += size
    at += 16
    power += 16
  }
}

/** eˣ of eight items, from their r and k. */
// @ts-ignore: decorator
@inline
function raise(at: usize, power: usize): void {
  const ra = v128.load(at)
  const rb = v128.load(at + 16)
  const rc = v128.load(at + 32)
  const rd = v128.load(at + 48)
  let a = v128.load64_splat(SERIES)
  let b = a
  let c = a
  let d = a
  for (let next = SERIES + 8; next < SERIES_END; next += 8) {
    const factor = v128.load64_splat(next)
    a = f64x2.add(f64x2.mul(a, ra), factor)
    b = f64x2.add(f64x2.mul(b, rb), factor)
    c = f64x2.add(f64x2.mul(c, rc), factor)
    d = f64x2.add(f64x2.mul(d, rd), factor)
  }
  v128.store(at, timesPower(a, v128.load(power)))
  v128.store(at + 16, timesPower(b, v128.load(power + 16)))
  v128.store(at + 32, timesPower(c, v128.load(power + 32)))
  v128.store(at + 48, timesPower(d, v128.load(power + 48)))
}

/** In two steps, because 2ᵏ alone may be too small for a number. */
// @ts-ignore: decorator
@inline
function timesPower(series: v128, k: v128): v128 {
  const half = f64x2.trunc(f64x2.mul(k, f64x2.splat(0.5)))
  return f64x2.mul(f64x2.mul(series, powerOfTwo(half)), powerOfTwo(f64x2.sub(k, half)))
}

// @ts-ignore: decorator
@inline
function powerOfTwo(k: v128): v128 {
  return i64x2.shl(i64x2.add(f64x2.add(k, f64x2.splat(WHOLE)), i64x2.splat(1023)), 52)
}

/** The compensated sum, item by item: its order is part of the result. */
function sumOf(from: usize, end: usize): f64 {
  let sum: f64 = 0
  let lost: f64 = 0
  for (let at = from; at < end; at += 8) {
    const share = load<f64>(at)
    const next = sum + share
    const added = next - sum
    lost += sum - (next - added) + (share - added)
    sum = next
  }
  return sum + lost
}
