import type { Dialect } from '../dialect.js'
import { cellBucketOfIdSql, cellBucketSql, DAY_STEP } from '../cell-bucket.js'
import { jointId } from '../day.js'
import type { Expression } from '../expression.js'
import { idBucketSql } from '../id-bucket.js'
import type { Relation } from '../relation.js'
import { sqlOf } from '../sql-of.js'
import type { SqlView } from '../weighed-rows.js'
import { named, type Step } from './layout.js'
import { MOST_RECORDED } from './script-format.js'
import type { ScriptAsked, ScriptWay } from './script-asked.js'

/** Between the ids that together make a cluster. */
const JOINT = '×'

const COLUMN: Readonly<Record<ScriptWay, string>> = {
  user: 'cluster',
  day: 'shown_on',
  column: 'other_cluster',
}

/**
 * Steps that sum by group: by cluster of each way, and where there are two, by the cells of both. For each but days, `each_…`
 * has one row per cluster where there are few, named by its bucket and its place there, and `buckets_by_…` one per bucket
 * where there are many. Where one way alone has too many clusters, the cells of both have too: then `buckets_by_row` deals
 * rows into buckets at once, which is cheaper than to find the cells first. Cells with a day are dealt as `cellBucket` says.
 */
export function groupSteps(view: SqlView, asked: ScriptAsked): Step[] {
  const { dialect, relation } = view
  const { ways, expressions, mostGroups = MOST_RECORDED } = asked
  const [first, second] = ways
  const columns = { counted: countedColumns(dialect), summed: summedColumns(view, expressions) }
  const dealt = (name: string, id: string, other: Pick<Dealt, 'bucket' | 'moved'>): Step[] =>
    dealtSteps(dialect, {
      name,
      from: `by_${name}`,
      id,
      sums: expressions.length,
      most: mostGroups,
      ...other,
    })
  const byOne = (way: ScriptWay): Step[] => [
    {
      name: `by_${way}`,
      about: `Sums by ${words(way)}.`,
      select: {
        columns: [named(COLUMN[way], 'cluster'), ...columns.counted, ...columns.summed],
        from: 'weighed',
        groupBy: [COLUMN[way]],
      },
    },
    ...(way === 'day'
      ? []
      : dealt(way, 'cluster', { bucket: idBucketSql(dialect, 'cluster', isWhole(relation, way)) })),
  ]
  // Checks of the rows go by user, whatever the clusters.
  const users: Step[] = ways.includes('user')
    ? []
    : [
        {
          name: 'by_user',
          about: 'Rows and clicks of each user.',
          select: { columns: ['cluster', ...columns.counted], from: 'weighed', groupBy: ['cluster'] },
        },
      ]
  return [
    ...users,
    ...byOne(first!),
    ...(second
      ? [
          ...byOne(second),
          ...bothSteps(view, [first!, second], columns.summed, mostGroups),
          ...dealt('both', jointId(dialect, ['side_1', 'side_2'], JOINT), {
            bucket: bucketOfCell(view, [first!, second], ['side_1', 'side_2']),
            moved: ways.includes('day') ? words(ways.find((way) => way !== 'day')!) : undefined,
          }),
        ]
      : []),
  ]
}

const countedColumns = (dialect: Dialect): string[] => [
  named(dialect.double('count(*)'), 'n'),
  named(dialect.double(`count(CASE WHEN r > ${dialect.number(0)} THEN 1 END)`), 'clicked'),
]

function summedColumns({ dialect, relation }: SqlView, expressions: readonly Expression[]): string[] {
  return expressions.map((expression, k) => {
    const value = sqlOf(expression, dialect)
    if (relation.numbers.weight) return named(dialect.sum(`number_of * ${value}`), `s${k}`)
    return named(
      expression.kind === 'number' ? `${value} * ${dialect.double('count(*)')}` : dialect.sum(value),
      `s${k}`,
    )
  })
}

/** The bucket of a cell of two ways, from the ids of both. */
function bucketOfCell(
  { dialect, relation }: SqlView,
  ways: readonly [ScriptWay, ScriptWay],
  ids: readonly [string, string],
): string {
  const day = ways.indexOf('day')
  if (day === -1) return dialect.bucket(jointId(dialect, ids, JOINT))
  return cellBucketOfIdSql(dialect, ids[1 - day]!, isWhole(relation, ways[1 - day]!), ids[day]!)
}

