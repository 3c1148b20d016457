// Exponentials of one user's scores and their sum in vectors, with the bits of src/portable-math.ts and of the loop in
// src/policy/softmax-shares.ts: the same operations in the same order on every item. Four vectors go side by side, because
// each waits for its own result at every step of the series. Numbers are read from memory: engines make constant vectors
// anew each time, which takes longer.

/** Where numbers lie, and after them the factors of the exponential series, from 1/13! to 1. */
const NUMBERS: usize = 2048
const PER_LN2: usize = NUMBERS
const WHOLE: usize = NUMBERS + 8
const LN2_HIGH: usize = NUMBERS + 16
const LN2_LOW: usize = NUMBERS + 24
const LEAST: usize = NUMBERS + 32
const HALF: usize = NUMBERS + 40
const BIAS: usize = NUMBERS + 48
const SERIES: usize = NUMBERS + 56
/** The last of the factors, 1. */
const LAST: usize = SERIES + 13 * 8

/** Writes what `raise` reads; called once. */
export function prepare(): void {
  store<f64>(PER_LN2, 1.4426950408889634)
  // Added to a small number, it rounds it to a whole one and leaves that in the lowest bits.
  store<f64>(WHOLE, 6755399441055744)
  store<f64>(LN2_HIGH, 0.6931471803691238)
  store<f64>(LN2_LOW, 1.9082149292705877e-10)
  // Below this, eˣ is 0.
  store<f64>(LEAST, -745.1332191019412)
  store<f64>(HALF, 0.5)
  store<i64>(BIAS, 1023)
  let factorial: f64 = 1
  let at = LAST
  store<f64>(at, 1)
  for (let k = 1; at > SERIES; k++) {
    at -= 8
    factorial *= k
    store<f64>(at, 1 / factorial)
  }
}

/**
 * Writes exp((score − best) / temperature) as float64, and returns the sum. `items` is a multiple of 8; scores are float32 or
 * float64, none above the best, −Infinity where an item has no share.
 */
export function raise(
  scores: usize,
  powers: usize,
  items: i32,
  best: f64,
  temperature: f64,
  isSingle: bool,
): f64 {
  return isSingle
    ? raiseAll(scores, powers, items, best, temperature, true)
    : raiseAll(scores, powers, items, best, temperature, false)
}

// @ts-ignore: decorator
@inline
function raiseAll(
  scores: usize,
  powers: usize,
  items: i32,
  best: f64,
  temperature: f64,
  isSingle: bool,
): f64 {
  const size: usize = isSingle ? 8 : 16
  const from = f64x2.splat(best)
  const divisor = f64x2.splat(temperature)
  let sum = f64x2.splat(0)
  let lost = sum
  for (const end = powers + (<usize>items << 3); powers < end; powers += 64, scores += 4 * size) {
    // x = k·ln 2 + r, and eˣ the series of eʳ times 2ᵏ.
    const xa = f64x2.div(f64x2.sub(pair(scores, isSingle), from), divisor)
    const xb = f64x2.div(f64x2.sub(pair(scores + size, isSingle), from), divisor)
    const xc = f64x2.div(f64x2.sub(pair(scores + 2 * size, isSingle), from), divisor)
    const xd = f64x2.div(f64x2.sub(pair(scores + 3 * size, isSingle), from), divisor)
    const ka = rounded(f64x2.mul(xa, number(PER_LN2)))
    const kb = rounded(f64x2.mul(xb, number(PER_LN2)))
    const kc = rounded(f64x2.mul(xc, number(PER_LN2)))
    const kd = rounded(f64x2.mul(xd, number(PER_LN2)))
    const ra = rest(xa, ka)
    const rb = rest(xb, kb)
    const rc = rest(xc, kc)
    const rd = rest(xd, kd)
    let a = number(SERIES)
    let b = a
    let c = a
    let d = a
    for (let at = SERIES + 8; at < LAST; at += 32) {
      const first = number(at)
      const second = number(at + 8)
      const third = number(at + 16)
      const fourth = number(at + 24)
      a = fourSteps(a, ra, first, second, third, fourth)
      b = fourSteps(b, rb, first, second, third, fourth)
      c = fourSteps(c, rc, first, second, third, fourth)
      d = fourSteps(d, rd, first, second, third, fourth)
    }
    a = timesPower(step(a, ra, number(LAST)), ka, xa)
    b = timesPower(step(b, rb, number(LAST)), kb, xb)
    c = timesPower(step(c, rc, number(LAST)), kc, xc)
    d = timesPower(step(d, rd, number(LAST)), kd, xd)
    v128.store(powers, a)
    v128.store(powers + 16, b)
    v128.store(powers + 32, c)
    v128.store(powers + 48, d)
    // Compensated sums of even and of odd items: the rounding error of a sum is itself a float (Knuth 1969).
    const one = f64x2.add(sum, a)
    const two = f64x2.add(one, b)
    const three = f64x2.add(two, c)
    const four = f64x2.add(three, d)
    lost = f64x2.add(lost, lostIn(sum, a, one))
    lost = f64x2.add(lost, lostIn(one, b, two))
    lost = f64x2.add(lost, lostIn(two, c, three))
    lost = f64x2.add(lost, lostIn(three, d, four))
    sum = four
  }
  const even = f64x2.extract_lane(sum, 0)
  const odd = f64x2.extract_lane(sum, 1)
  const total = even + odd
  const added = total - even
  const rounding = even - (total - added) + (odd - added)
  return total + (rounding + f64x2.extract_lane(lost, 0) + f64x2.extract_lane(lost, 1))
}

