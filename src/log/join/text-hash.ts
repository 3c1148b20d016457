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
