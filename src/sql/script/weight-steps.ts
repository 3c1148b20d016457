import type { Dialect } from '../dialect.js'
import { named, type Step } from './layout.js'
import { MOST_RECORDED, STEPS_PER_DECADE } from './script-format.js'

/** Steps by which a weight may lie below an edge and count as above: the rounding of a logarithm must not matter. */
const TOUCHING = 1e-9

/**
 * Steps that count positive values by size and find those at some ranks, without sorting all rows: a histogram says in
 * which bin a rank lies, and only the values of that bin are put in order. They are called `PREFIX_bins`, with `step`, how
 * many (`n`) and their sum (`total`); `PREFIX_ranks`, where `above` is the sum of the steps above each rank that is
 * `wanted`; and `PREFIX_edges`, where `rest` is the sum of the rest down to that rank and `edge_value` the value there.
 */
export function rankSteps(
  dialect: Dialect,
  { prefix, value, wanted }: { prefix: string; value: string; wanted: readonly Wanted[] },
): Step[] {
  const { number, double, sum } = dialect
  const perLog = STEPS_PER_DECADE / Math.LN10
  // CASE, not only WHERE: an engine may compute the logarithm before it leaves out the row.
  const step = `CASE WHEN ${value} > ${number(0)} THEN ${double(`floor(ln(${value}) * ${number(perLog)} + ${number(TOUCHING)})`)} END`
  const sized = `${prefix}_sized`
  return [
    {
      name: sized,
      about: 'Weights above zero, by size: 100 steps for each factor of ten.',
      select: {
        columns: [named(value, 'x'), named(step, 'step')],
        from: 'weighed',
        where: `${value} > ${number(0)}`,
      },
    },
    {
      name: `${prefix}_counted`,
      about: 'How many weights each step has, and their sum.',
      select: {
        columns: ['step', named(double('count(*)'), 'n'), named(sum('x'), 'total')],
        from: sized,
        groupBy: ['step'],
      },
    },
    {
      name: `${prefix}_bins`,
      about: 'The same, with how many weights are in this step or above.',
      select: {
        columns: [
          'step',
          'n',
          'total',
          'row_count',
          named('sum(n) OVER (ORDER BY step DESC)', 'upto'),
          named('sum(n) OVER ()', 'positive'),
        ],
        from: `${prefix}_counted CROSS JOIN counts`,
      },
    },
    ...edgeSteps(dialect, prefix, wanted),
  ]
}

/**
 * Steps for `tail`, the largest weights: those of the top steps of `weight_bins` that together have as many as the shape of
 * a tail needs, a fifth of the rows or three times their root, and no more of them.
 */
export function tailSteps(dialect: Dialect): Step[] {
  const { number } = dialect
  const size = `least(row_count * ${number(0.2)}, ${number(3)} * sqrt(row_count)) + ${number(2)}`
  return [
    {
      name: 'tail_start',
      about: 'One row: down to which step the tail reaches, and how many weights it has.',
      select: {
        columns: [
          named('max(CASE WHEN upto >= tail_size THEN step END)', 'last_step'),
          named('max(tail_size)', 'tail_size'),
        ],
        from: `(SELECT step, upto, ${size} AS tail_size FROM weight_bins) AS sized_bins`,
      },
    },
    {
      name: 'largest_weights',
      about: 'The weights of those steps, the largest first.',
      select: {
        columns: ['x', 'tail_size'],
        from: 'weight_sized CROSS JOIN tail_start',
        where: 'last_step IS NULL OR step >= last_step',
        orderBy: 'x DESC',
        limit: MOST_RECORDED,
      },
    },
    {
      name: 'tail',
      about: 'As many of them as the tail has.',
      select: {
        columns: ['x'],
        from: `(SELECT x, tail_size, ${dialect.double('row_number() OVER (ORDER BY x DESC)')} AS place FROM largest_weights) AS ordered_weights`,
        where: 'place <= tail_size',
      },
    },
  ]
}

/** A rank from the top: its name, and its number, an expression over `row_count` and `positive`. */
export interface Wanted {
  readonly name: string
  readonly rank: string
}

function edgeSteps(dialect: Dialect, prefix: string, wanted: readonly Wanted[]): Step[] {
  const { number, double, sum, text } = dialect
  const [sized, bins] = [`${prefix}_sized`, `${prefix}_bins`]
  const zero = number(0)
  const names = wanted.map(({ name }) => `SELECT ${text(`'${name}'`)} AS wanted`).join(' UNION ALL ')
  const rank = `CASE ${wanted.map((one) => `WHEN wanted = '${one.name}' THEN ${one.rank}`).join(' ')} END`
  return [
    {
      name: `${prefix}_ranks`,
      about: 'For each rank that is wanted, which steps lie above it and which one holds it.',
      select: {
        columns: [
          'wanted',
          named(sum(`CASE WHEN upto < rank_wanted THEN total ELSE ${zero} END`), 'above'),
          named('max(CASE WHEN upto >= rank_wanted AND upto - n < rank_wanted THEN step END)', 'step'),
          named(
            'max(CASE WHEN upto >= rank_wanted AND upto - n < rank_wanted THEN rank_wanted - (upto - n) END)',
            'remaining',
          ),
        ],
        from: `(SELECT wanted, step, n, total, upto, ${rank} AS rank_wanted FROM ${bins} CROSS JOIN (${names}) AS names) AS each_rank`,
        groupBy: ['wanted'],
      },
    },
    {
      name: `${prefix}_near`,
      about: 'The different weights of those steps, and how often each occurs.',
      select: {
        columns: ['wanted', 'x', named('max(remaining)', 'remaining'), named(double('count(*)'), 'n')],
        from: `${sized} JOIN ${prefix}_ranks ON ${sized}.step = ${prefix}_ranks.step`,
        groupBy: ['wanted', 'x'],
      },
    },
    {
      name: `${prefix}_ordered`,
      about: 'The same in order.',
      select: {
        columns: [
          'wanted',
          'x',
          'remaining',
          'n',
          named('sum(n) OVER (PARTITION BY wanted ORDER BY x DESC)', 'upto'),
        ],
        from: `${prefix}_near`,
      },
    },
    {
      name: `${prefix}_edges`,
      about: 'The sum of what is needed of those steps, and the weight at each rank.',
      select: {
        columns: [
          'wanted',
          named(sum(`CASE WHEN upto <= remaining THEN n * x WHEN upto - n < remaining THEN (remaining - (upto - n)) * x ELSE ${zero} END`), 'rest'), // prettier-ignore
          named('max(CASE WHEN upto >= remaining THEN x END)', 'edge_value'),
        ],
        from: `${prefix}_ordered`,
        groupBy: ['wanted'],
      },
    },
  ]
}
