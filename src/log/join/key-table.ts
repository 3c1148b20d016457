const WIDE = /[\u0100-\uffff]/

/** Distinct texts, numbered in the order in which they came. They lie in typed arrays: a million take no million objects. */
export class KeyTable {
  count = 0
  /** The number of a text plus 1; 0 where a slot is free. */
  #slots = new Uint32Array(1 << 12)
  #hashes = new Uint32Array(1 << 11)
  /** Where each text begins among the units; the next begins where it ends. */
  #starts = new Uint32Array(1 << 11)
  /** A byte for each character of the texts, until one has a character beyond a byte. */
  #units: Uint8Array | Uint16Array = new Uint8Array(1 << 15)

  /** The number of a text, which is added if it is new. */
  add(text: string): number {
    const slot = this.#slotOf(text)
    const found = this.#slots[slot]!
    if (found > 0) return found - 1
    const number = this.count++
    this.#slots[slot] = this.count
    const start = this.#starts[number]!
    this.#starts = grown(this.#starts, number + 2)
    this.#hashes = grown(this.#hashes, number + 1)
    if (this.#units instanceof Uint8Array && WIDE.test(text)) this.#units = Uint16Array.from(this.#units)
    this.#units = grown(this.#units, start + text.length)
    for (let k = 0; k < text.length; k++) this.#units[start + k] = text.charCodeAt(k)
    this.#starts[number + 1] = start + text.length
    this.#hashes[number] = hashed[0]
    if (this.count * 2 > this.#slots.length) this.#spread()
    return number
  }

  /** The number of a text; −1 if it was not added. */
  find(text: string): number {
    return this.#slots[this.#slotOf(text)]! - 1
  }

  /** The same of the text that was hashed last. */
  findHashed(text: string): number {
    return this.#slots[this.#slotOfHashed(text)]! - 1
  }

  /** The slot of a text, or the free one where it belongs. */
  #slotOf(text: string): number {
    hashText(text)
    return this.#slotOfHashed(text)
  }

  #slotOfHashed(text: string): number {
    const [hash] = hashed
    const last = this.#slots.length - 1
    for (let slot = hash & last; ; slot = (slot + 1) & last) {
      const found = this.#slots[slot]!
      if (found === 0 || (this.#hashes[found - 1] === hash && this.#isAt(found - 1, text))) return slot
    }
  }

  #isAt(number: number, text: string): boolean {
    const start = this.#starts[number]!
    if (this.#starts[number + 1]! - start !== text.length) return false
    for (let k = 0; k < text.length; k++) if (this.#units[start + k] !== text.charCodeAt(k)) return false
    return true
  }

  #spread(): void {
    const slots = new Uint32Array(this.#slots.length * 2)
    const last = slots.length - 1
    for (let number = 0; number < this.count; number++) {
      let slot = this.#hashes[number]! & last
      while (slots[slot]! > 0) slot = (slot + 1) & last
      slots[slot] = number + 1
    }
    this.#slots = slots
  }
}

type Numbers = Uint8Array | Uint16Array | Uint32Array | Float64Array

/** An array that holds so many numbers: itself, or a copy twice as long. */
export function grown<Array extends Numbers>(array: Array, needed: number): Array {
  if (needed <= array.length) return array
  const larger = new (array.constructor as new (length: number) => Array)(Math.max(needed, array.length * 2))
  larger.set(array)
  return larger
}

/** The lower and upper half of the hash of the text hashed last: two numbers without an object. */
export const hashed: [lower: number, upper: number] = [0, 0]

const rotated = (value: number, by: number): number => (value << by) | (value >>> (32 - by))

/**
 * Hashes a text into 64 bits, left in `hashed`. Two of ten million different texts have the same hash in one of
 * 400,000 logs.
 */
export function hashText(text: string): void {
  let lower = 0x9e3779b9 ^ text.length
  let upper = 0x7f4a7c15
  for (let k = 0; k < text.length; k++) {
    const unit = text.charCodeAt(k)
    lower = Math.imul(rotated(lower, 15) ^ unit, 0xcc9e2d51)
    upper = Math.imul(rotated(upper, 13) ^ unit, 0x1b873593) + lower
  }
  hashed[0] = finished(lower ^ rotated(upper, 7))
  hashed[1] = finished(upper ^ rotated(lower, 11))
}

/** Spreads what a few bits say over all of them. */
function finished(value: number): number {
  let mixed = value
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/** More slots are made once this share is taken. */
const FULLEST = 0.75

/** Which texts came before, by their hashes alone: eight bytes for each, so that ten million fit. */
export class SeenTexts {
  #count = 0
  #lower: Uint32Array
  #upper: Uint32Array

  /** `expected`: how many there will be, if that is known. */
  constructor(expected = 0) {
    const slots = Math.max(1 << 12, Math.ceil(expected / FULLEST) + 1)
    this.#lower = new Uint32Array(slots)
    this.#upper = new Uint32Array(slots)
  }

  /** Whether the text that was hashed last is new; it is remembered. */
  isHashedNew(): boolean {
    const isNew = insert(this.#lower, this.#upper, hashed[0], hashed[1])
    if (isNew && ++this.#count > this.#lower.length * FULLEST) this.#spread()
    return isNew
  }

  #spread(): void {
    const [lower, upper] = [new Uint32Array(this.#lower.length * 2), new Uint32Array(this.#upper.length * 2)]
    for (let slot = 0; slot < this.#lower.length; slot++)
      if (this.#lower[slot] !== 0 || this.#upper[slot] !== 0)
        insert(lower, upper, this.#lower[slot]!, this.#upper[slot]!)
    this.#lower = lower
    this.#upper = upper
  }
}

/** Two zeros mark a free slot, so a hash of two zeros becomes another. */
function insert(lowers: Uint32Array, uppers: Uint32Array, lower: number, upper: number): boolean {
  const slots = lowers.length
  const kept = lower === 0 && upper === 0 ? 1 : upper
  for (let slot = Math.floor((lower / 2 ** 32) * slots); ; slot = slot + 1 === slots ? 0 : slot + 1) {
    if (lowers[slot] === lower && uppers[slot] === kept) return false
    if (lowers[slot] === 0 && uppers[slot] === 0) {
      lowers[slot] = lower
      uppers[slot] = kept
      return true
    }
  }
}

/** Between the id of a decision and an item, where both are needed to tell rows apart. */
export const SEPARATOR = '\u001f'

/** What makes an id loose: capitals, blanks at its ends, or a fraction of zeros, as tables of floats write whole numbers. */
const LOOSE = /[A-Z]|^[ \t-\r]|[ \t-\r]$|\d\.0+$/

/**
 * An id without what files differ in: capitals, blanks at its ends, and `.0` behind a whole number. Only letters of ASCII
 * are lowered, so that every engine does the same.
 */
function looseId(id: string): string {
  if (!LOOSE.test(id)) return id
  const trimmed = id.replace(/^[ \t-\r]+/, '').replace(/[ \t-\r]+$/, '')
  return trimmed.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()).replace(/^([+-]?\d+)\.0+$/, '$1')
}

/** The key of a row from the id of its decision and, where it takes both, its item; undefined where one is missing. */
export function keyOf(
  decision: string | undefined,
  item: string | undefined,
  { withItem, isLoose }: { readonly withItem: boolean; readonly isLoose: boolean },
): string | undefined {
  if (decision === undefined || (withItem && item === undefined)) return undefined
  const id = isLoose ? looseId(decision) : decision
  return withItem ? `${id}${SEPARATOR}${isLoose ? looseId(item!) : item}` : id
}

/** The loose form of a whole key. */
export const looseKey = (key: string): string =>
  key.includes(SEPARATOR) ? key.split(SEPARATOR).map(looseId).join(SEPARATOR) : looseId(key)
