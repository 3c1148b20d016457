import { CLOCK_UNITS } from '../../log/days.js'
import { ID_COLUMNS, NUMBER_COLUMNS } from '../../log/columns.js'
import { dayOf } from '../day.js'
import { idOf, type Relation } from '../relation.js'
import { type SqlView, weighedColumns } from '../weighed-rows.js'
import { named, type Step } from './layout.js'
import type { ScriptAsked } from './script-asked.js'

/** The log as `cells` holds it: every column under a name of its own. */
function cellRelation({ relation }: ScriptAsked): Relation {
  return {
    from: 'cells CROSS JOIN counts',
    ...(relation.place !== undefined && { place: relation.place }),
    ids: Object.fromEntries(
      ID_COLUMNS.filter((column) => relation.ids[column]).map((column) => [
        column,
        { text: `cells.c_${column}` },
      ]),
    ),
    numbers: Object.fromEntries(
      NUMBER_COLUMNS.filter((column) => relation.numbers[column]).map((column) => [
        column,
        `cells.c_${column}`,
      ]),
    ),
  }
}

/** The rows as the steps of the statement see them. */
export function viewOf(asked: ScriptAsked): SqlView {
  const relation = cellRelation(asked)
  const { dialect, target, propensity, clickFrom, largest, smallest } = asked
  const { time } = relation.numbers
  return {
    dialect,
    relation,
    target,
    propensity,
    clickFrom,
    items: 'of_items',
    model: undefined,
    categories: undefined,
    largest,
    smallest,
    carried: {
      of_items: 'counts.item_count',
      shown_item: 'cells.c_item',
      place_shown: relation.numbers.position ?? dialect.double('NULL'),
      shown_on: time === undefined ? dialect.text('NULL') : dayOf(dialect, time, 'counts.day_length'),
      other_cluster: relation.ids.cluster?.text ?? dialect.text('NULL'),
    },
  }
}

/** The table's rows, each column of the log under a name. */
export function cellsStep({ relation, where, policy, isQuery }: ScriptAsked): Step {
  const ids = ID_COLUMNS.filter((column) => relation.ids[column])
  const numbers = NUMBER_COLUMNS.filter((column) => relation.numbers[column])
  return {
    name: 'cells',
    about: 'The rows of the log: who was shown what, with which reward and probability.',
    isCheap: isQuery !== true,
    select: {
      columns: [
        // Ids of a policy are texts, and so are those that are compared with them.
        ...ids.map((column) =>
          named(policy ? relation.ids[column]!.text : idOf(relation, column)!, `c_${column}`),
        ),
        ...numbers.map((column) => named(relation.numbers[column]!, `c_${column}`)),
      ],
      from: relation.from,
      ...(where !== undefined && { where }),
    },
  }
}

/** How often each item was shown, from which comes what must be known before rows can be weighed: one row. */
export function countsSteps(asked: ScriptAsked): Step[] {
  const { dialect, relation } = asked
  const { double, number, sum } = dialect
  const { time } = relation.numbers
  const latest = time ? 'max(latest)' : double('NULL')
  const lengths = CLOCK_UNITS.map(
    ({ from, perDay }) => `WHEN ${latest} >= ${number(from)} THEN ${number(perDay)}`,
  )
  // Of a row that breaks a rule, nothing: nothing is estimated then.
  return [
    {
      name: 'item_rows',
      about: 'How often each item was shown.',
      select: {
        columns: [
          named('c_item', 'shown_item'),
          named(double('count(*)'), 'shown'),
          named(time ? 'max(c_time)' : double('NULL'), 'latest'),
        ],
        from: 'cells',
        groupBy: ['c_item'],
      },
    },
    {
      name: 'counts',
      about: 'One row: how many rows and items there are, and the latest time.',
      select: {
        columns: [
          // 0, not NULL, where there are no rows.
          named(`coalesce(${sum('shown')}, ${number(0)})`, 'row_count'),
          named(double('count(shown_item)'), 'item_count'),
          named(latest, 'latest'),
          named(time ? `CASE ${lengths.join(' ')} END` : double('NULL'), 'day_length'),
        ],
        from: 'item_rows',
      },
    },
  ]
}

/** Rows with the weight of the target, and what is wrong with each. */
export function weighedStep(view: SqlView, { policy, isQuery }: ScriptAsked): Step {
  const { columns, from } = weighedColumns(view, 'cells.c_user')
  // Where a name would be written out wherever it is used, rows are kept apart.
  const apart = view.dialect.apart === undefined ? '' : ` ${view.dialect.apart}`
  return {
    name: 'weighed',
    about:
      'Each row with its reward r, its weight w (the probability under the target policy divided by the logged one), and its probability b.',
    isCheap: policy === undefined && isQuery !== true,
    select: { columns, from: from + apart },
  }
}
