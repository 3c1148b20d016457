import {
  type Answers,
  type Batch,
  col,
  floor,
  type Label,
  remainder,
  type RowNumber,
  type Sums,
  type SumsQuery,
  type Window,
} from '../../queries/query.js'
import { DAY_STEP } from '../../sql/cell-bucket.js'
import { least, number, over, plus, times, when } from '../../sql/expression.js'
import { idBucket } from '../../sql/id-bucket.js'
import { both, is, row } from '../../verdict/frame.js'
import { one, type Term } from '../term.js'
import { type CountedStep, STEPS_PER_DECADE, sumOfLargest } from '../weight-steps.js'
import { onePercentOf, summaryOfSteps, TOUCHING, type WeightSummary } from '../weight-summary.js'
import { clusterKey } from './clusters.js'
import { bucketKey, BUCKETS, type ClusterBy, groupingOf, JOINT, Moments } from './moments.js'
import type { About, Facts } from './source.js'

/** A way in which rows may depend on each other: a column of ids, or days. */
export type StatementWay = 'user' | 'day' | 'column'

/** What a statement is to find in the rows. */
export interface StatementShape {
  readonly terms: readonly Term[]
  /** Clusters of the first way, and where there is a second one, of that and of both. */
  readonly ways: readonly StatementWay[]
  readonly holds: About['holds']
  /** Whether rows have propensities, logged or assumed. */
  readonly hasPropensities: boolean
}

/**
 * The columns that the rows of a statement have beside those of other batches: the day `d` of a row since 1970, the bucket `o` of
 * its cluster of the second way, and that of both, `c`.
 */
const [u, o, c, d] = ['u', 'o', 'c', 'd'].map(col) as [RowNumber, RowNumber, RowNumber, RowNumber]

/** Days by their number, of which those before 1970 stand behind all others. */
const day: Label = { of: remainder(d, BUCKETS), size: BUCKETS }
const LAST_DAY = 49_152

/** Steps of weights from 1e-300 on; less than that is taken for it. */
const STEPS_BELOW_ONE = 300 * STEPS_PER_DECADE

/** The names of what is asked beside checks, whose names begin with their codes. */
const OWN = {
  facts: 'log.facts',
  weights: 'log.weights',
  counted: 'log.weights of impressions',
  days: 'log.days',
} as const

/** All that a statement asks of the rows, since it has no second pass: sums by cluster, facts, and what every check asks. */
export function statementBatch(shape: StatementShape, checks: Batch): Batch {
  const { terms, ways, holds, hasPropensities } = shape
  const counted = (value: RowNumber): RowNumber => (holds.isThinned ? times(row.n, value) : value)
  const moments = clustersOf(ways).map(([by, label]): [string, SumsQuery] => [
    momentsBy(by),
    {
      by: [label],
      sums: Object.fromEntries(terms.map(({ name, expression }) => [name, counted(expression)])),
    },
  ])
  const windows: readonly Window[] = [
    { name: 'logRows', take: 'total', of: number(1), over: 'log' },
    { name: 'userRows', take: 'total', of: number(1), over: 'user' },
    ...(hasPropensities ? [{ name: 'leastPropensity', take: 'least', of: row.b, over: 'log' } as const] : []),
  ]
  const [rows, known] = [col('logRows'), windows.map((window) => JSON.stringify(window))]
  return {
    windows: [...windows, ...checks.windows.filter((window) => !known.includes(JSON.stringify(window)))],
    sums: {
      ...Object.fromEntries(moments),
      [OWN.facts]: {
        by: [],
        sums: {
          users: over(1, col('userRows')),
          weight: counted(row.w),
          otherRewards: both(is(row.r, '!=', number(0)), is(row.r, '!=', number(1))),
          ...(hasPropensities && { atLeastPropensity: is(row.b, '=', col('leastPropensity')) }),
        },
        least: { leastReward: row.r, leastWeight: when(row.w, '>', 0, row.w, Infinity) },
        most: { mostReward: row.r, mostWeight: row.w, heaviest: counted(row.w) },
      },
      [OWN.weights]: byStep(row.w),
      ...(holds.isThinned && { [OWN.counted]: byStep(counted(row.w)) }),
      ...(holds.hasTimes && { [OWN.days]: { by: [day], sums: { rows: number(1) } } }),
      ...checks.sums,
    },
    factors: checks.factors,
    largest: {
      // As many as the shape of a tail needs, and some for rounding.
      [OWN.weights]: { of: row.w, count: plus(least(times(rows, 0.2), times(root(rows), 3)), 2) },
      ...checks.largest,
    },
  }
}

const momentsBy = (by: ClusterBy): string => `log.moments by ${by}`