// @ts-ignore: decorator
@inline
function number(at: usize): v128 {
  return v128.load64_splat(at)
}

// @ts-ignore: decorator
@inline
function pair(at: usize, isSingle: bool): v128 {
  return isSingle ? f64x2.promote_low_f32x4(v128.load64_zero(at)) : v128.load(at)
}

/** A whole number k near x, as k + WHOLE: its lowest bits are those of the integer k. */
// @ts-ignore: decorator
@inline
function rounded(x: v128): v128 {
  return f64x2.add(x, number(WHOLE))
}

/** r = x − k·ln 2. */
// @ts-ignore: decorator
@inline
function rest(x: v128, k: v128): v128 {
  const whole = f64x2.sub(k, number(WHOLE))
  return f64x2.sub(f64x2.sub(x, f64x2.mul(whole, number(LN2_HIGH))), f64x2.mul(whole, number(LN2_LOW)))
}

/** One step of the series. */
// @ts-ignore: decorator
@inline
function step(series: v128, r: v128, factor: v128): v128 {
  return f64x2.add(f64x2.mul(series, r), factor)
}

// @ts-ignore: decorator
@inline
function fourSteps(series: v128, r: v128, first: v128, second: v128, third: v128, fourth: v128): v128 {
  return step(step(step(step(series, r, first), r, second), r, third), r, fourth)
}

/** eʳ·2ᵏ, in two steps, because 2ᵏ alone may be too small for a number; 0 where eˣ is. */
// @ts-ignore: decorator
@inline
function timesPower(series: v128, k: v128, x: v128): v128 {
  const half = rounded(f64x2.mul(f64x2.sub(k, number(WHOLE)), number(HALF)))
  const power = f64x2.mul(f64x2.mul(series, powerOfTwo(half)), powerOfTwo(i64x2.sub(k, half)))
  return v128.and(power, f64x2.ge(x, number(LEAST)))
}

/** 2ᵏ for an integer k in the lowest bits. */
// @ts-ignore: decorator
@inline
function powerOfTwo(k: v128): v128 {
  return i64x2.shl(i64x2.add(k, number(BIAS)), 52)
}

/** What rounding lost in a sum. */
// @ts-ignore: decorator
@inline
function lostIn(sum: v128, share: v128, next: v128): v128 {
  const added = f64x2.sub(next, sum)
  return f64x2.add(f64x2.sub(sum, f64x2.sub(next, added)), f64x2.sub(share, added))
}
