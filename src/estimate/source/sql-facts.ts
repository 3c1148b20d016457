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
import { STEPS_PER_DECADE } from '../../sql/script/script-format.js'
import { paretoTail } from '../pareto.js'
import {
  type WeightSummary,
  onePercentOf,
  placeOfRank,
  rankOfMedian,
  summaryOfSteps,
} from '../weight-summary.js'
import { type SeenTable, WEIGHT_STEPS } from './seen-table.js'
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
  const { sum: top } = (await heaviestRows(seen, ranked, onePercentOf(rows))) ?? { sum: total }
  const hasWeight = total !== null && total > 0
  return {
    ...facts,
    days,
    maxWeight: hasWeight ? maxWeight : null,
    largestWeights: Float64Array.from(tail, ([w]) => w!).reverse(),
    topShare: hasWeight ? heaviest! / total : null,
    topPercentShare: hasWeight ? top! / total : null,
    floorShare: leastPropensity === null ? null : atFloor / rows,
  }
}

function propensitySourceOf({ propensity, relation }: SqlTable): PropensitySource {
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
  const positive = steps.reduce((sum, { count }) => sum + count, 0)
  const median = await heaviestRows(seen, 'w', rankOfMedian(positive))
  return summaryOfSteps(steps, STEPS_PER_DECADE, {
    count: rows,
    least: leastWeight,
    heaviest: maxWeight ?? 0,
    median: median?.least ?? null,
  })
}

/** How far a weight may be from itself in another query, where an engine adds in another order; less than steps lie apart. */
const ROUNDING = 1e-12

/** The sum and the least of the largest weights, so many of those above zero; undefined where there are fewer. */
export async function heaviestRows(
  seen: SeenTable,
  ranked: Ranked,
  count: number,
): Promise<{ sum: number; least: number } | undefined> {
  const steps = ranked === 'w' ? (await seen.count()).steps : await stepsOf(seen, ranked)
  const place = placeOfRank(steps, count)
  if (!place) return undefined
  const { above, remaining, step } = place
  if (step.least === step.most) return { sum: above + remaining * step.least, least: step.least }
  const within = { least: step.least * (1 - ROUNDING), most: step.most * (1 + ROUNDING), count: remaining }
  const [sum, least] = await seen.row(largestWithinQuery(await seen.soundView(), ranked, within))
  return { sum: above + sum!, least: least! }
}

/** The weights of the impressions that rows stand for, in fine steps: the rows are passed over once more. */
async function stepsOf(seen: SeenTable, ranked: Ranked): Promise<readonly CountedStep[]> {
  const found = await seen.engine.numbers(weightStepsQuery(await seen.soundView(), ranked, WEIGHT_STEPS))
  return found.map((cells): CountedStep => {
    const [step, count, sum, least, most] = cells as [number, number, number, number, number]
    return { step, count, sum, least, most }
  })
}
