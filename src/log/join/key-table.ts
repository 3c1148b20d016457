import { grown } from './grown.js'
import { hashed, hashText } from './text-hash.js'

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
