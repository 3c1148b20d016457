import type { SeedMean } from '../words/seed-text.js'
import { verdictWord } from '../words/verdict-text.js'
import type { Cell, Chart, Column, Table } from './chart.js'

/** A computed number for a table, with six digits that mean something and none of the noise after them. */
export const tableNumber = (value: number): number => Number(value.toPrecision(6))

/** Computed numbers for a table, null where there is none. */
export const tableNumbers = (values: readonly (number | null | undefined)[]): (number | null)[] =>
  values.map((value) => (value === null || value === undefined ? null : tableNumber(value)))

/** The fields of a row that can stand in a table as they are. */
type CellField<Row> = { [Name in keyof Row]-?: Row[Name] extends Cell | undefined ? Name : never }[keyof Row]

/** A column with its cell of each row. */
export interface CellColumn<Row> extends Column {
  /** A field of the row, or what is made of it. Numbers, rates and shares are written with six digits; null and undefined as nothing. */
  readonly of: CellField<Row> | ((row: Row) => Cell | undefined)
  /** A number that was given, not computed: written with all its digits. */
  readonly isExact?: true
}

/**
 * A table with a row for each of `rows`; columns that do not apply are null. Rows that come as a function are made when they
 * are first asked for: with very many of them that takes longer than to draw.
 */
export function tableOf<Row>(
  rows: readonly Row[] | (() => readonly Row[]),
  columns: readonly (CellColumn<NoInfer<Row>> | null)[],
): Table {
  const kept = columns.filter((column) => column !== null)
  const cellOf = ({ of, kind, isExact }: CellColumn<Row>, row: Row): Cell => {
    const cell = (typeof of === 'function' ? of(row) : (row[of] as Cell | undefined)) ?? null
    const isComputed = !isExact && (kind === 'number' || kind === 'rate' || kind === 'share')
    return isComputed && typeof cell === 'number' ? tableNumber(cell) : cell
  }
  const cellsOf = (all: readonly Row[]): Cell[][] => all.map((row) => kept.map((one) => cellOf(one, row)))
  const named = kept.map(({ name, label, kind }) => ({ name, label, ...(kind && { kind }) }))
  if (typeof rows !== 'function') return { columns: named, rows: cellsOf(rows) }
  let made: Cell[][] | undefined
  return {
    columns: named,
    get rows() {
      return (made ??= cellsOf(rows()))
    },
  }
}

/** A mean or another value, and its interval. */
type Ranged = SeedMean | { readonly value: number | null; readonly interval: SeedMean['interval'] }

/** The columns of such a value and of the bounds of its 95 % interval. */
export const boundedColumns = <Row>(
  column: Column,
  of: (row: Row) => Ranged | null | undefined,
): (Column & { of(row: Row): Cell | undefined })[] =>
  withBounds(column).map((one, place) => ({
    ...one,
    of: (row) => {
      const found = of(row)
      if (place > 0) return found?.interval?.[place - 1]
      return found && ('mean' in found ? found.mean : found.value)
    },
  }))

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
