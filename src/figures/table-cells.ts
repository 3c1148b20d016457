import type { SeedMean } from '../words/seed-text.js'
import type { Column } from './chart.js'

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
