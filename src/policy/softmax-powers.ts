import { exp } from '../portable-math.js'
import { type SoftmaxKernel, softmaxKernel } from './softmax-kernel.js'

/** Scores of one user. */
export type ScoreRow = Float64Array | Float32Array

/** What the shares of a softmax are made of. */
export interface SoftmaxPowers {
  /** One for each score, at most 1; 0 for scores of −Infinity. */
  readonly powers: Float64Array
  readonly sum: number
}

/** Made when first asked for; null where there are no vectors. */
let kernel: SoftmaxKernel | null | undefined

/**
 * exp((score − best) / temperature) of each score, none above `best`, and their sum. The array is overwritten by the next
 * call: for passes over many users, of which none is kept.
 */
export function powersOf(scores: ScoreRow, best: number, temperature: number): SoftmaxPowers {
  if (kernel === undefined) kernel = softmaxKernel() ?? null
  return kernel ? kernel(scores, best, temperature) : powersByLoop(scores, best, temperature)
}

/** The same without vectors: to the same bits, and several times slower. */
export function powersByLoop(scores: ScoreRow, best: number, temperature: number): SoftmaxPowers {
  const powers = new Float64Array(scores.length)
  // Even and odd items have a sum each, as vectors of two have them.
  const [sums, lost] = [new Float64Array(2), new Float64Array(2)]
  for (let item = 0; item < scores.length; item++) {
    if (scores[item] === -Infinity) continue
    const power = exp((scores[item]! - best) / temperature)
    powers[item] = power
    const lane = item % 2
    const sum = sums[lane]! + power
    lost[lane]! += lostIn(sums[lane]!, power, sum)
    sums[lane] = sum
  }
  const sum = sums[0]! + sums[1]!
  return { powers, sum: sum + (lostIn(sums[0]!, sums[1]!, sum) + lost[0]! + lost[1]!) }
}

/** What rounding lost in a sum, exactly, whichever of the two is larger (Knuth 1969). */
function lostIn(first: number, second: number, sum: number): number {
  const added = sum - first
  return first - (sum - added) + (second - added)
}

/** The largest of some scores. */
export function bestOf(scores: ScoreRow): number {
  let best = -Infinity
  for (let item = 0; item < scores.length; item++) if (scores[item]! > best) best = scores[item]!
  return best
}

/**
 * exp(score / temperature) divided by its sum, relative to the best score; 0 for scores of −Infinity. All others are
 * finite, and at least one is.
 */
export function softmaxShares(scores: ScoreRow, temperature: number): Float64Array {
  const { powers, sum } = powersOf(scores, bestOf(scores), temperature)
  const shares = new Float64Array(powers.length)
  for (let item = 0; item < shares.length; item++) shares[item] = powers[item]! / sum
  return shares
}
