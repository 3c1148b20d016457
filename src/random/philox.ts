const MULTIPLIER_0 = 0xd2511f53
const MULTIPLIER_1 = 0xcd9e8d57
const WEYL_0 = 0x9e3779b9
const WEYL_1 = 0xbb67ae85
const ROUNDS = 10

/** Upper 32 bits of the 64-bit product of two unsigned 32-bit numbers, by halves; sums of so few halves stay below 2³². */
function multiplyHigh(a: number, b: number): number {
  const aLow = a & 0xffff
  const aHigh = a >>> 16
  const bLow = b & 0xffff
  const bHigh = b >>> 16
  const high = Math.imul(aHigh, bHigh)
  const middle = Math.imul(aHigh, bLow)
  const other = Math.imul(aLow, bHigh)
  const carry = ((Math.imul(aLow, bLow) >>> 16) + (middle & 0xffff) + (other & 0xffff)) >>> 16
  return (high + (middle >>> 16) + (other >>> 16) + carry) | 0
}

/**
 * Philox4x32-10: a bijection of the 128-bit counter for each 64-bit key, so that any block of a random
 * sequence can be computed without the ones before it (Salmon et al. 2011, "Parallel random numbers: as easy
 * as 1, 2, 3"). Writes the four words of the block into `out`.
 */
export function philox(counter: ArrayLike<number>, key0: number, key1: number, out: Uint32Array): void {
  let c0 = counter[0]! | 0
  let c1 = counter[1]! | 0
  let c2 = counter[2]! | 0
  let c3 = counter[3]! | 0
  for (let round = 0; round < ROUNDS; round++) {
    const high0 = multiplyHigh(MULTIPLIER_0, c0)
    const low0 = Math.imul(MULTIPLIER_0, c0)
    const high1 = multiplyHigh(MULTIPLIER_1, c2)
    const low1 = Math.imul(MULTIPLIER_1, c2)
    c0 = high1 ^ c1 ^ key0
    c1 = low1
    c2 = high0 ^ c3 ^ key1
    c3 = low0
    key0 = (key0 + WEYL_0) | 0
    key1 = (key1 + WEYL_1) | 0
  }
  out[0] = c0
  out[1] = c1
  out[2] = c2
  out[3] = c3
}
