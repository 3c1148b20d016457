import type { PropensitySource } from '../../log/log.js'
import { row } from '../../sql/expression.js'
import { largestQuery } from '../../sql/facts-queries.js'
import { unsupportedQuery } from '../../sql/policy-queries.js'
import { requireProbabilities } from '../loggers/loggers-choice.js'
import { paretoTail } from '../pareto.js'
import { sumOfLargest } from '../weight-steps.js'
import type { SeenTable } from './seen-table.js'
import type { Facts } from './source.js'
import type { SqlTable } from './sql-table.js'
import type { SqlWeights } from './sql-weights.js'
import { onePercentOf } from './weight-facts.js'

/** What sums alone do not say about a table that an engine holds. */
export async function factsOf(seen: SeenTable, weights: SqlWeights): Promise<Facts> {
  await requireLoggers(seen)
  const { rows, users, maxWeight, heaviest, total, leastPropensity, broken, rewards } = await seen.count()
  const view = await seen.view()
  const { target } = seen.table
  const { items, never } = await seen.items()
  const facts = {
    rows,
    users,
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
  const tail = await seen.engine.numbers(largestQuery(await seen.soundView(), row.w, paretoTail(rows)))
  const ranked = seen.table.relation.numbers.weight ? 'number_of * w' : 'w'
  const top = sumOfLargest(await weights.stepsOf(ranked), onePercentOf(rows))
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
