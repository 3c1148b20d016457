/** A run of numbers in a page of Parquet: one number repeated, or groups of eight packed together. */
interface Run {
  readonly isPacked: boolean
  readonly count: number
  /** Where its head begins, where its numbers begin, and where the next run does. */
  readonly head: number
  readonly start: number
  readonly end: number
}

/** The runs of numbers of so many bits, up to as many numbers as there should be, without decoding them. */
function* runsOf(bytes: Uint8Array, bits: number, values: number): Generator<Run> {
  if (bits > 32) throw new Error(`No index has ${bits} bits.`)
  let head = 0
  let seen = 0
  while (seen < values && head < bytes.length) {
    const [length, start] = variableInteger(bytes, head)
    const isPacked = length % 2 === 1
    const groups = Math.floor(length / 2)
    const end = start + (isPacked ? groups * bits : Math.ceil(bits / 8))
    const count = isPacked ? 8 * groups : groups
    yield { isPacked, count, head, start, end }
    seen += count
    head = end
  }
}

/**
 * Shortens a run that claims more numbers than a page has values: a decoder that believes it would write billions. Whoever
 * stops at the last value reads the same. Returns whether there was one.
 */
export function shortenRuns(bytes: Uint8Array, bits: number, values: number): boolean {
  let left = values
  for (const { isPacked, count, head, start } of runsOf(bytes, bits, values)) {
    const most = isPacked ? 8 * Math.ceil(left / 8) : left
    if (count > most) {
      rewrite(bytes, head, start, isPacked ? 2 * (most / 8) + 1 : 2 * most)
      return true
    }
    left -= count
  }
  return false
}

/** How many numbers the runs have, of those that end within the bytes. */
export function countRuns(bytes: Uint8Array, bits: number, values: number): number {
  let seen = 0
  for (const { count, end } of runsOf(bytes, bits, values)) if (end <= bytes.length) seen += count
  return seen
}

/** The levels of a page; throws if there are fewer than values, or one is too high. */
export function levelsOf(bytes: Uint8Array, highest: number, values: number): Uint8Array {
  const bits = bitsFor(highest)
  const levels = new Uint8Array(values)
  let seen = 0
  for (const { isPacked, count, start, end } of runsOf(bytes, bits, values)) {
    if (end > bytes.length) break
    const next = Math.min(values, seen + count)
    if (isPacked)
      for (let k = seen; k < next; k++) levels[k] = packed(bytes, 8 * start + (k - seen) * bits, bits)
    else levels.fill(bytes[start]!, seen, next)
    seen = next
  }
  if (seen < values) throw new Error('A page has fewer levels than values.')
  if (levels.some((level) => level > highest)) throw new Error(`A page has a level above ${highest}.`)
  return levels
}

/** How many bits numbers up to this one take. */
export const bitsFor = (largest: number): number => 32 - Math.clz32(largest)

function packed(bytes: Uint8Array, bit: number, bits: number): number {
  const place = bit >> 3
  return (((bytes[place]! | ((bytes[place + 1] ?? 0) << 8)) >> (bit & 7)) & ((1 << bits) - 1)) >>> 0
}

/** An integer in groups of seven bits, the lowest first, and the place behind it. */
export function variableInteger(bytes: Uint8Array, at: number): [value: number, next: number] {
  let value = 0
  for (let k = 0; k < 5; k++) {
    const byte = bytes[at + k]
    if (byte === undefined) throw new Error('A run has no end.')
    value += (byte & 0x7f) * 2 ** (7 * k)
    if (byte < 0x80) return [value, at + k + 1]
  }
  throw new Error('A run is longer than any page.')
}

/** Writes a smaller integer in as many groups as the one there. */
function rewrite(bytes: Uint8Array, start: number, end: number, value: number): void {
  let rest = value
  for (let at = start; at < end; at++) {
    bytes[at] = (rest % 128) | (at < end - 1 ? 0x80 : 0)
    rest = Math.floor(rest / 128)
  }
}
