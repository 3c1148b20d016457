import type { Dialect } from '../dialect.js'
import { jointId } from '../day.js'
import { sqlOf } from '../sql-of.js'
import type { SqlView } from '../weighed-rows.js'
import { named, type Step } from './layout.js'
import { MOST_RECORDED } from './script-format.js'
import type { ScriptAsked, ScriptWay } from './sums-script.js'

/** Between the ids that together make a cluster. */
const JOINT = '×'

const COLUMN: Readonly<Record<ScriptWay, string>> = {
  user: 'cluster',
  day: 'shown_on',
  column: 'other_cluster',
}

/**
 * Steps that sum by group: first by cluster, or by the cells of two ways, which are passed over once; then, for each way
 * but days, one row per cluster, named by its bucket and its place there, or one per bucket where clusters are too many.
 */
export function groupSteps(view: SqlView, asked: ScriptAsked): Step[] {
  const { dialect } = view
  const { ways, expressions, mostGroups = MOST_RECORDED } = asked
  const [first, second] = ways
  const summed = expressions.map((expression, k) => {
    const value = sqlOf(expression, dialect)
    return named(dialect.sum(view.relation.numbers.weight ? `number_of * ${value}` : value), `s${k}`)
  })
  const again = expressions.map((_, k) => named(dialect.sum(`s${k}`), `s${k}`))
  const counted = [
    named(dialect.double('count(*)'), 'n'),
    named(dialect.double(`sum(CASE WHEN r > ${dialect.number(0)} THEN 1 ELSE 0 END)`), 'clicked'),
  ]
  // Checks of the rows go by user, whatever the clusters.
  const users: Step[] = ways.includes('user')
    ? []
    : [
        {
          name: 'by_user',
          about: 'Rows and clicks of each user.',
          select: { columns: ['cluster', ...counted], from: 'weighed', groupBy: ['cluster'] },
        },
      ]
  const dealt = (name: string, from: string, id: string): Step[] =>
    dealtSteps(dialect, { name, from, id, sums: expressions.length, most: mostGroups })
  if (!second) {
    const by = `by_${first!}`
    const cluster = COLUMN[first!]
    return [
      ...users,
      {
        name: by,
        about: `Sums by ${words(first!)}.`,
        select: {
          columns: [named(cluster, 'cluster'), ...counted, ...summed],
          from: 'weighed',
          groupBy: [cluster],
        },
      },
      ...(first === 'day' ? [] : dealt(first!, by, 'cluster')),
    ]
  }
  const [a, b] = [COLUMN[first!], COLUMN[second]]
  const byOne = (way: ScriptWay, side: string): Step => ({
    name: `by_${way}`,
    about: `Sums by ${words(way)}.`,
    select: {
      columns: [
        named(side, 'cluster'),
        named(dialect.sum('n'), 'n'),
        named(dialect.sum('clicked'), 'clicked'),
        ...again,
      ],
      from: 'by_both',
      groupBy: [side],
    },
  })
  return [
    ...users,
    {
      name: 'by_both',
      about: `Sums by ${words(first!)} and ${words(second)} together.`,
      select: {
        columns: [named(a, 'side_1'), named(b, 'side_2'), ...counted, ...summed],
        from: 'weighed',
        groupBy: [a, b],
      },
    },
    byOne(first!, 'side_1'),
    byOne(second, 'side_2'),
    ...(first === 'day' ? [] : dealt(first!, `by_${first!}`, 'cluster')),
    ...(second === 'day' ? [] : dealt(second, `by_${second}`, 'cluster')),
    ...dealt('both', 'by_both', jointId(dialect, ['side_1', 'side_2'], JOINT)),
  ]
}

const words = (way: ScriptWay): string => (way === 'user' ? 'user' : way === 'day' ? 'day (UTC)' : 'cluster')

/** One row per cluster where there are few, one per bucket where there are many. Ids stay in the engine. */
function dealtSteps(
  dialect: Dialect,
  { name, from, id, sums, most }: { name: string; from: string; id: string; sums: number; most: number },
): Step[] {
  const columns = Array.from({ length: sums }, (_, k) => `s${k}`)
  return [
    {
      name: `${name}_number`,
      about: 'How many there are.',
      select: { columns: [named(dialect.double('count(*)'), 'group_count')], from },
    },
    {
      name: `${name}_buckets`,
      about: 'Each with its bucket: the first four hexadecimal digits of the MD5 of its id.',
      select: {
        columns: [
          named(dialect.text(id), 'own_id'),
          named(dialect.bucket(dialect.text(id)), 'bucket'),
          ...columns,
        ],
        from,
      },
    },
    {
      name: `${name}_placed`,
      about: `Its place in the bucket, or 0 for all where there are more than ${most.toLocaleString('en-US')}.`,
      select: {
        columns: [
          'bucket',
          named(
            `CASE WHEN group_count <= ${dialect.number(most)} THEN row_number() OVER (PARTITION BY bucket ORDER BY own_id) ELSE 0 END`,
            'place',
          ),
          ...columns,
        ],
        from: `${name}_buckets CROSS JOIN ${name}_number`,
      },
    },
    {
      name: `grouped_by_${name}`,
      about: 'The sums that come back.',
      select: {
        columns: ['bucket', 'place', ...columns.map((column) => named(dialect.sum(column), column))],
        from: `${name}_placed`,
        groupBy: ['bucket', 'place'],
      },
    },
  ]
}
