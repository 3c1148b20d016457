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

/** An endless sequence of random numbers. */
export interface RandomStream {
  /** The next number in [0, 1), with 53 random bits. */
  uniform(): number
  /** The next whole number in [0, 2³²). */
  word(): number
}

/**
 * The random sequence that belongs to (seed, purpose, first, second): the same four always give the same
 * numbers, any other four give independent ones, whatever the order or the number of threads.
 * `purpose` names what the numbers are for (`clicks`); `first` and `second` number the thing they
 * are for (the user, the replicate).
 */
export function randomStream(seed: number, purpose: string, first = 0, second = 0): RandomStream {
  const [key0, key1] = seedWords(seed)
  const counter = new Uint32Array([0, first, second, hashText(purpose)])
  const block = new Uint32Array(4)
  let used = 4
  const word = (): number => {
    if (used === 4) {
      philox(counter, key0, key1, block)
      counter[0]!++
      used = 0
    }
    return block[used++]!
  }
  // The word drawn first supplies the upper 26 of the 53 bits.
  const uniform = (): number => ((word() >>> 6) * 0x8000000 + (word() >>> 5)) / 0x20000000000000
  return { uniform, word }
}

/**
 * The same numbers without a stream, for when millions of short ones are needed: words 4·block … 4·block + 3 of
 * `randomStream(seed, purpose, first, second)`. The array is reused by the next call.
 */
export function randomBlocks(
  seed: number,
  purpose: string,
): (first: number, second: number, block: number) => Uint32Array {
  const [key0, key1] = seedWords(seed)
  const counter = new Uint32Array([0, 0, 0, hashText(purpose)])
  const words = new Uint32Array(4)
  return (first, second, block) => {
    counter[0] = block
    counter[1] = first
    counter[2] = second
    philox(counter, key0, key1, words)
    return words
  }
}

/** Splits a whole-number seed, as large as a JavaScript number holds exactly, into the key's two words. */
function seedWords(seed: number): [number, number] {
  return [seed >>> 0, Math.floor(seed / 0x100000000) >>> 0]
}

/** FNV-1a over the UTF-16 units of a text: a well-spread 32-bit number, the same everywhere. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let k = 0; k < text.length; k++) hash = Math.imul(hash ^ text.charCodeAt(k), 0x01000193)
  return hash >>> 0
}

/** The hash of a text with one more UTF-16 unit at its end, from the hash of the text. */
export const hashFurther = (hash: number, unit: number): number => Math.imul(hash ^ unit, 0x01000193) >>> 0
