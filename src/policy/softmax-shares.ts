import { exp } from '../portable-math.js'
import { type SoftmaxKernel, softmaxKernel } from './softmax-kernel.js'

/** Scores of one user. */
export type ScoreRow = Float64Array | Float32Array

/** Made when first asked for; null where there are no vectors. */
let kernel: SoftmaxKernel | null | undefined

/**
 * exp(score / temperature) divided by its sum, relative to the best score; 0 for scores of −Infinity. All others are
 * finite, and at least one is. The array is overwritten by the next call: for passes over many users, of which none is
 * kept.
 */
export function passingShares(scores: ScoreRow, temperature: number): Float64Array {
  if (kernel === undefined) kernel = softmaxKernel() ?? null
  return kernel ? kernel(scores, temperature) : sharesByLoop(scores, temperature)
}

/** The same in an array of its own. */
export const softmaxShares = (scores: ScoreRow, temperature: number): Float64Array =>
  passingShares(scores, temperature).slice()

/** The same without vectors: to the same bits, and several times slower. */
export function sharesByLoop(scores: ScoreRow, temperature: number): Float64Array {
  let best = -Infinity
  for (let item = 0; item < scores.length; item++) best = Math.max(best, scores[item]!)
  const shares = new Float64Array(scores.length)
  let sum = 0
  let lost = 0
  for (let item = 0; item < shares.length; item++) {
    const score = scores[item]!
    if (score === -Infinity) continue
    const share = exp((score - best) / temperature)
    shares[item] = share
    // The rounding error of a sum is itself a float (Knuth 1969), so this is a compensated sum without a branch.
    const next = sum + share
    const added = next - sum
    lost += sum - (next - added) + (share - added)
    sum = next
  }
  const total = sum + lost
  for (let item = 0; item < shares.length; item++) shares[item]! /= total
  return shares
}
