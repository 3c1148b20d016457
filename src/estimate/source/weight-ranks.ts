/** Weights between two bounds that no other step reaches into: how many, their sum, the least and the largest. */
export interface WeightStep {
  readonly step: number
  readonly count: number
  readonly sum: number
  readonly least: number
  readonly most: number
}

/** Where a rank lies: the sum of all steps above, the step that holds it, and its rank among the weights of that step. */
export interface PlaceOfRank {
  readonly above: number
  readonly step: WeightStep
  readonly remaining: number
}

/** Where the weight at a rank lies, 1 for the largest; undefined where there are fewer. So only one step has to be put in order. */
export function placeOfRank(steps: readonly WeightStep[], rank: number): PlaceOfRank | undefined {
  let [above, remaining] = [0, rank]
  for (const step of steps.toSorted((a, b) => b.step - a.step)) {
    if (remaining <= step.count) return { above, step, remaining }
    above += step.sum
    remaining -= step.count
  }
  return undefined
}

/** The rank of the median of so many, the lower of two in the middle, counted from the largest. */
export const rankOfMedian = (count: number): number => count - Math.floor((count + 1) / 2) + 1
