/** Where the items of a context stand by their scores. Candidates may be more than these items: those of a policy that the log does not have. */
export interface Standing {
  /** How many candidates are better than each item. */
  readonly better: Uint32Array
  /** How many candidates have its score, itself among them; 0 for an item that is no candidate. */
  readonly tied: Uint32Array
  readonly candidates: number
}

/** How a policy that goes by the order of its items fills a page: each slot by what is not yet shown on it. */
export interface SortedPages {
  /** With this probability a slot shows any item not yet shown, else the best of them, ties sharing. */
  readonly epsilon: number
  /** Where items stand in a context; undefined where the policy has no order there, and goes by its probabilities. */
  standing(context: number): Standing | undefined
}

/** Where items stand by their scores; those of −Infinity are no candidates. */
export function standingOf(scores: Float64Array): Standing {
  const order = risingOrder(scores)
  const [better, tied] = [new Uint32Array(scores.length), new Uint32Array(scores.length)]
  let end = order.length
  let candidates = 0
  while (end > 0) {
    const score = scores[order[end - 1]!]!
    if (score === -Infinity) break
    let start = end
    while (start > 0 && scores[order[start - 1]!] === score) start--
    for (let place = start; place < end; place++) {
      better[order[place]!] = candidates
      tied[order[place]!] = end - start
    }
    candidates += end - start
    end = start
  }
  return { better, tied, candidates }
}

/** Where items stand once some of them, each listed once, are no candidates any more. */
export function standingWithout({ better, tied, candidates }: Standing, items: ArrayLike<number>): Standing {
  const gone = Array.from(items).filter((item) => tied[item]! > 0)
  const places = Float64Array.from(gone, (item) => better[item]!).sort()
  const countBelow = (place: number): number => {
    const first = places.findIndex((one) => one >= place)
    return first < 0 ? places.length : first
  }
  const left = {
    better: better.map((place) => place - countBelow(place)),
    tied: tied.map((ties, item) => ties - (countBelow(better[item]! + 1) - countBelow(better[item]!))),
    candidates: candidates - gone.length,
  }
  for (const item of gone) left.tied[item] = 0
  return left
}

/**
 * The probability that a slot shows an item, given the items above it on the page; NaN where no candidate is left to be shown
 * there.
 */
export function slotShare(
  { better, tied, candidates }: Standing,
  epsilon: number,
  item: number,
  above: ArrayLike<number>,
): number {
  if (above.length >= candidates) return NaN
  let [ahead, alike, left] = [better[item]!, tied[item]!, candidates]
  if (alike === 0) return 0
  for (let k = 0; k < above.length; k++) {
    const shown = above[k]!
    if (shown === item) return 0
    if (tied[shown] === 0 || isRepeated(above, k)) continue
    left--
    if (better[shown]! < better[item]!) ahead--
    else if (better[shown] === better[item]) alike--
  }
  return epsilon / left + (ahead === 0 ? (1 - epsilon) / alike : 0)
}

/** Whether an item stands further up, as it may on pages of others. */
function isRepeated(above: ArrayLike<number>, k: number): boolean {
  for (let j = 0; j < k; j++) if (above[j] === above[k]) return true
  return false
}

/** The same of all items. */
export const slotShares = (standing: Standing, epsilon: number, above: ArrayLike<number>): Float64Array =>
  Float64Array.from(standing.tied.keys(), (item) => slotShare(standing, epsilon, item, above))

/**
 * P(item in slot k), whatever stands above, for the items asked for: `[slot][place among the items]`, slots counted from 0. Of an
 * item that is not shown yet, only how many better ones are left matters: O(slots²) for each place that it may have.
 */
