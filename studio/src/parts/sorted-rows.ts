import type { Cell, Table } from '$core/figures/chart.js'

/**
 * The rows of a table in the order asked for: `+name` rising and `-name` falling by a column, anything else as they
 * stand. Cells without a value stay at the end.
 */
export function sortedRows({ columns, rows }: Table, order: string): Table['rows'] {
  const column = columns.findIndex(({ name }) => name === order.slice(1))
  if (column < 0) return rows
  const sign = order.startsWith('-') ? -1 : 1
  return rows.toSorted((a, b) => {
    const [left, right] = [a[column]!, b[column]!]
    if (left === null || right === null) return Number(left === null) - Number(right === null)
    return sign * compare(left, right)
  })
}

const words = new Intl.Collator('en', { numeric: true })

const compare = (a: NonNullable<Cell>, b: NonNullable<Cell>): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : words.compare(String(a), String(b))
