import type { Dialect } from '../dialect.js'
import type { SqlView } from '../weighed-rows.js'
import { named, type Step } from './layout.js'
import type { PolicyFact } from './policy-steps.js'
import type { ScriptAsked } from './script-asked.js'
import type { FactName } from './script-format.js'
import { rankSteps, tailSteps } from './weight-steps.js'

const counted = (dialect: Dialect, flag: string): string =>
  dialect.double(`count(CASE WHEN ${flag} THEN 1 END)`)

const weighedNumber = ({ relation }: SqlView): string => (relation.numbers.weight ? 'number_of * w' : 'w')

/** Propensities below this are expected less than once in a million logs of so many rows and items. */
const TINY = { expected: 1e-6, items: 10_000 }
/** No page has this many items. */
const MOST_POSITION = 100_000

/** Facts as aggregates over `weighed`, by their names. */
export function factAggregates(view: SqlView): Partial<Record<FactName, string>> {
  const { dialect, propensity, relation } = view
  const { number, sum } = dialect
  const weighed = weighedNumber(view)
  const least = propensity ? 'b IS NOT NULL' : 'b = least_b'
  return {
    max_weight: 'max(w)',
    least_weight: `min(CASE WHEN w > ${number(0)} THEN w END)`,
    heaviest: `max(${weighed})`,
    total_weight: sum(weighed),
    least_propensity: 'min(b)',
    most_propensity: 'max(b)',
    at_least_propensity: counted(dialect, least),
    tiny_propensity: counted(dialect, 'b < tiny'),
    least_reward: 'min(r)',
    most_reward: 'max(r)',
    other_rewards: counted(dialect, `r <> ${number(0)} AND r <> ${number(1)}`),
    most_position: 'max(place_shown)',
    beyond_position: relation.numbers.position
      ? counted(dialect, `place_shown > ${number(MOST_POSITION)}`)
      : number(0),
  }
}

/** Facts that other steps have. */
export const singleFacts = (
  dialect: Dialect,
  { ways, relation }: ScriptAsked,
): (PolicyFact & { readonly name: FactName })[] => [
  { name: 'rows', value: 'row_count', from: 'counts' },
  { name: 'users', value: dialect.double('count(cluster)'), from: 'by_user' },
  { name: 'items', value: 'item_count', from: 'counts' },
  { name: 'latest_time', value: 'latest', from: 'counts' },
  { name: 'broken', value: 'broken_rows', from: 'faults' },
  ways.includes('day')
    ? { name: 'days', value: dialect.double('count(cluster)'), from: 'by_day' }
    : relation.numbers.time
      ? { name: 'days', value: dialect.double('count(DISTINCT shown_on)'), from: 'weighed' }
      : { name: 'days', value: dialect.number(0) },
]

export function factsStep(view: SqlView): Step {
  const { number } = view.dialect
  const tiny = `${number(TINY.expected)} / (row_count * greatest(item_count, ${number(TINY.items)}))`
  return {
    name: 'facts',
    about: 'One row: counts and extremes.',
    select: {
      columns: Object.entries(factAggregates(view)).map(([name, aggregate]) =>
        named(aggregate, `fact_${name}`),
      ),
      from: `weighed CROSS JOIN (SELECT least_b, ${tiny} AS tiny FROM counts) AS limits`,
    },
  }
}

export const ONE_PERCENT = 'top'
export const MEDIAN = 'median'

/** Steps about the sizes of weights: the histogram, the median, the heaviest 1 %, the largest. */
export function heavySteps(view: SqlView): Step[] {
  const { dialect, relation } = view
  const { number } = dialect
  const top = {
    name: ONE_PERCENT,
    rank: `greatest(${number(1)}, ${dialect.double(`ceil(row_count / ${number(100)})`)})`,
  }
  const median = {
    name: MEDIAN,
    rank: `positive - ${dialect.double(`floor((positive + ${number(1)}) / ${number(2)})`)} + ${number(1)}`,
  }
  const ranks = relation.numbers.weight
    ? [
        ...rankSteps(dialect, { prefix: 'weight', value: 'w', wanted: [median] }),
        ...rankSteps(dialect, { prefix: 'heavy', value: 'number_of * w', wanted: [top] }),
      ]
    : rankSteps(dialect, { prefix: 'weight', value: 'w', wanted: [median, top] })
  return [...ranks, ...tailSteps(dialect)]
}
