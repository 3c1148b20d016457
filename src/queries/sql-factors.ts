import { named, type Step } from '../sql/script/layout.js'
import { col, type FactorQuery, type Label, LARGEST_CELLS, PRIOR_SHOWINGS, userBucket } from './query.js'
import type { SqlRows } from './sql-rows.js'
import type { SqlWindows } from './sql-windows.js'

/** The numbers of `asked_named`: a repair, the place of a cell in it, the cell, and what the whole repair does. */
export const NAMED_NUMBERS = [
  'f',
  'place',
  'g',
  'ratio',
  'shift',
  'w1',
  'r1',
  'level_1',
  'below',
  'above',
] as const

/**
 * Steps for repairs by groups of rows, f being the place of each among them. The last are `asked_users`, which has the influence
 * `v0`, `v1` … of each `bucket` of users on each repair, and `asked_named`, which has `NAMED_NUMBERS` and the item of a cell, `it`.
 */
export function factorSteps(
  factors: readonly FactorQuery[],
  windows: SqlWindows,
  { dialect, hasWholeItems }: Pick<SqlRows, 'dialect' | 'hasWholeItems'>,
): Step[] {
  const { number, double, sum } = dialect
  const [zero, one] = [number(0), number(1)]
  const labels = distinct(factors.flatMap(({ by, time }) => [by, ...(time ? [time] : [])]))
  const measures = distinct(factors.map(({ measure }) => measure))
  const labelName = (label: Label): string => `label_${placeOf(labels, label)}`
  const noItem = hasWholeItems ? '0' : dialect.text(dialect.literal(''))
  /** The columns of a row of `asked_labels` for a repair: its measure, group, part of time and item. */
  const ofRow = factors.map(({ measure, by, time, of }): FactorRow => ({
    m: `measure_${placeOf(measures, measure)}`,
    g: labelName(by),
    p: time ? labelName(time) : '0',
    it: of === 'item' ? 'item_key' : noItem,
  }))
  const isTimed = factors.map(({ time }) => time !== undefined)
  const parts = Math.max(...factors.map(({ time }) => time?.size ?? 1))
  const listed = (name: string, count: number): string =>
    `(${Array.from({ length: count }, (_, k) => `SELECT ${k} AS ${name}`).join(' UNION ALL ')}) AS all_${name}s`

  const isIn = '(g >= 0 AND p >= p0 AND p < p1)'
  const within = (value: string): string => sum(`CASE WHEN ${isIn} THEN ${value} ELSE ${zero} END`)
  const outside = (value: string): string => sum(`CASE WHEN ${isIn} THEN ${zero} ELSE ${value} END`)
  const ofRepair = (aggregate: string): string => `${aggregate} OVER (PARTITION BY f)`
  const isMeasured = `c > ${zero} AND there > ${zero}`
  const error = `sqrt(greatest(${zero}, q - m * m / there)) / there`
  const flagged = (relation: string): string =>
    `CASE WHEN ${isMeasured} THEN CASE WHEN m / there - ${one} ${relation} * ${error} THEN ${one} ELSE ${zero} END ELSE ${zero} END`

  // Where steps are kept, each row meets its cells; elsewhere all steps would be computed for each repair, and rows are repeated.
  const isKept = dialect.again !== undefined
  const repeated: FactorRow = { m: 'm', g: 'asked_repairs.g', p: 'p', it: 'asked_repairs.it' }
  const influences = factors.map((_, f) =>
    isKept
      ? influence(ofRow[f]!, `c${f}`, `b${f}`, zero)
      : `CASE WHEN asked_repairs.f = ${f} THEN ${influence(repeated, 'cells', 'backs', zero)} ELSE ${zero} END`,
  )
  const influencedRows = isKept
    ? `asked_labels ${ofRow.map(({ g, p, it }, f) => `LEFT JOIN (SELECT * FROM asked_repaired WHERE f = ${f}) AS c${f} ON c${f}.g = ${g} AND c${f}.it = ${it} LEFT JOIN (SELECT * FROM asked_back WHERE f = ${f}) AS b${f} ON b${f}.g = ${g} AND b${f}.part = ${p}`).join(' ')}` // prettier-ignore
    : 'asked_repairs LEFT JOIN asked_repaired AS cells ON cells.f = asked_repairs.f AND cells.g = asked_repairs.g AND cells.it = asked_repairs.it LEFT JOIN asked_back AS backs ON backs.f = asked_repairs.f AND backs.g = asked_repairs.g AND backs.part = p'

  const step = (name: string, about: string, select: Step['select'], isCheap = false): Step => ({
    name: `asked_${name}`,
    about,
    select,
    isCheap,
  })
  return [
    step(
      'labels',
      'Each row with what repairs measure, and its groups and parts of time; −1 where it is in none.',
      {
        columns: [
          'item_key',
          'n',
          'w',
          'r',
          'bucket',
          ...measures.map((_, k) => `measure_${k}`),
          ...labels.map(({ size }, k) =>
            named(
              `CASE WHEN l${k} >= ${zero} AND l${k} < ${number(size)} THEN CAST(l${k} AS BIGINT) ELSE -1 END`,
              `label_${k}`,
            ),
          ),
        ],
        from: `(SELECT ${[
          'item_key',
          ...(['n', 'w', 'r'] as const).map((name) => named(windows.sql(col(name)), name)),
          named(windows.sql(userBucket.of), 'bucket'),
          ...measures.map((measure, k) => named(windows.sql(measure), `measure_${k}`)),
          ...labels.map(({ of }, k) => named(windows.sql(of), `l${k}`)),
        ].join(', ')} FROM ${windows.from}) AS numbered_rows`,
      },
    ),
    step(
      'repairs',
      'Each row once for each repair f, with the measure m, the group g, the part of time p and the item it.',
      {
        columns: ['f', 'n', 'w', 'r', 'bucket', ...(['m', 'g', 'p', 'it'] as const).map((name) => named(byRepair(ofRow.map((row) => row[name])), name))], // prettier-ignore
        from: `asked_labels CROSS JOIN ${listed('f', factors.length)}`,
      },
      true,
    ),
    step(
      'parts',
      'Sums by group, part of time and item: of rows c, of impressions n, of the measure m and its square q, of weights x and weighted rewards y.',
      {
        // prettier-ignore
        columns: [
        'f', 'g', 'p', 'it',
        named(double('count(*)'), 'c'),
        named(sum('n'), 'n'),
        named(sum('n * m'), 'm'),
        named(sum('n * m * n * m'), 'q'),
        named(sum('n * w'), 'x'),
        named(sum('n * w * r'), 'y'),
      ],
        from: 'asked_repairs',
        groupBy: ['f', 'g', 'p', 'it'],
      },
    ),
    step(
      'spans',
      'The same with the parts p0 to p1 in which an item counts: between those in which it was first and last shown.',
      {
        // prettier-ignore
        columns: [
        'f', 'g', 'p', 'it', 'c', 'n', 'm', 'q', 'x', 'y',
        named(byRepair(isTimed.map((timed) => (timed ? 'p_first + 1' : '0'))), 'p0'),
        named(byRepair(isTimed.map((timed) => (timed ? 'p_last' : '1'))), 'p1'),
      ],
        from: `(SELECT asked_parts.*, ${['min', 'max'].map((most, k) => named(`${most}(CASE WHEN g >= 0 AND p >= 0 THEN p END) OVER (PARTITION BY f, it)`, ['p_first', 'p_last'][k]!)).join(', ')} FROM asked_parts) AS spanned_parts`, // prettier-ignore
      },
    ),
    step('shown', 'The impressions of each group before each part of time, and those of all groups.', {
      columns: [
        'f',
        'g',
        'part',
        'shown_before',
        named('sum(shown_before) OVER (PARTITION BY f, part)', 'all_before'),
      ],
      from: `(SELECT f, g, part, ${sum(`CASE WHEN p < part THEN n ELSE ${zero} END`)} AS shown_before FROM (SELECT f, g, p, ${sum('n')} AS n FROM asked_spans WHERE g >= 0 AND p >= 0 GROUP BY f, g, p) AS shown_parts CROSS JOIN ${listed('part', parts + 1)} GROUP BY f, g, part) AS shown_until`, // prettier-ignore
    }),
    step(
      'cells',
      'Sums by group and item of the rows in which it counts, and of the weights x0 and y0 of the others.',
      {
        // prettier-ignore
        columns: [
        'f', 'g', 'it', named('max(p0)', 'p0'), named('max(p1)', 'p1'),
        ...['c', 'm', 'q', 'x', 'y'].map((name) => named(within(name), name)),
        named(outside('x'), 'x0'),
        named(outside('y'), 'y0'),
      ],
        from: 'asked_spans',
        groupBy: ['f', 'g', 'it'],
      },
    ),
    step(
      'there',
      'The same with the impressions among which the item could have been shown; of all groups, spread over the cells of the item.',
      {
        // prettier-ignore
        columns: [
        // One by one: what a star gives after a join is called otherwise by some.
          ...['f', 'g', 'it', 'p0', 'p1', 'c', 'm', 'q', 'x', 'y', 'x0', 'y0'].map((name) => named(`asked_cells.${name}`, name)),
        named(`CASE WHEN p1 > p0 THEN d1.shown_before - d0.shown_before ELSE ${zero} END`, 'there'),
        named(`CASE WHEN p1 > p0 THEN (d1.all_before - d0.all_before) / count(d1.part) OVER (PARTITION BY asked_cells.f, asked_cells.it) ELSE ${zero} END`, 'all_there'), // prettier-ignore
      ],
        from: `asked_cells LEFT JOIN asked_shown AS d0 ON d0.f = asked_cells.f AND d0.g = asked_cells.g AND d0.part = p0 LEFT JOIN asked_shown AS d1 ON d1.f = asked_cells.f AND d1.g = asked_cells.g AND d1.part = p1`, // prettier-ignore
      },
    ),
    step(
      'ratios',
      'The ratio of each cell, drawn towards 1, and the totals of each repair before (w0, r0) and after it (w1, r1).',
      {
        // prettier-ignore
        columns: [
        'ratio_cells.*',
        named(ofRepair(sum('x + x0')), 'w0'),
        named(ofRepair(sum('y + y0')), 'r0'),
        named(ofRepair(sum('x0 + x / ratio')), 'w1'),
        named(ofRepair(sum('y0 + y / ratio')), 'r1'),
        named(`CASE WHEN ${ofRepair(sum('all_there'))} > ${zero} THEN ${ofRepair(sum('m'))} / ${ofRepair(sum('all_there'))} ELSE ${one} END`, 'level_1'), // prettier-ignore
        named(ofRepair(sum('is_below')), 'below'),
        named(ofRepair(sum('is_above')), 'above'),
      ],
        from: `(SELECT drawn_cells.*, ${one} + drawn * (m - coalesce(there, ${zero})) AS ratio FROM (SELECT asked_there.*, CASE WHEN ${isMeasured} THEN c / (c + ${number(PRIOR_SHOWINGS)}) / there ELSE ${zero} END AS drawn, ${flagged(`< ${number(-4)}`)} AS is_below, ${flagged(`> ${number(4)}`)} AS is_above FROM asked_there) AS drawn_cells) AS ratio_cells`, // prettier-ignore
      },
    ),
    step(
      'repaired',
      'How each cell moves the answer: what the weights of its rows gain, what is measured in it, and what its group takes back.',
      {
        // prettier-ignore
        columns: [
        'f', 'g', 'it', 'p0', 'p1', 'ratio', 'w1', 'r1', 'level_1', 'below', 'above', 'slope',
        named('inverse_1 / ratio - inverse_0', 'gain'),
        named('r0 * inverse_0 * inverse_0 - r1 * inverse_1 * inverse_1 / ratio', 'base'),
        named('inverse_1 - inverse_0', 'plain_gain'),
        named('r0 * inverse_0 * inverse_0 - r1 * inverse_1 * inverse_1', 'plain_base'),
        named(`CASE WHEN drawn > ${zero} THEN (y - r0 * inverse_0 * x) * (inverse_1 / ratio - inverse_0) END`, 'shift'), // prettier-ignore
        named(`CASE WHEN drawn > ${zero} THEN slope * m / there ELSE ${zero} END`, 'taken'),
      ],
        from: `(SELECT inverted_cells.*, CASE WHEN drawn > ${zero} THEN (y - r1 * inverse_1 * x) / ratio / ratio * drawn * inverse_1 ELSE ${zero} END AS slope FROM (SELECT asked_ratios.*, ${one} / nullif(w0, ${zero}) AS inverse_0, ${one} / nullif(w1, ${zero}) AS inverse_1 FROM asked_ratios) AS inverted_cells) AS sloped_cells`, // prettier-ignore
      },
    ),
    step('back', 'What each group takes back, by part of time.', {
      columns: [
        'f',
        'g',
        'part',
        named(sum(`CASE WHEN part >= p0 AND part < p1 THEN taken ELSE ${zero} END`), 'back'),
      ],
      from: `(SELECT f, g, p0, p1, ${sum('taken')} AS taken FROM asked_repaired WHERE g >= 0 GROUP BY f, g, p0, p1) AS taken_spans CROSS JOIN ${listed('part', parts)}`, // prettier-ignore
      groupBy: ['f', 'g', 'part'],
    }),
    step('users', 'The influence of each bucket of users on each repair.', {
      columns: ['bucket', ...influences.map((value, f) => named(sum(value), `v${f}`))],
      from: influencedRows,
      groupBy: ['bucket'],
    }),
    step('named', 'The cells of each repair that move the answer most, and what the repair does.', {
      columns: [...NAMED_NUMBERS, 'it'],
      from: `(SELECT asked_repaired.*, row_number() OVER (PARTITION BY f ORDER BY coalesce(abs(shift), ${number(-1)}) DESC, g, it) AS place FROM asked_repaired) AS placed_cells`, // prettier-ignore
      where: `place <= ${LARGEST_CELLS}`,
    }),
  ]
}

