import type { ColumnOrigins } from '../bad-rows.js'
import { type Cell, cellId, cellLabel, cellNumber, cellText } from '../cell.js'
import {
  holdsPages,
  isPerItem,
  LIST_PLACE,
  membershipPath,
  type NestedPath,
  openedCell,
  PAGE_NUMBER,
  pathNamed,
  type Shape,
  usedNames,
  valueAt,
} from '../shape.js'
import type { Visit } from './lines.js'

/** Rows of a log made from records whose cells hold more than one value. */
export interface ShapedRows {
  /** The names of the cells of a row: those of the record, then the paths in use. */
  readonly names: readonly string[]
  /** Receives records, and passes on their rows: one for each record, or one for each item of a page. */
  into(visit: Visit): Visit
}

/** A value of a record that is in use: where it is, and which cell of a row it fills. */
interface Nested {
  readonly name: string
  readonly column: number
  /** The cell with the number of an element, if only one of a list is wanted. */
  readonly by: number | undefined
  readonly path: NestedPath
  readonly cell: number
}

/** How the records of a file become rows. `columns` are the names of the record's cells. */
export function shapedRows(columns: readonly string[], shape: Shape, origins: ColumnOrigins): ShapedRows {
  const used = usedNames({ names: columns, shape }, origins)
  const isPaged = holdsPages(origins, { names: columns, shape })
  const paths = used.flatMap((name): [string, NestedPath][] => {
    const path = pathNamed(name, shape)
    return path && (isPaged || !columns.includes(name)) ? [[name, path]] : []
  })
  if (paths.length === 0) return { names: columns, into: (visit) => visit }
  const made = isPaged ? [PAGE_NUMBER, LIST_PLACE] : []
  const more = [...paths.map(([name]) => name), ...made].filter((name) => !columns.includes(name))
  const names = [...columns, ...more]
  const nested = paths.map(([name, path]) => ({
    name,
    path,
    column: columns.indexOf(path.column),
    by: path.by === undefined ? undefined : columns.indexOf(path.by),
    cell: names.indexOf(name),
  }))
  if (!isPaged) return { names, into: (visit) => singleRows(visit, columns.length, nested) }
  const page: Page = {
    lists: nested.filter(({ name }) => isPerItem(name, shape) && !membershipPath(name, shape)),
    memberships: nested.filter(({ name }) => membershipPath(name, shape)),
    values: nested.filter(({ name }) => !isPerItem(name, shape)),
    item: nested.find(({ name }) => name === origins.item![0])!,
    number: names.indexOf(PAGE_NUMBER),
    place: names.indexOf(LIST_PLACE),
    width: names.length,
  }
  return { names, into: (visit) => pageRows(visit, page) }
}

/** Opens each cell once, however many paths lead into it. */
function opener(cells: readonly Cell[]): (column: number) => unknown {
  const opened = new Map<number, unknown>()
  return (column) => {
    if (!opened.has(column)) opened.set(column, openedCell(cells[column]))
    return opened.get(column)
  }
}

function valueOf(
  { column, path, by }: Nested,
  open: (column: number) => unknown,
  cells: readonly Cell[],
): Cell {
  const value = valueAt(open(column), path)
  return (
    by === undefined ? value : (value as readonly unknown[] | undefined)?.[cellNumber(cells[by])]
  ) as Cell
}

function singleRows(visit: Visit, width: number, nested: readonly Nested[]): Visit {
  return (line, cells, broken) => {
    const row = cells.slice(0, width)
    if (broken === undefined) {
      const open = opener(cells)
      for (const one of nested) row[one.cell] = valueOf(one, open, cells)
    }
    visit(line, row, broken)
  }
}

/** What the rows of a page are made of. */
interface Page {
  readonly lists: readonly Nested[]
  readonly memberships: readonly Nested[]
  /** Values that all rows of the page share. */
  readonly values: readonly Nested[]
  readonly item: Nested
  readonly number: number
  readonly place: number
  readonly width: number
}

function pageRows(visit: Visit, page: Page): Visit {
  let number = 0
  return (line, cells, broken) => {
    number++
    const lists = broken ?? openPage(cells, page)
    if (typeof lists === 'string') {
      visit(line, cells, lists)
      return
    }
    const shared = Array.from({ length: page.width }, (_, k) => cells[k])
    const open = opener(cells)
    for (const one of page.values) shared[one.cell] = valueOf(one, open, cells)
    shared[page.number] = number
    const count = lists.get(page.item.cell)!.length
    for (let k = 0; k < count; k++) {
      const row = [...shared]
      for (const [cell, list] of lists) row[cell] = list[k] as Cell
      row[page.place] = k + 1
      visit(line, row)
    }
  }
}

/** The lists of a page by the cell that they fill, all of one length; or why the record is not a page. */
function openPage(cells: readonly Cell[], page: Page): Map<number, readonly unknown[]> | string {
  const open = opener(cells)
  const listAt = ({ column, path }: Nested): unknown => valueAt(open(column), path)
  const items = listAt(page.item)
  if (!Array.isArray(items)) return `has no list in ${page.item.name}`
  if (items.length === 0) return `shows no items: ${page.item.name} is empty`
  const lists = new Map<number, readonly unknown[]>()
  for (const nested of page.lists) {
    const list = listAt(nested)
    if (!Array.isArray(list)) return `has no list in ${nested.name}`
    if (list.length !== items.length)
      return `has ${items.length} in ${page.item.name} but ${list.length} in ${nested.name}`
    lists.set(nested.cell, list)
  }
  const ids = items.map((item) => cellId(item as Cell))
  for (const nested of page.memberships) {
    const list = listAt(nested)
    if (!Array.isArray(list)) return `has no list for ${nested.name}`
    const members = list.map((member) => cellId(member as Cell))
    const strange = members.findIndex((member) => member === undefined || !ids.includes(member))
    if (strange >= 0)
      return `has ${cellText(list[strange] as Cell)} for ${nested.name}, which ${page.item.name} does not show`
    lists.set(
      nested.cell,
      ids.map((id) => (members.includes(id) ? 1 : 0)),
    )
  }
  return lists
}

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
