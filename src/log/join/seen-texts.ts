import { hashed } from './text-hash.js'

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
