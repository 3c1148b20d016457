import { runningSums } from '../sum.js'

/**
 * Picks places in proportion to their shares: the first place whose running sum is above `uniform` · total, for
 * `uniform` in [0, 1). A guide says between which two places to look, one entry for about every place, so that
 * a pick takes the same few comparisons however many places there are (Chen & Asau 1974).
 */
export function proportionalPick(shares: Float64Array): (uniform: number) => number {
  const sums = runningSums(shares)
  const total = sums.at(-1)!
  // A power of two: multiplying by it rounds nothing, so that the guide never leads past the place.
  let size = 1
  while (size < shares.length) size *= 2
  const guide = new Uint32Array(size + 1)
  for (let k = 0, place = 0; k <= size; k++) {
    while (place < sums.length - 1 && sums[place]! <= (k / size) * total) place++
    guide[k] = place
  }
  return (uniform) => {
    const threshold = uniform * total
    const k = Math.floor(uniform * size)
    let low = guide[k]!
    let high = guide[k + 1]!
    while (low < high) {
      const middle = (low + high) >>> 1
      if (sums[middle]! > threshold) high = middle
      else low = middle + 1
    }
    return low
  }
}
