import { CLOCK_UNITS } from '../../log/calendar.js'
import { ID_COLUMNS, NUMBER_COLUMNS } from '../../log/columns.js'
import type { Dialect } from '../dialect.js'
import { dayOf } from '../day.js'
import type { Expression } from '../expression.js'
import { idOf, type Relation } from '../relation.js'
import { faultConditions, type SqlTarget, type SqlView, weighedColumns } from '../weighed-rows.js'
import { brokenSteps } from './broken-steps.js'
import { checkSteps, STAKE_STEPS } from './check-steps.js'
import { groupSteps } from './group-steps.js'
import { type PolicyFact, policyFacts, policySteps, type PolicyTable } from './policy-steps.js'
import { comment, named, type Step, stepsText } from './layout.js'
import { EXACT, type FactName, SCRIPT_FORMAT, type ScriptPart } from './script-format.js'
import { sampleSteps } from './sample-steps.js'
import { rankSteps, tailSteps } from './weight-steps.js'

/** A way in which rows may depend on each other: a column of ids, or days. */
export type ScriptWay = 'user' | 'day' | 'column'

/** What a statement is to compute, of which table. */
export interface ScriptAsked extends Pick<
  SqlView,
  'dialect' | 'relation' | 'propensity' | 'clickFrom' | 'largest' | 'smallest'
> {
  readonly target: SqlTarget
  /** The quantities to be summed. */
  readonly expressions: readonly Expression[]
  /** Clusters of the first way, and where there is a second one, of that and of both. */
  readonly ways: readonly ScriptWay[]
  /** What was asked, in words that the result repeats, by name. */
  readonly settings: Readonly<Record<string, string>>
  /** What stands at the head of the statement. */
  readonly about: string
  /** Rows to use: a condition over the table. */
  readonly where?: string
  /** The table of the target's probabilities, where it is one. */
  readonly policy?: PolicyTable
  /** At most so many groups of a kind come back (default 65,536); more are dealt into buckets. */
  readonly mostGroups?: number
  /** The relation is a query, which is to be computed once. */
  readonly isQuery?: boolean
  /** Whether rows of some users come back too, without their ids, for checks that need rows (default true). */
  readonly withSample?: boolean
}

/** One row of the result: a part, an id, and numbers. */
interface Output {
  readonly part: ScriptPart
  readonly id: string
  readonly numbers: readonly string[]
  readonly from?: string
  readonly where?: string
}

/**
 * One statement that computes all that an evaluation needs. Its result is tall: the part and the id of a row, how many
 * rows the part has, and numbers, x0 and so on, NULL where a part has fewer. Nothing is created or changed. No id of a user
 * comes back, except in up to five rows that break a rule, and rows only as a sample of some users, where it is wanted.
 */
export function sumsScript(asked: ScriptAsked): string {
  const { dialect } = asked
  const view = viewOf(asked)
  const steps = [
    cellsStep(asked),
    ...countsSteps(asked),
    ...(asked.policy ? policySteps(dialect, asked.policy) : []),
    ...brokenSteps(view),
    weighedStep(view, asked),
    factsStep(view),
    ...heavySteps(view),
    ...groupSteps(view, asked),
    ...(areChecked(asked) ? checkSteps(view) : []),
    ...(isSampled(asked) ? sampleSteps(view) : []),
  ]
  const outputs = outputsOf(view, asked)
  const width = Math.max(...outputs.map(({ numbers }) => numbers.length))
  const parts = outputs
    .map((output, k) => outputText(dialect, output, width, k === 0))
    .join('\n  UNION ALL\n')
  const numbers = Array.from({ length: width }, (_, k) => `x${k}`)
  return [
    comment(asked.about),
    ...(dialect.beforehand === undefined
      ? []
      : [comment(`Run this first, in the same session: ${dialect.beforehand}`)]),
    stepsText(steps, dialect.again),
    comment('All parts, one below the other; part_rows shows whether the result is whole.'),
    `SELECT part, id, ${dialect.double('count(*) OVER (PARTITION BY part)')} AS part_rows,\n  ${numbers.join(', ')}`,
    `FROM (\n${parts}\n) AS all_parts${dialect.settings === undefined ? '' : `\n${dialect.settings}`}`,
    '',
  ].join('\n')
}

function outputText(dialect: Dialect, output: Output, width: number, isFirst: boolean): string {
  const { part, id, numbers, from, where } = output
  const cells = [
    ['part', dialect.text(dialect.literal(part))],
    ['id', id],
    ...Array.from({ length: width }, (_, k) => [`x${k}`, numbers[k] ?? dialect.double('NULL')]),
  ] as [string, string][]
  const columns = cells.map(([name, cell]) => (isFirst ? named(cell, name) : cell))
  return `  SELECT ${columns.join(', ')}${from === undefined ? '' : ` FROM ${from}`}${where === undefined ? '' : ` WHERE ${where}`}`
}

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