/** The clusters of each way, and where there are two, the cells of both: by buckets, as `cellBucket` has them where one is days. */
function clustersOf(ways: readonly StatementWay[]): [ClusterBy, Label][] {
  const inBuckets = (of: RowNumber): Label => ({ of, size: BUCKETS })
  const own = ways.map((way, k) => (way === 'day' ? day : inBuckets(k === 0 ? u : o)))
  const single = ways.map((way, k): [ClusterBy, Label] => [way, own[k]!])
  if (ways.length === 1) return single
  const dayAt = ways.indexOf('day')
  const cell = dayAt === -1 ? c : remainder(plus(own[1 - dayAt]!.of, times(day.of, DAY_STEP)), BUCKETS)
  return [...single, [ways.join(JOINT) as ClusterBy, inBuckets(cell)]]
}

const logarithm = (of: RowNumber): RowNumber => ({ kind: 'function', name: 'log', of })
const root = (of: RowNumber): RowNumber => ({
  kind: 'function',
  name: 'exp',
  of: times(logarithm(of), 0.5),
})

/** Numbers above zero in fine steps: how many, and their sum. */
function byStep(value: RowNumber): SumsQuery {
  const step = floor(plus(times(logarithm(value), STEPS_PER_DECADE / Math.LN10), TOUCHING))
  return {
    by: [{ of: when(value, '>', 0, plus(step, STEPS_BELOW_ONE), -1), size: 2 * STEPS_BELOW_ONE }],
    sums: { count: number(1), sum: value },
  }
}

/** The sums of terms by clusters, or buckets of them; undefined where the statement did not group the rows so. */
export function recordedMoments(
  { sums }: Answers,
  terms: readonly Term[],
  clusterBy: ClusterBy,
): Moments | undefined {
  const found = sums[momentsBy(clusterBy)]
  if (!found || terms.some(({ name }) => !found[name])) return undefined
  // A cell of rows has some: each stands for at least a fraction of one.
  const cells = cellsOf(found[one.name]!)
  const columns = new Map(
    terms.map(({ name }) => [name, Float64Array.from(cells, (cell) => found[name]![cell]!)]),
  )
  if (clusterBy !== 'day') return new Moments(Uint32Array.from(cells, bucketKey), columns, { by: 'bucket' })
  const ids = cells.map((cell) => String(cell < LAST_DAY ? cell : cell - BUCKETS))
  const grouping = groupingOf({
    count: ids.length,
    idOf: (cluster) => ids[cluster]!,
    buckets: () => Uint16Array.from(ids, idBucket),
  })
  return new Moments(Uint32Array.from(ids, clusterKey), columns, grouping)
}

/** Facts that do not follow from what is asked of sound rows. */
type FactsOfTable =
  | 'rows'
  | 'guest'
  | 'items'
  | 'propensitySource'
  | 'usesPropensities'
  | 'broken'
  | 'unsupportedMass'

/** What sums alone do not say, of rows none of which is broken. */
export function recordedFacts(
  { sums, largest }: Answers,
  rows: number,
): Omit<Facts, FactsOfTable> & { readonly largestWeights: Float64Array } {
  const facts = sums[OWN.facts]!
  const of = (name: string): number => facts[name]![0]!
  const days = sums[OWN.days]
  const total = of('weight')
  const share = (weight: number): number | null => (total > 0 ? weight / total : null)
  return {
    users: Math.round(of('users')),
    rewards: { least: of('leastReward'), most: of('mostReward'), isBinary: of('otherRewards') === 0 },
    days: (days && cellsOf(days['rows']!).length) || null,
    maxWeight: total > 0 ? of('mostWeight') : null,
    largestWeights: largest[OWN.weights]!,
    topShare: share(of('heaviest')),
    topPercentShare: share(
      sumOfLargest(stepsOf(sums[OWN.counted] ?? sums[OWN.weights]!), onePercentOf(rows)),
    ),
    floorShare: facts['atLeastPropensity'] ? of('atLeastPropensity') / rows : null,
  }
}

/** The distribution of the weights. */
export function recordedWeights({ sums }: Answers, rows: number): WeightSummary {
  const [heaviest, lightest] = ['mostWeight', 'leastWeight'].map((name) => sums[OWN.facts]![name]![0]!) as [number, number] // prettier-ignore
  const least = Number.isFinite(lightest) ? lightest : null
  return summaryOfSteps(stepsOf(sums[OWN.weights]!), STEPS_PER_DECADE, {
    count: rows,
    least,
    heaviest,
    median: null,
  })
}

const stepsOf = ({ count, sum }: Sums): CountedStep[] =>
  cellsOf(count!).map((cell) => ({ step: cell - STEPS_BELOW_ONE, count: count![cell]!, sum: sum![cell]! }))

/** The cells that have rows. */
const cellsOf = (counts: Float64Array): number[] =>
  Array.from(counts.keys()).filter((cell) => counts[cell]! !== 0)
