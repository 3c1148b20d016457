/** The best item with probability 1 − ε, ties sharing, and any item with probability ε; those with a score of −Infinity are no candidates. */
export function epsilonGreedyOf(scores: Float64Array, epsilon: number): Float64Array {
  let best = -Infinity
  let ties = 0
  let candidates = 0
  for (const score of scores) {
    if (score === -Infinity) continue
    candidates++
    if (score > best) [best, ties] = [score, 0]
    if (score === best) ties++
  }
  const explore = epsilon / candidates
  const exploit = (1 - epsilon) / ties + explore
  return scores.map((score) => (score === best ? exploit : score === -Infinity ? 0 : explore))
}
