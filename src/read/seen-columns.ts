import type { Cell } from '../log/cell.js'
import { type NestedPath, openedCell, type Shape, valueAt } from '../log/shape.js'

/** A column of a file, or a path into one, with the cells of its first rows; undefined if reading them would take long. */
export interface OpenedColumn {
  readonly name: string
  readonly cells: readonly Cell[] | undefined
  /** True for a path into a column. */
  readonly isNested?: boolean
  /** True if each cell is a list; `cells` are then the elements of all lists. */
  readonly isList?: boolean
}

/** The columns of a file and the paths into them. A column of objects stands for its paths alone. */
export function seenColumns(
  names: readonly string[],
  { paths }: Shape,
  cells: readonly (readonly Cell[] | undefined)[],
): OpenedColumn[] {
  return names.flatMap((name, k): OpenedColumn[] => {
    const inside = [...paths.values()].filter(({ column }) => column === name)
    const own = inside.find(({ keys }) => keys.length === 0)
    const nested = inside
      .filter(({ keys }) => keys.length > 0)
      .map((path) => ({ ...opened(path, cells[k]), isNested: true }))
    const isObject = nested.length > 0 && (cells[k] ?? []).every((cell) => typeof cell !== 'string')
    return [...(isObject ? [] : [own ? opened(own, cells[k]) : { name, cells: cells[k] }]), ...nested]
  })
}

function opened(path: NestedPath, cells: readonly Cell[] | undefined): OpenedColumn {
  const name = [path.column, ...path.keys].join('.')
  const values = cells?.map((cell) => valueAt(openedCell(cell), path) as Cell)
  if (path.listAt === undefined) return { name, cells: values }
  return {
    name,
    cells: values?.flatMap((list) => (Array.isArray(list) ? (list as Cell[]) : [])),
    isList: true,
  }
}