function viewOf(asked: ScriptAsked): SqlView {
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
function cellsStep({ relation, where, policy, isQuery }: ScriptAsked): Step {
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
function countsSteps(asked: ScriptAsked): Step[] {
  const { dialect, relation } = asked
  const { double, number, sum } = dialect
  const { time, propensity } = relation.numbers
  const latest = time ? 'max(latest)' : double('NULL')
  const lengths = CLOCK_UNITS.map(
    ({ from, perDay }) => `WHEN ${latest} >= ${number(from)} THEN ${number(perDay)}`,
  )
  // Of a row that breaks a rule, nothing: nothing is estimated then.
  const inverse = `CASE WHEN c_propensity >= ${number(asked.smallest)} THEN ${number(1)} / c_propensity END`
  return [
    {
      name: 'item_rows',
      about:
        'How often each item was shown, and the sum of 1/propensity, which is the number of all rows if propensities are right.',
      select: {
        columns: [
          named('c_item', 'shown_item'),
          named(double('count(*)'), 'shown'),
          named(areChecked(asked) ? sum(inverse) : double('NULL'), 'inverses'),
          named(propensity ? 'min(c_propensity)' : double('NULL'), 'least_b'),
          named(time ? 'max(c_time)' : double('NULL'), 'latest'),
        ],
        from: 'cells',
        groupBy: ['c_item'],
      },
    },
    {
      name: 'counts',
      about: 'One row: how many rows and items there are, the latest time, the least probability.',
      select: {
        columns: [
          // 0, not NULL, where there are no rows.
          named(`coalesce(${sum('shown')}, ${number(0)})`, 'row_count'),
          named(double('count(shown_item)'), 'item_count'),
          named('min(least_b)', 'least_b'),
          named(latest, 'latest'),
          named(time ? `CASE ${lengths.join(' ')} END` : double('NULL'), 'day_length'),
        ],
        from: 'item_rows',
      },
    },
  ]
}

/** Rows with the weight of the target, and what is wrong with each. */
function weighedStep(view: SqlView, { policy, isQuery }: ScriptAsked): Step {
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

const counted = (dialect: Dialect, flag: string): string =>
  dialect.double(`count(CASE WHEN ${flag} THEN 1 END)`)

const weighedNumber = ({ relation }: SqlView): string => (relation.numbers.weight ? 'number_of * w' : 'w')

/** Propensities below this are expected less than once in a million logs of so many rows and items. */
const TINY = { expected: 1e-6, items: 10_000 }
/** No page has this many items. */
const MOST_POSITION = 100_000

/** Facts as aggregates over `weighed`, by their names. */
function factAggregates(view: SqlView): Partial<Record<FactName, string>> {
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
const singleFacts = (
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

function factsStep(view: SqlView): Step {
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

const ONE_PERCENT = 'top'
const MEDIAN = 'median'

/** Steps about the sizes of weights: the histogram, the median, the heaviest 1 %, the largest. */
function heavySteps(view: SqlView): Step[] {
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

function outputsOf(view: SqlView, asked: ScriptAsked): Output[] {
  const { dialect, relation } = view
  const { number, text } = dialect
  const label = (name: string): string => text(dialect.literal(name))
  const settings = Object.entries({ format: String(SCRIPT_FORMAT), ...asked.settings })
  const heavy = relation.numbers.weight ? 'heavy' : 'weight'
  return [
    ...settings.map(([name, value]): Output => ({
      part: 'setting',
      id: label(`${name}=${value}`),
      numbers: [],
    })),
    { part: 'setting', id: label('exact'), numbers: [number(EXACT)] },
    ...singleFacts(dialect, asked).map(factOutput(dialect)),
    unpivoted(dialect, 'fact', 'facts', Object.keys(factAggregates(view)), (name) => `fact_${name}`),
    rankedFact(dialect, 'top_sum', { prefix: heavy, wanted: ONE_PERCENT, value: `above + coalesce(rest, ${number(0)})` }), // prettier-ignore
    rankedFact(dialect, 'median_weight', { prefix: 'weight', wanted: MEDIAN, value: 'edge_value' }),
    ...(asked.policy ? policyFacts(view, asked.policy).map(factOutput(dialect)) : []),
    unpivoted(
      dialect,
      'fault',
      'faults',
      faultConditions(view).map(({ column, fault }) => `${column} ${fault}`),
      (_name, k) => `faults_${k}`,
    ),
    { part: 'example', id: 'told', numbers: [], from: 'examples' },
    { part: 'histogram', id: text('NULL'), numbers: ['step', 'n', 'total'], from: 'weight_bins' },
    { part: 'largest', id: text('NULL'), numbers: ['x'], from: 'tail' },
    ...groupOutputs(view, asked),
    ...(areChecked(asked) ? checkOutputs(dialect) : []),
    ...(isSampled(asked) ? [sampleOutput(view)] : []),
  ]
}

/** Whether rows of some users come back. */
const isSampled = ({ withSample = true }: ScriptAsked): boolean => withSample

/** Rows of some users: the item, the number of the user, and the numbers of the log. */
function sampleOutput({ dialect, relation, propensity }: SqlView): Output {
  const missing = dialect.double('NULL')
  const { position, time, weight, propensity: logged } = relation.numbers
  return {
    part: 'sample',
    id: dialect.text('shown_item'),
    numbers: [
      'user_number',
      'r',
      propensity || logged ? 'b' : missing,
      position ? 'place_shown' : missing,
      time ? 'shown_at' : missing,
      weight ? 'number_of' : missing,
    ],
    from: 'sample_rows',
  }
}

/** Whether rows are checked: rows of which each is one impression, with propensities that were logged. */
export const areChecked = ({ relation, propensity }: Pick<ScriptAsked, 'relation' | 'propensity'>): boolean =>
  relation.numbers.propensity !== undefined && !propensity && relation.numbers.weight === undefined

function checkOutputs(dialect: Dialect): Output[] {
  return [
    {
      part: 'fact',
      id: dialect.text(dialect.literal('squared_rows')),
      numbers: [dialect.sum('n * n')],
      from: 'by_user',
    },
    {
      part: 'activity',
      id: dialect.text('NULL'),
      numbers: ['power', 'clicked', 'user_number'],
      from: 'activity',
    },
    {
      part: 'balance',
      id: dialect.text('suspects.shown_item'),
      numbers: [
        'shown',
        'inverses',
        'row_count',
        'judged',
        'bet',
        'squares',
        ...STAKE_STEPS.map((_, k) => `gain_${k}`),
      ],
      from: 'suspects JOIN suspect_sums ON suspect_sums.shown_item = suspects.shown_item',
    },
  ]
}

/** A fact of its own. */
const factOutput =
  (dialect: Dialect) =>
  ({ name, value, from }: PolicyFact): Output => ({
    part: 'fact',
    id: dialect.text(dialect.literal(name)),
    numbers: [value],
    ...(from !== undefined && { from }),
  })

/** A fact that stands at a rank. */
const rankedFact = (
  dialect: Dialect,
  name: string,
  { prefix, wanted, value }: { prefix: string; wanted: string; value: string },
): Output => ({
  part: 'fact',
  id: dialect.text(dialect.literal(name)),
  numbers: [value],
  from: `${prefix}_ranks LEFT JOIN ${prefix}_edges ON ${prefix}_edges.wanted = ${prefix}_ranks.wanted`,
  where: `${prefix}_ranks.wanted = '${wanted}'`,
})

/** The numbers of a step of one row, each in a row of its own with its name. */
function unpivoted(
  dialect: Dialect,
  part: ScriptPart,
  from: string,
  names: readonly string[],
  columnOf: (name: string, place: number) => string,
): Output {
  const places = names.map((_, k) => `SELECT ${k} AS place`).join(' UNION ALL ')
  const when = (value: (name: string, k: number) => string): string =>
    `CASE ${names.map((name, k) => `WHEN place = ${k} THEN ${value(name, k)}`).join(' ')} END`
  return {
    part,
    id: dialect.text(when((name) => dialect.literal(name))),
    numbers: [dialect.double(when(columnOf))],
    from: `${from} CROSS JOIN (${places}) AS ${part}_places`,
  }
}

/** The sums by group: by cluster where there are few of them, by bucket where there are many; the others of each two are empty. */
function groupOutputs({ dialect }: SqlView, { ways, expressions }: ScriptAsked): Output[] {
  const sums = expressions.map((_, k) => `s${k}`)
  const placed = (part: ScriptPart, from: string, place: string): Output => ({
    part,
    id: dialect.text('NULL'),
    numbers: [dialect.double('bucket'), place, ...sums],
    from,
  })
  const few = (part: ScriptPart, way: string): Output => placed(part, `each_${way}`, dialect.double('place'))
  const many = (part: ScriptPart, way: string): Output => placed(part, `buckets_by_${way}`, dialect.number(0))
  const outputsOf = (part: 'group-1' | 'group-2', way: ScriptWay): Output[] =>
    way === 'day'
      ? [
          {
            part,
            id: dialect.text('cluster'),
            numbers: [dialect.double('NULL'), dialect.double('NULL'), ...sums],
            from: 'by_day',
            where: 'cluster IS NOT NULL',
          },
        ]
      : [few(part, way), many(part, way)]
  const [first, second] = ways
  return [
    ...outputsOf('group-1', first!),
    ...(second
      ? [
          ...outputsOf('group-2', second),
          few('group-both', 'both'),
          many('group-both', 'both'),
          placed('group-both', 'buckets_by_row', dialect.number(0)),
        ]
      : []),
  ]
}
