import type { SummedGroups } from '../sql/engine.js'
import { type Step, named, stepsText } from '../sql/script/layout.js'
import {
  type Answers,
  type Batch,
  type FactorAnswer,
  type FactorCell,
  type FactorQuery,
  type Label,
  type LargestQuery,
  MOST_LARGEST,
  OF_NO_ROWS,
  type RowNumber,
  type Sums,
  type SumsQuery,
  type Taken,
  takenBy,
  USER_BUCKETS,
  col,
} from './query.js'
import { NAMED_NUMBERS, factorSteps } from './sql-factors.js'
import type { SqlRows } from './sql-rows.js'
import { SqlWindows } from './sql-windows.js'

/** Some rows of an answer: a text, and numbers of which the first is that of a part of the batch. */
export interface AnswerPart {
  readonly id: string
  readonly numbers: readonly string[]
  readonly from: string
}

/** The rows of an answer as an engine returned them. */
export interface AnswerRows {
  readonly count: number
  readonly idAt: (row: number) => string
  readonly numberAt: (row: number, column: number) => number
}

/** The steps that answer a batch in an engine, and what is selected from them in the end. */
export function batchSteps(
  { windows, sums, factors, largest = {} }: Batch,
  rows: SqlRows,
): { readonly steps: readonly Step[]; readonly parts: readonly AnswerPart[] } {
  const { number, double, text, literal } = rows.dialect
  const groups = groupsOf(sums)
  const repairs = Object.values(factors)
  const tops = Object.entries(largest)
  const ofRepairs = repairs.flatMap(({ measure, by, time }) => [measure, by.of, ...(time ? [time.of] : [])])
  const table = new SqlWindows(rows, windows, [
    ...groups.flatMap(numbersOf),
    ...tops.flatMap(([, { of, count }]) => [of, count]),
    ...(repairs.length > 0 ? [...ofRepairs, ...['n', 'w', 'r', 'u'].map(col)] : []),
  ])
  const part = (k: number, from: string, numbers: readonly string[], id = literal('')): AnswerPart => ({
    id: text(id),
    numbers: [number(k), ...numbers],
    from,
  })
  return {
    steps: [
      ...table.steps,
      ...groups.map((group, k) => groupStep(`asked_sums_${k}`, group, table, rows)),
      ...(repairs.length > 0 ? factorSteps(repairs, table, rows) : []),
      ...tops.map(([name, query], k) => largestStep(`asked_largest_${k}`, name, query, table)),
    ],
    parts: [
      ...groups.map(({ taken }, k) => part(k, `asked_sums_${k}`, [double('cell'), ...taken.map((_, s) => `s${s}`)])), // prettier-ignore
      ...(repairs.length > 0
        ? [
            part(groups.length, 'asked_users', ['bucket', ...repairs.map((_, f) => `v${f}`)]),
            part(groups.length + 1, 'asked_named', NAMED_NUMBERS.map(double), 'it'),
          ]
        : []),
      ...tops.map((_, k) => part(groups.length + 2 + k, `(SELECT x, wanted, row_number() OVER (ORDER BY x DESC) AS place FROM asked_largest_${k}) AS largest_${k} WHERE place <= wanted`, ['x'])), // prettier-ignore
    ],
  }
}

/** Stands for NULL, which not every connection tells from 0. */
const NONE = -Number.MAX_VALUE

/** A batch as one query, whose answer is like that of a `sumsQuery` with so many sums; undefined where it asks nothing. */
export function batchQuery(
  batch: Batch,
  rows: SqlRows,
): { readonly sql: string; readonly width: number } | undefined {
  const { dialect } = rows
  const { steps, parts } = batchSteps(batch, rows)
  if (parts.length === 0) return undefined
  const width = Math.max(...parts.map(({ numbers }) => numbers.length))
  const [zero, none] = [0, NONE].map((value) => dialect.number(value)) as [string, string]
  const selects = parts.map(({ id, numbers, from }) => {
    const cells = Array.from({ length: width }, (_, k) =>
      named(numbers[k] ? `coalesce(${numbers[k]}, ${none})` : none, `x${k}`),
    )
    return `SELECT ${[named(id, 'id'), named(zero, 'broken'), named(zero, 'unpredicted'), ...cells].join(', ')} FROM ${from}`
  })
  return { sql: `${stepsText(steps, dialect.again)}\n${selects.join('\nUNION ALL\n')}`, width }
}

/** Queries with the same labels, which are summed together. */
interface Group {
  readonly by: readonly Label[]
  readonly queries: readonly (readonly [name: string, query: SumsQuery])[]
  readonly taken: readonly Taken[]
}

function groupsOf(sums: Batch['sums']): Group[] {
  const byLabels = new Map<string, [string, SumsQuery][]>()
  for (const [name, query] of Object.entries(sums)) {
    const labels = JSON.stringify(query.by)
    byLabels.set(labels, [...(byLabels.get(labels) ?? []), [name, query]])
  }
  return Array.from(byLabels.values(), (queries) => ({
    by: queries[0]![1].by,
    queries,
    taken: queries.flatMap(([, query]) => takenBy(query)),
  }))
}

const numbersOf = ({ by, taken }: Group): RowNumber[] => [...by, ...taken].map(({ of }) => of)