/** The cells of two ways, where the first that has no days is not of too many clusters; else buckets of rows by their cell. */
function bothSteps(
  view: SqlView,
  ways: readonly [ScriptWay, ScriptWay],
  summed: readonly string[],
  most: number,
): Step[] {
  const { dialect, relation } = view
  const [a, b] = ways.map((way) => COLUMN[way]) as [string, string]
  const own = ways.find((way) => way !== 'day')!
  const clusters = `${own}_number`
  const limit = dialect.number(most)
  // With a day, the bucket of a cell follows from that of its cluster: no MD5 is computed again.
  const [bucket, hashed] =
    ways.includes('day') && !isWhole(relation, own)
      ? [
          cellBucketSql(`${own}_buckets.bucket`, `weighed.${COLUMN.day}`),
          `weighed JOIN ${own}_buckets ON weighed.${COLUMN[own]} = ${own}_buckets.cluster`,
        ]
      : [bucketOfCell(view, ways, [a, b]), 'weighed']
  return [
    {
      name: 'by_both',
      about: `Sums by ${ways.map(words).join(' and ')} together, where there are few.`,
      select: {
        columns: [named(a, 'side_1'), named(b, 'side_2'), ...summed],
        from: `weighed CROSS JOIN ${clusters}`,
        where: `group_count <= ${limit}`,
        groupBy: [a, b],
      },
    },
    {
      name: 'buckets_by_row',
      about: 'The same where there are many: by bucket at once.',
      select: {
        columns: ['bucket', ...summed],
        from: `(SELECT weighed.*, ${bucket} AS bucket FROM ${hashed} CROSS JOIN ${clusters} WHERE group_count > ${limit}) AS hashed_rows`,
        groupBy: ['bucket'],
      },
    },
  ]
}

/** Whether the clusters of a way are whole numbers in the engine. */
const isWhole = ({ ids }: Relation, way: ScriptWay): boolean =>
  way !== 'day' && ids[way === 'user' ? 'user' : 'cluster']?.integer !== undefined

const words = (way: ScriptWay): string => (way === 'user' ? 'user' : way === 'day' ? 'day (UTC)' : 'cluster')

/** Groups that are counted, and dealt into buckets where there are many. */
interface Dealt {
  readonly name: string
  readonly from: string
  readonly id: string
  readonly bucket: string
  /** What has the bucket that those of its days are counted from, where there are days. */
  readonly moved?: string | undefined
  readonly sums: number
  readonly most: number
}

/** One row per cluster where there are few, one per bucket where there are many. Ids stay in the engine. */
function dealtSteps(dialect: Dialect, { name, from, id, bucket, moved, sums, most }: Dealt): Step[] {
  const columns = Array.from({ length: sums }, (_, k) => `s${k}`)
  const limit = dialect.number(most)
  const all = `${name}_buckets CROSS JOIN ${name}_number`
  return [
    {
      name: `${name}_number`,
      about: 'How many there are.',
      select: { columns: [named(dialect.double('count(*)'), 'group_count')], from },
    },
    {
      name: `${name}_buckets`,
      about: `Each with its bucket: ${moved ? `that of its ${moved}, moved by ${DAY_STEP.toLocaleString('en-US')} for each day` : 'for an id of digits, what is left of it divided by 65,521, times 40,503, divided again; for any other, the first four hexadecimal digits of its MD5'}.`,
      select: {
        columns: [
          ...(name === 'both' ? [] : ['cluster']),
          named(dialect.text(id), 'own_id'),
          named(bucket, 'bucket'),
          ...columns,
        ],
        from,
      },
    },
    {
      name: `each_${name}`,
      about: `Where there are at most ${most.toLocaleString('en-US')}: the sums of each, and its place in the bucket.`,
      select: {
        columns: [
          'bucket',
          named('row_number() OVER (PARTITION BY bucket ORDER BY own_id)', 'place'),
          ...columns,
        ],
        from: all,
        where: `group_count <= ${limit}`,
      },
    },
    {
      name: `buckets_by_${name}`,
      about: 'Where there are more: the sums of each bucket.',
      select: {
        columns: ['bucket', ...columns.map((column) => named(dialect.sum(column), column))],
        from: all,
        where: `group_count > ${limit}`,
        groupBy: ['bucket'],
      },
    },
  ]
}
