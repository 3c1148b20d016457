import type { SeedMean } from '../words/seed-text.js'
import { verdictWord } from '../words/verdict-text.js'
import type { Chart, Column, Table } from './chart.js'

/** A computed number for a table, with six digits that mean something and none of the noise after them. */
export const tableNumber = (value: number): number => Number(value.toPrecision(6))

/** Computed numbers for a table, null where there is none. */
export const tableNumbers = (values: readonly (number | null | undefined)[]): (number | null)[] =>
  values.map((value) => (value === null || value === undefined ? null : tableNumber(value)))

/** A column, and those of the bounds of its 95 % interval. */
export const withBounds = ({ name, label, kind = 'number' }: Column): Column[] => [
  { name, label, kind },
  { name: `${name}_lower`, label: 'Lower 95 %', kind },
  { name: `${name}_upper`, label: 'Upper 95 %', kind },
]

/** The cells of such columns: a mean and the bounds of its interval. */
export const meanCells = ({ mean, interval }: SeedMean): (number | null)[] =>
  tableNumbers([mean, interval?.[0], interval?.[1]])

/**
 * The numbers of a chart as its files hold them: where the chart is stamped with a verdict and its rows have none of
 * their own, each carries the stamp, so that no number travels without it.
 */
export function stampedTable({ table, stamp }: Pick<Chart, 'table' | 'stamp'>): Table {
  if (stamp === undefined || table.columns.some(({ name }) => name === 'verdict')) return table
  const word = verdictWord({ level: stamp })
  return {
    columns: [...table.columns, { name: 'verdict', label: 'Verdict', kind: 'verdict' }],
    rows: table.rows.map((row) => [...row, word]),
  }
}

/** A table whose rows are made when they are first asked for: with very many of them that takes longer than to draw. */
export function lateTable(columns: readonly Column[], make: () => Table['rows']): Table {
  let rows: Table['rows'] | undefined
  return {
    columns,
    get rows() {
      return (rows ??= make())
    },
  }
}