function groupStep(name: string, group: Group, table: SqlWindows, { dialect }: SqlRows): Step {
  const { by, queries, taken } = group
  const { number } = dialect
  const aggregates = { total: dialect.sum, least: (v: string) => `min(${v})`, most: (v: string) => `max(${v})` } // prettier-ignore
  const isIn = by.map(({ size }, l) => `l${l} >= ${number(0)} AND l${l} < ${number(size)}`)
  const place = by.reduce(
    (before, { size }, l) => (l === 0 ? 'l0' : `(${before}) * ${number(size)} + l${l}`),
    '0',
  )
  const cell = by.length === 0 ? place : `CASE WHEN ${isIn.join(' AND ')} THEN CAST(${place} AS BIGINT) END`
  const columns = [
    ...by.map(({ of }, l) => named(table.sql(of), `l${l}`)),
    ...taken.map(({ of }, s) => named(table.sql(of), `v${s}`)),
  ]
  const values = taken.map((_, s) => `v${s}`)
  return {
    name,
    about: `Sums by cell: ${queries.map(([query]) => query).join(', ')}.`,
    select: {
      columns: ['cell', ...taken.map(({ take }, s) => named(aggregates[take](`v${s}`), `s${s}`))],
      from: `(SELECT ${[named(cell, 'cell'), ...values].join(', ')} FROM (SELECT ${columns.join(', ')} FROM ${table.fromOf(numbersOf(group))}) AS numbered_rows) AS celled_rows`,
      where: 'cell IS NOT NULL',
      groupBy: ['cell'],
    },
  }
}

/** The largest numbers, more of them than may be wanted. */
const largestStep = (name: string, query: string, { of, count }: LargestQuery, table: SqlWindows): Step => ({
  name,
  about: `The largest numbers: ${query}.`,
  select: {
    columns: [named(table.sql(of), 'x'), named(table.sql(count), 'wanted')],
    from: table.fromOf([of, count]),
    orderBy: 'x DESC',
    limit: MOST_LARGEST,
  },
})

/** The answers to a batch, from what an engine returned to a `batchQuery`. */
export const answersFromGroups = (batch: Batch, { ids, sums }: Pick<SummedGroups, 'ids' | 'sums'>): Answers =>
  answersFrom(batch, {
    count: ids.length,
    idAt: (row) => ids[row]!,
    numberAt: (row, column) => {
      const number = sums[column]![row]!
      return number === NONE ? NaN : number
    },
  })

/** The answers to a batch, from the rows of its parts; NaN is what was NULL. */
export function answersFrom({ sums, factors, largest = {} }: Batch, rows: AnswerRows): Answers {
  const groups = groupsOf(sums).map(({ by, queries }) => {
    const cells = by.reduce((size, label) => size * label.size, 1)
    const answers = queries.map(([name, query]): [string, Sums] => [
      name,
      Object.fromEntries(
        takenBy(query).map((own) => [own.name, new Float64Array(cells).fill(OF_NO_ROWS[own.take])]),
      ),
    ])
    return { answers, columns: answers.flatMap(([, answer]) => Object.values(answer)) }
  })
  const repairs = Object.entries(factors).map(([name, { of }]) => ({
    name,
    of,
    users: new Float64Array(USER_BUCKETS),
    named: [] as Named[],
  }))
  const tops = Object.keys(largest).map((name): [string, number[]] => [name, []])
  for (let row = 0; row < rows.count; row++) {
    const part = rows.numberAt(row, 0)
    if (part < groups.length) {
      const cell = rows.numberAt(row, 1)
      for (const [s, column] of groups[part]!.columns.entries()) column[cell] = rows.numberAt(row, 2 + s)
    } else if (part === groups.length) {
      const bucket = rows.numberAt(row, 1)
      for (const [f, { users }] of repairs.entries()) users[bucket] = rows.numberAt(row, 2 + f)
    } else if (part === groups.length + 1) {
      const numbers = NAMED_NUMBERS.map((name, k) => [name, rows.numberAt(row, 1 + k)])
      const cell = { ...Object.fromEntries(numbers), it: rows.idAt(row) } as Named
      repairs[cell.f]!.named.push(cell)
    } else tops[part - groups.length - 2]![1].push(rows.numberAt(row, 1))
  }
  const answers = new Map(groups.flatMap((group) => group.answers))
  return {
    sums: Object.fromEntries(Object.keys(sums).map((name) => [name, answers.get(name)!])),
    factors: Object.fromEntries(
      repairs.map(({ name, of, users, named }) => [name, factorOf(of, users, named)]),
    ),
    largest: Object.fromEntries(tops.map(([name, numbers]) => [name, Float64Array.from(numbers).sort()])),
  }
}

/** A cell of a repair, and what the repair does, as `asked_named` has it. */
type Named = Readonly<Record<(typeof NAMED_NUMBERS)[number], number>> & { readonly it: string }

function factorOf(of: FactorQuery['of'], users: Float64Array, cells: Named[]): FactorAnswer {
  const inOrder = cells.toSorted((a, b) => a.place - b.place)
  const { w1: weight, r1: reward, level_1: level, below, above } = inOrder[0]!
  // A cell that says nothing moves nothing.
  const moving = inOrder.filter(({ shift }) => !Number.isNaN(shift))
  const largest = moving.map(({ it, g, ratio, shift }): FactorCell => {
    return { item: of === 'item' ? it : null, group: g, ratio, shift }
  })
  return { weight, reward, users, level, below, above, largest }
}
