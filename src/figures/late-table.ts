import type { Column, Table } from './chart.js'

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
