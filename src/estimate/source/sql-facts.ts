import type { PropensitySource } from '../../log/log.js'
import { row } from '../../sql/expression.js'
import {
  type CountedStep,
  type Ranked,
  largestQuery,
  largestWithinQuery,
  weightStepsQuery,
} from '../../sql/facts-queries.js'
import { unsupportedQuery } from '../../sql/policy-queries.js'
import { requireProbabilities } from '../loggers/loggers-choice.js'
import { paretoTail } from '../pareto.js'
import {
  type WeightSummary,
  onePercentOf,
  placeOfRank,
  rankOfMedian,
  summaryOfSteps,
} from '../weight-summary.js'
import { type SeenTable, WEIGHT_STEPS } from './seen-table.js'
import { STEPS_PER_DECADE, sumOfLargest } from '../weight-steps.js'
import type { Facts } from './source.js'
import type { SqlTable } from './sql-table.js'

/** What sums alone do not say about a table that an engine holds. */
export async function factsIn(seen: SeenTable): Promise<Facts> {
  await requireLoggers(seen)
  const { rows, users, maxWeight, heaviest, total, leastPropensity, broken, rewards } = await seen.count()
  const view = await seen.view()
  const { target } = seen.table
  const { items, never } = await seen.items()
  const facts = {
    rows,
    users,
    guest: await seen.guest(),
    items,
    broken,
    rewards,
    propensitySource: propensitySourceOf(seen.table),
    usesPropensities: target.kind !== 'logging',
    unsupportedMass:
      // What is popular was clicked, and so shown.
      target.kind === 'logging' || target.kind === 'popularity'
        ? 0
        : target.kind === 'uniform'
          ? never
          : target.kind === 'table'
            ? (await seen.row(unsupportedQuery({ ...view, target }, never ?? 0)))[0]!
            : null,
  }
  const none = { maxWeight: null, topShare: null, topPercentShare: null, floorShare: null }
  // Nothing is estimated from broken rows, so no more queries are needed.
  if (broken.rows > 0) return { ...facts, ...none, days: null, largestWeights: new Float64Array(0) }
  const { atFloor, days } = await seen.secondCount()
  const tail = await seen.engine.numbers(
    largestQuery(await seen.soundView(), row.w, { count: paretoTail(rows), ofImpressions: false }),
  )
  const ranked = seen.table.relation.numbers.weight ? 'number_of * w' : 'w'
  const top = sumOfLargest(await stepsOf(seen, ranked), onePercentOf(rows))
  const hasWeight = total !== null && total > 0
  return {
    ...facts,
    days,
    maxWeight: hasWeight ? maxWeight : null,
    largestWeights: Float64Array.from(tail, ([w]) => w!).reverse(),
    topShare: hasWeight ? heaviest! / total : null,
    topPercentShare: hasWeight ? top / total : null,
    floorShare: leastPropensity === null ? null : atFloor / rows,
  }
}

/** What the propensities of a table are. */
export function propensitySourceOf({
  propensity,
  relation,
}: Pick<SqlTable, 'relation'> & { readonly propensity?: SqlTable['propensity'] }): PropensitySource {
  if (propensity) return propensity.kind === 'none' ? 'none' : 'assumed'
  return relation.numbers.propensity ? 'logged' : 'none'
}

/** Throws where some logger lacks its probabilities. */
async function requireLoggers({ engine, table, loggers: marked }: SeenTable): Promise<void> {
  const { loggers, relation } = table
  if (!loggers?.probabilities) return
  requireProbabilities(loggers, await engine.texts(`SELECT DISTINCT ${marked!.name} FROM ${relation.from}`))
}

/** How the weights of a table that an engine holds are spread, from counts of them in fine steps. */
export async function weightsIn(seen: SeenTable): Promise<WeightSummary> {
  const { rows, maxWeight, leastWeight, steps } = await seen.count()
  return summaryOfSteps(steps, STEPS_PER_DECADE, {
    count: rows,
    least: leastWeight,
    heaviest: maxWeight ?? 0,
    median: await medianIn(seen),
  })
}

/** How far a weight may be from itself in another query, where an engine adds in another order; less than steps lie apart. */
const ROUNDING = 1e-12

/** The lower median of the weights above zero; null where there are none. */
export async function medianIn(seen: SeenTable): Promise<number | null> {
  const { steps } = await seen.count()
  const place = placeOfRank(steps, rankOfMedian(steps.reduce((sum, { count }) => sum + count, 0)))
  if (!place) return null
  const { remaining, step } = place
  if (step.least === step.most) return step.least
  const within = { least: step.least * (1 - ROUNDING), most: step.most * (1 + ROUNDING), count: remaining }
  const [least] = await seen.row(largestWithinQuery(await seen.soundView(), within))
  return least!
}

/** The weights above zero in fine steps; those of the impressions that rows stand for are passed over once more. */
async function stepsOf(seen: SeenTable, ranked: Ranked): Promise<readonly CountedStep[]> {
  if (ranked === 'w') return (await seen.count()).steps
  const found = await seen.engine.numbers(weightStepsQuery(await seen.soundView(), ranked, WEIGHT_STEPS))
  return found.map((cells): CountedStep => {
    const [step, count, sum, least, most] = cells as [number, number, number, number, number]
    return { step, count, sum, least, most }
  })
}
