import { philox } from './philox.js'

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
