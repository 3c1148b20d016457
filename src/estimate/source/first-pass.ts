import type { RewardFacts } from './source.js'
import type { WeightStep } from './weight-ranks.js'

/** What a first pass over the rows of a table finds. */
export interface FirstPass {
  readonly rows: number
  readonly maxWeight: number | null
  /** The least weight above 0. */
  readonly leastWeight: number | null
  /** Largest number_of·w. */
  readonly heaviest: number | null
  /** Sum of number_of·w. */
  readonly total: number | null
  readonly leastPropensity: number | null
  readonly rewards: RewardFacts
  /** The latest time. */
  readonly latest: number | null
  /** How many rows are broken. */
  readonly broken: number
  /** The weights above 0, in fine steps. */
  readonly steps: readonly WeightStep[]
}

type Cell = number | null
type Pick = (values: readonly number[]) => number

/** What the rows of a `factsQuery`, one for each step of the weights, say together. `isCounted` where rows stand for several impressions. */
export function firstPassOf(found: readonly (readonly Cell[])[], isCounted: boolean): FirstPass {
  const column = (place: number): number[] =>
    found.flatMap((cells) => (cells[place] == null ? [] : [cells[place]]))
  const among = (place: number, pick: Pick): Cell => {
    const values = column(place)
    return values.length > 0 ? pick(values) : null
  }
  const [sum, least, most]: Pick[] = [
    (values) => values.reduce((total, value) => total + value, 0),
    (values) => values.reduce((a, b) => Math.min(a, b)),
    (values) => values.reduce((a, b) => Math.max(a, b)),
  ] as [Pick, Pick, Pick]
  const steps = found.flatMap(([step, count, total, lightest, heaviest]): WeightStep[] =>
    step == null ? [] : [{ step, count: count!, sum: total!, least: lightest!, most: heaviest! }],
  )
  return {
    rows: sum(column(1)),
    maxWeight: among(4, most),
    leastWeight: steps.length > 0 ? least(steps.map((one) => one.least)) : null,
    heaviest: among(isCounted ? 6 : 4, most),
    total: among(isCounted ? 5 : 2, sum),
    leastPropensity: among(7, least),
    broken: sum(column(8)),
    rewards: { least: among(9, least)!, most: among(10, most)!, isBinary: sum(column(11)) === 0 },
    latest: among(12, most),
    steps,
  }
}
