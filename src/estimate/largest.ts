import { bitDigitsOf, DIGIT_PLACES, DIGITS } from './bit-digits.js'

/** So few are sorted more quickly than counted. */
const FEW = 4096

/**
 * The `count` largest of some numbers, none below 0 nor −0, in ascending order; all of them where there are fewer. In a
 * time proportional to their number: counting the upper digits of their bits tells which are among the largest and
 * which may be, and among those the next digits decide.
 */
export function largestOf(values: Float64Array, count: number): Float64Array {
  if (count >= values.length) return values.toSorted()
  const largest = new Float64Array(count)
  let found = 0
  let candidates = values
  for (const place of DIGIT_PLACES) {
    if (candidates.length <= FEW) break
    const digits = bitDigitsOf(candidates)
    const counts = new Uint32Array(DIGITS)
    for (let k = place; k < digits.length; k += 4) counts[digits[k]!]!++
    let limit = DIGITS - 1
    for (let above = found; above + counts[limit]! < count; limit--) above += counts[limit]!
    const undecided = new Float64Array(counts[limit]!)
    let next = 0
    for (let k = 0; k < candidates.length; k++) {
      const digit = digits[4 * k + place]!
      if (digit > limit) largest[found++] = candidates[k]!
      else if (digit === limit) undecided[next++] = candidates[k]!
    }
    candidates = undecided
  }
  // Those left are few, or all the same.
  largest.set(candidates.toSorted().subarray(candidates.length - (count - found)), found)
  return largest.sort()
}