export function sortedMarginals(
  { better, tied, candidates }: Standing,
  epsilon: number,
  items: ArrayLike<number>,
  slots: number,
): Float64Array[] {
  const marginals = Array.from({ length: slots }, () => new Float64Array(items.length))
  // Items that tie have the same.
  const known = new Map<number, Float64Array>()
  for (let k = 0; k < items.length; k++) {
    const [first, ties] = [better[items[k]!]!, tied[items[k]!]!]
    if (ties === 0) continue
    let shares = known.get(first)
    if (!shares) {
      known.set(first, (shares = new Float64Array(slots)))
      for (let place = first; place < first + ties; place++)
        addPlace(shares, { place, candidates, epsilon, part: 1 / ties })
    }
    for (let slot = 0; slot < slots; slot++) marginals[slot]![k] = shares[slot]!
  }
  return marginals
}

/** Adds the part of the probability of each slot that comes from standing at a place, counted from 0. */
function addPlace(
  shares: Float64Array,
  {
    place,
    candidates,
    epsilon,
    part,
  }: {
    readonly place: number
    readonly candidates: number
    readonly epsilon: number
    readonly part: number
  },
): void {
  // The probability that it is not shown yet, and so many of the better ones are.
  let chance = Float64Array.of(1)
  for (let slot = 0; slot < shares.length && slot < candidates; slot++) {
    const next = new Float64Array(chance.length + 1)
    const any = epsilon / (candidates - slot)
    for (let gone = 0; gone < chance.length; gone++) {
      const ahead = place - gone
      if (ahead < 0) break
      const [here, behind] = [chance[gone]!, candidates - slot - 1 - ahead]
      shares[slot]! += part * here * (any + (ahead === 0 ? 1 - epsilon : 0))
      next[gone]! += here * any * behind
      if (ahead > 0) next[gone + 1]! += here * (1 - epsilon + any * ahead)
    }
    chance = next
  }
}

const BITS = 11
const DIGITS = 1 << BITS

/**
 * The indices of the values from the smallest to the largest, stably; no value may be NaN. Radix sort on the bits
 * of the numbers, several times as fast as sorting by comparison: rank-based policies order every item for every
 * user.
 */
export function risingOrder(values: Float64Array): Uint32Array {
  const { low, high } = sortableBits(values)
  let order = new Uint32Array(values.length)
  for (let place = 0; place < order.length; place++) order[place] = place
  let other = new Uint32Array(values.length)
  for (let pass = 0; pass < 2 * PASSES; pass++) {
    const isSorted = sortByDigit(pass < PASSES ? low : high, (pass % PASSES) * BITS, {
      from: order,
      to: other,
    })
    if (isSorted) [order, other] = [other, order]
  }
  return order
}

/** Digits of a word. */
const PASSES = 3
const starts = new Uint32Array(DIGITS + 1)

/** Sorts indices stably by one digit of their words; false if all share the same digit. */
function sortByDigit(
  words: Uint32Array,
  shift: number,
  { from, to }: { from: Uint32Array; to: Uint32Array },
): boolean {
  starts.fill(0)
  for (let place = 0; place < words.length; place++) starts[((words[place]! >>> shift) & (DIGITS - 1)) + 1]!++
  // The lower bits of former float32 values are all equal.
  if (words.length === 0 || starts[((words[0]! >>> shift) & (DIGITS - 1)) + 1] === words.length) return false
  for (let digit = 0; digit < DIGITS; digit++) starts[digit + 1]! += starts[digit]!
  for (let k = 0; k < from.length; k++) {
    const place = from[k]!
    to[starts[(words[place]! >>> shift) & (DIGITS - 1)]!++] = place
  }
  return true
}

/** Two words per number that compare as the numbers do: negative ones inverted, 0 and −0 equal. */
function sortableBits(values: Float64Array): { low: Uint32Array; high: Uint32Array } {
  const low = new Uint32Array(values.length)
  const high = new Uint32Array(values.length)
  const number = new Float64Array(1)
  const words = new Uint32Array(number.buffer)
  for (let place = 0; place < values.length; place++) {
    number[0] = values[place]! + 0
    const isNegative = words[1]! >>> 31 === 1
    low[place] = isNegative ? ~words[0]! : words[0]!
    high[place] = isNegative ? ~words[1]! : words[1]! | 0x80000000
  }
  return { low, high }
}
