import { type Cell, cellLabel } from '../cell.js'
import { pathNamed } from '../pages.js'
import { openedCell, type Shape, valueAt } from '../shape.js'
import type { ShapedRows } from './shaped-rows.js'

/** Which records of a file are read: those with one of these values in a column. */
export interface RowFilter {
  /** A column, or a path into one. */
  readonly column: string
  readonly values: readonly string[]
  /** Whether records that cannot be read are passed on: of two that read one file, only one complains about them. */
  readonly passesBroken: boolean
}

/** Rows made from the records that a filter keeps; from all where there is none. */
export function keeping(
  filter: RowFilter | undefined,
  { names, shape }: { readonly names: readonly string[]; readonly shape: Shape },
  shaped: ShapedRows,
): ShapedRows {
  if (!filter) return shaped
  const kindOf = kindReader(filter.column, names, shape)
  const values = new Set(filter.values)
  return {
    names: shaped.names,
    into(visit) {
      const inner = shaped.into(visit)
      return (line, cells, broken) => {
        const isKept = broken === undefined ? values.has(kindOf(cells) ?? '') : filter.passesBroken
        if (isKept) inner(line, cells, broken)
      }
    },
  }
}

function kindReader(
  column: string,
  names: readonly string[],
  shape: Shape,
): (cells: readonly Cell[]) => string | undefined {
  const place = names.indexOf(column)
  if (place >= 0) return (cells) => cellLabel(cells[place])
  const path = pathNamed(column, shape)!
  const opened = names.indexOf(path.column)
  return (cells) => cellLabel(valueAt(openedCell(cells[opened]), path) as Cell)
}
