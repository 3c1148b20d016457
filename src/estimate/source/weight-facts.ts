import type { Log } from '../../log/log.js'
import { CompensatedSum } from '../../sum.js'
import { nthLargest } from '../../world/nth-largest.js'
import { largestOf, paretoTail } from '../pareto.js'
import { sumOfHeaviest } from '../weight-steps.js'
import type { Facts } from './source.js'

/** Rows that "the heaviest 1 %" stands for. */
export const onePercentOf = (rows: number): number => Math.max(1, Math.ceil(rows / 100))

/** What is known about the weights of rows in memory. */
export function weightFacts(
  log: Log,
  weights: Float64Array,
): Pick<Facts, 'maxWeight' | 'largestWeights' | 'topShare' | 'topPercentShare'> {
  const counted = log.weight ? weights.map((w, row) => w * log.weight![row]!) : weights
  const total = new CompensatedSum()
  for (let row = 0; row < counted.length; row++) total.add(counted[row]!)
  const onePercent = onePercentOf(counted.length)
  const tail = paretoTail(weights.length)
  const heaviest = largestOf(weights, log.weight ? tail : Math.max(tail, onePercent))
  const top = (log.weight ? largestOf(counted, onePercent) : heaviest).subarray(-onePercent)
  const hasWeight = total.value > 0
  return {
    maxWeight: hasWeight ? heaviest.at(-1)! : null,
    largestWeights: heaviest,
    topShare: hasWeight ? top.at(-1)! / total.value : null,
    topPercentShare: hasWeight ? sumOfHeaviest(counted, top) / total.value : null,
  }
}

/** The weight that half of those above zero do not exceed, the lower where two are in the middle; null where there are none. */
export function medianWeight(weights: Float64Array): number | null {
  const positive = weights.filter((weight) => weight > 0)
  if (positive.length === 0) return null
  return nthLargest(positive, positive.length - ((positive.length - 1) >> 1))
}

/** Share of rows at the lowest propensity; null without propensities. */
export function floorShareOf({ propensity, rows }: Log): number | null {
  if (!propensity) return null
  let floor = Infinity
  let count = 0
  for (let row = 0; row < rows; row++) {
    const b = propensity[row]!
    if (b < floor) [floor, count] = [b, 0]
    if (b === floor) count++
  }
  return count / rows
}
