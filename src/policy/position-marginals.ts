import { badOption } from '../error.js'
import { exp } from '../portable-math.js'

/** Steps of the recursion, about a second of work. */
const MOST_STEPS = 1e8

/**
 * P(item at position) of Plackett–Luce slates, for each position and item, with weights
 * w = exp(score / temperature); items with score −Infinity are never shown.
 *
 * By recursion over the sets S that can fill the first positions:
 * P(i next | S) = w_i / Σ_{j∉S} w_j, and P(S ∪ {i}) sums P(S)·P(i next | S) over the ways to reach it.
 * The sets of one size are numbered by the combinatorial number system, rank = Σ C(s_m, m + 1) over the
 * elements s_0 < s_1 < …, so that a level is one array.
 */
export function positionMarginals(
  whose: string,
  scores: Float64Array,
  temperature: number,
  positions: number,
): Float64Array[] {
  // Best first: the best item outside a set of m is then among the first m + 1.
  const order = Array.from(scores.keys())
    .filter((item) => scores[item]! > -Infinity)
    .sort((a, b) => scores[b]! - scores[a]!)
  const count = order.length
  refuseTooMany(whose, count, positions)
  const choose = binomials(count, positions)
  // Weights relative to each item that can be the best remaining, so that none vanish next to better ones already drawn.
  const relativeTo = Array.from({ length: positions }, (_, best) =>
    Float64Array.from(order, (item) => exp((scores[item]! - scores[order[best]!]!) / temperature)),
  )
  const marginals: Float64Array[] = []
  let level = Float64Array.of(1)
  for (let size = 0; size < positions; size++) {
    const marginal = new Float64Array(scores.length)
    const next = new Float64Array(size + 1 < positions ? choose[size + 1]![count]! : 0)
    const set = Uint32Array.from({ length: size }, (_, m) => m)
    for (let rank = 0; rank < level.length; rank++) {
      visit(set, level[rank]!, marginal, next)
      toNextSet(set)
    }
    marginals.push(marginal)
    level = next
  }
  return marginals

  function visit(set: Uint32Array, reached: number, marginal: Float64Array, next: Float64Array): void {
    let best = 0
    while (set[best] === best) best++
    const weights = relativeTo[best]!
    let left = 0
    for (let i = best, m = best; i < count; i++) {
      if (set[m] === i) m++
      else left += weights[i]!
    }
    // The rank of the set with i inserted: the elements before i keep their places, those after move up by one.
    let before = 0
    let after = 0
    if (next.length > 0) for (let m = 0; m < set.length; m++) after += choose[m + 2]![set[m]!]!
    for (let i = 0, m = 0; i < count; i++) {
      if (set[m] === i) {
        if (next.length > 0) {
          before += choose[m + 1]![i]!
          after -= choose[m + 2]![i]!
        }
        m++
        continue
      }
      const probability = (reached * weights[i]!) / left
      marginal[order[i]!]! += probability
      if (next.length > 0) next[before + choose[m + 1]![i]! + after]! += probability
    }
  }
}

/** Advances to the next set in rank: the lowest element that can moves up, those below it return to the start. */
function toNextSet(set: Uint32Array): void {
  let m = 0
  while (m + 1 < set.length && set[m]! + 1 === set[m + 1]!) {
    set[m] = m
    m++
  }
  if (set.length > 0) set[m]!++
}

/** C(n, size) as [size][n], for n up to count. */
function binomials(count: number, sizes: number): Float64Array[] {
  const choose = [new Float64Array(count + 1).fill(1)]
  for (let size = 1; size <= sizes; size++) {
    const row = new Float64Array(count + 1)
    for (let n = 1; n <= count; n++) row[n] = row[n - 1]! + choose[size - 1]![n - 1]!
    choose.push(row)
  }
  return choose
}

function refuseTooMany(whose: string, count: number, positions: number): void {
  let sets = 0
  let ofSize = 1
  for (let size = 0; size < positions; size++) {
    sets += ofSize
    ofSize *= (count - size) / (size + 1)
  }
  if (sets * count > MOST_STEPS)
    throw badOption(
      `${whose}: exact marginals of ${positions} positions and ${count} items take ${(sets * count).toExponential(1)} steps, more than the limit of ${MOST_STEPS.toExponential(0)}.`,
      'Use fewer positions or candidates, or count items in slates drawn with sample.',
    )
}
