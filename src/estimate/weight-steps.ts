import { log10, pow } from '../portable-math.js'
import { TOUCHING } from './weight-summary.js'

/** Fine steps of weights per decade: every coarser histogram can be made from them. */
export const STEPS_PER_DECADE = 100

/** Weights of one fine step: how many, and their sum. */
export interface CountedStep {
  readonly step: number
  readonly count: number
  readonly sum: number
}

/**
 * The sum of the largest weights, so many, from those above zero in fine steps. Weights of the step at the edge all count by its
 * mean, from which none is further than 2.4 %: so nobody has to put rows in order.
 */
export function sumOfLargest(steps: readonly CountedStep[], count: number): number {
  let [sum, left] = [0, count]
  for (const own of steps.toSorted((a, b) => b.step - a.step)) {
    const taken = Math.min(left, own.count)
    sum += own.sum * (taken / own.count)
    left -= taken
  }
  return sum
}

/** The same over weights in memory, of which the largest are known. */
export function sumOfHeaviest(weights: Float64Array, largest: Float64Array): number {
  const edge = largest.reduce((least, weight) => Math.min(least, weight), Infinity)
  if (edge === 0) return largest.reduce((sum, weight) => sum + weight, 0)
  const step = Math.floor(log10(edge) * STEPS_PER_DECADE + TOUCHING)
  const [low, high] = [step, step + 1].map((limit) => pow(10, (limit - TOUCHING) / STEPS_PER_DECADE)) as [number, number] // prettier-ignore
  const isAtEdge = (weight: number): boolean => weight === edge || (weight >= low && weight < high)
  let [above, taken, count, total] = [0, 0, 0, 0]
  for (const weight of largest)
    if (isAtEdge(weight)) taken++
    else above += weight
  for (const weight of weights)
    if (isAtEdge(weight)) {
      count++
      total += weight
    }
  return above + total * (taken / count)
}