/** What each repair f has there, what most have being said last. */
function byRepair(values: readonly string[]): string {
  const repairs = new Map<string, number[]>()
  for (const [f, value] of values.entries()) repairs.set(value, [...(repairs.get(value) ?? []), f])
  const [most, ...others] = [...repairs].toSorted(([, a], [, b]) => b.length - a.length)
  const cases = others.map(([value, same]) => `WHEN f IN (${same.join(', ')}) THEN ${value}`)
  return cases.length === 0 ? most![0] : `CASE ${cases.join(' ')} ELSE ${most![0]} END`
}

/** The influence of a row, from its own columns and those of its cell and of what its group takes back. */
function influence({ m, g, p }: FactorRow, cell: string, back: string, zero: string): string {
  const isIn = `${g} >= 0 AND ${p} >= ${cell}.p0 AND ${p} < ${cell}.p1`
  const inside = `w * (r * ${cell}.gain + ${cell}.base) - ${cell}.slope * ${m}`
  const outside = `w * (r * ${cell}.plain_gain + ${cell}.plain_base)`
  return `n * (CASE WHEN ${isIn} THEN ${inside} ELSE ${outside} END + coalesce(${back}.back, ${zero}))`
}

/** The columns of a row for a repair: its measure, group, part of time and item. */
interface FactorRow {
  readonly m: string
  readonly g: string
  readonly p: string
  readonly it: string
}

/** What is different, by what it says. */
function distinct<Value>(values: readonly Value[]): Value[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()]
}

const placeOf = <Value>(values: readonly Value[], value: Value): number =>
  values.findIndex((other) => JSON.stringify(other) === JSON.stringify(value))
