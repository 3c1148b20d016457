import type { Dialect } from '../dialect.js'
import { faultConditions, type SqlView } from '../weighed-rows.js'
import { factAggregates, MEDIAN, ONE_PERCENT, singleFacts } from './fact-steps.js'
import { named } from './layout.js'
import { type PolicyFact, policyFacts } from './policy-steps.js'
import type { ScriptAsked, ScriptWay } from './script-asked.js'
import { EXACT, SCRIPT_FORMAT, type ScriptPart } from './script-format.js'

/** One row of the result: a part, an id, and numbers. */
export interface Output {
  readonly part: ScriptPart
  readonly id: string
  readonly numbers: readonly string[]
  readonly from?: string
  readonly where?: string
}

/** One part of the result as a query; the first names the columns. */
export function outputText(dialect: Dialect, output: Output, width: number, isFirst: boolean): string {
  const { part, id, numbers, from, where } = output
  const cells = [
    ['part', dialect.text(dialect.literal(part))],
    ['id', id],
    ...Array.from({ length: width }, (_, k) => [`x${k}`, numbers[k] ?? dialect.double('NULL')]),
  ] as [string, string][]
  const columns = cells.map(([name, cell]) => (isFirst ? named(cell, name) : cell))
  return `  SELECT ${columns.join(', ')}${from === undefined ? '' : ` FROM ${from}`}${where === undefined ? '' : ` WHERE ${where}`}`
}

/** All parts of the result. */
export function outputsOf(view: SqlView, asked: ScriptAsked): Output[] {
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
