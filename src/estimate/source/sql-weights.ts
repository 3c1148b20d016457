import { largestWithinQuery, type Ranked, weightStepsQuery } from '../../sql/facts-queries.js'
import { STEPS_PER_DECADE } from '../weight-steps.js'
import { binsOf, stepsBetween, type WeightSummary } from '../weight-summary.js'
import { type SeenTable, WEIGHT_STEPS } from './seen-table.js'
import { placeOfRank, rankOfMedian, type WeightStep } from './weight-ranks.js'

/** How far a weight may be from itself in another query, where an engine adds in another order; less than steps lie apart. */
const ROUNDING = 1e-12

/** How the weights of a table that an engine holds are spread, from counts of them in fine steps. */
export class SqlWeights {
  readonly #seen: SeenTable
  #counted: Promise<readonly WeightStep[]> | undefined

  constructor(seen: SeenTable) {
    this.#seen = seen
  }

  /** The lower median of the weights above zero. */
  async median(): Promise<number | null> {
    const steps = await this.stepsOf('w')
    const positive = steps.reduce((sum, { count }) => sum + count, 0)
    const place = placeOfRank(steps, rankOfMedian(positive))
    if (!place) return null
    const { remaining, step } = place
    if (step.least === step.most) return step.least
    const within = { least: step.least * (1 - ROUNDING), most: step.most * (1 + ROUNDING), count: remaining }
    const [least] = await this.#seen.row(largestWithinQuery(await this.#seen.soundView(), within))
    return least!
  }

  async summary(): Promise<WeightSummary> {
    const { rows, maxWeight, leastWeight } = await this.#seen.count()
    const heaviest = maxWeight ?? 0
    if (heaviest === 0 || leastWeight === null) return { count: rows, zeros: rows, heaviest, bins: [] }
    const steps = stepsBetween(leastWeight, heaviest)
    const { perDecade, first, last } = steps
    const counts = new Float64Array(last - first + 1)
    const sums = new Float64Array(counts.length)
    let [total, positive] = [0, 0]
    for (const { step, count, sum } of await this.stepsOf('w')) {
      const coarse = Math.floor((step * perDecade) / STEPS_PER_DECADE)
      const bin = Math.min(last, Math.max(first, coarse)) - first
      counts[bin]! += count
      sums[bin]! += sum
      total += sum
      positive += count
    }
    return { count: rows, zeros: rows - positive, heaviest, bins: binsOf(steps, counts, sums, total) }
  }

  /** The weights above zero in fine steps; those of the impressions that rows stand for are passed over once more. */
  async stepsOf(ranked: Ranked): Promise<readonly WeightStep[]> {
    return ranked === 'w' ? (await this.#seen.count()).steps : (this.#counted ??= this.#countedSteps())
  }

  async #countedSteps(): Promise<readonly WeightStep[]> {
    const view = await this.#seen.soundView()
    const found = await this.#seen.engine.numbers(weightStepsQuery(view, 'number_of * w', WEIGHT_STEPS))
    return found.map((cells): WeightStep => {
      const [step, count, sum, least, most] = cells as [number, number, number, number, number]
      return { step, count, sum, least, most }
    })
  }
}
