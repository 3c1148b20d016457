/** Random numbers of a simulation: 32-bit words by xoshiro128** (Blackman & Vigna 2018), seeded by splitmix32. */
export function generator(seed) {
  let mix = seed | 0
  const next = () => {
    mix = (mix + 0x9e3779b9) | 0
    let z = mix ^ (mix >>> 16)
    z = Math.imul(z, 0x21f0aaad)
    z ^= z >>> 15
    z = Math.imul(z, 0x735a2d97)
    return z ^ (z >>> 15)
  }
  let a = next()
  let b = next()
  let c = next()
  let d = next()
  const word = () => {
    const five = Math.imul(b, 5)
    const result = Math.imul((five << 7) | (five >>> 25), 9)
    const t = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= t
    d = (d << 11) | (d >>> 21)
    return result >>> 0
  }
  const uniform = () => (word() + 0.5) / 0x100000000
  return {
    word,
    /** Between 0 and 1, never either. */
    uniform,
    /** A whole number below `count`. */
    below: (count) => Math.floor(uniform() * count),
    /** Standard normal (Box & Muller 1958). */
    normal: () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform()),
    /** An index drawn with the probabilities whose running sums are given. */
    pick(cumulative) {
      const u = uniform() * cumulative[cumulative.length - 1]
      let low = 0
      let high = cumulative.length - 1
      while (low < high) {
        const middle = (low + high) >> 1
        if (cumulative[middle] > u) high = middle
        else low = middle + 1
      }
      return low
    },
  }
}

/** A seed from words and numbers (FNV-1a): the same log for the same family, cell and place, whatever else is run. */
export function seedOf(...parts) {
  let hash = 0x811c9dc5
  for (const letter of parts.join(' ')) {
    hash ^= letter.codePointAt(0)
    hash = Math.imul(hash, 0x01000193)
  }
  return hash
}
