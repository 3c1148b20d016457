import type { ColumnOrigins } from '../../log/bad-rows.js'
import {
  holdsPages,
  isPerItem,
  LIST_PLACE,
  membershipPath,
  type NestedPath,
  type Offered,
  PAGE_NUMBER,
  pathNamed,
  usedNames,
} from '../../log/shape.js'
import { literal, quoted } from '../../sql/dialect.js'
import { type CellKind, idExpression, kindOfType, numberExpression } from './expressions.js'

/** A relation whose columns are single values: paths are followed, and pages are cut into rows. */
export interface ShapedRelation {
  readonly from: string
  /** The 0-based place of a row, where it is no longer that of its record. */
  readonly place?: string
  /** The column of the relation behind each name in use that is a path, a list or made from a page. */
  readonly columns: ReadonlyMap<string, string>
  /** The kind of cells of those that are not as in the file. */
  readonly kinds: ReadonlyMap<string, CellKind>
  /** False for the one row that stands for a page that cannot be read; undefined if there are no pages. */
  readonly whole?: string
}

/** What is known of a file before its cells are opened. */
export interface FileRelation extends Offered {
  readonly from: string
  /** The 1-based number of a record. */
  readonly number: string
  /** What the engine calls a column of the file, and its type there. */
  readonly columnOf: (name: string) => { readonly name: string; readonly type: string }
  /** The kind of the elements of a list. */
  readonly elementKind: (path: NestedPath) => CellKind
}

/**
 * Opens the cells of a relation that hold more than one value, as `log/bytes/shaped-rows.ts` does: the paths in use
 * become columns, and where the item is a list each record becomes a row per item. Undefined if no path is in use.
 */
export function shapedRelation(file: FileRelation, origins: ColumnOrigins): ShapedRelation | undefined {
  const { shape } = file
  const isPaged = holdsPages(origins, file)
  const used = usedNames(file, origins).filter((name) => {
    const path = pathNamed(name, shape)
    return path && (isPaged || path.keys.length > 0 || path.by !== undefined)
  })
  if (used.length === 0) return undefined
  const columns = new Map(used.map((name, k) => [name, `__opened_${k}`]))
  const opened = used.map((name) => {
    return `${openedPath(file, pathNamed(name, shape)!)} AS ${columns.get(name)!}`
  })
  if (!isPaged)
    return { from: `(SELECT *, ${opened.join(', ')} FROM ${file.from})`, columns, kinds: new Map() }
  return pages(file, origins, columns, opened)
}

function pages(
  file: FileRelation,
  origins: ColumnOrigins,
  columns: ReadonlyMap<string, string>,
  opened: readonly string[],
): ShapedRelation {
  const { shape } = file
  const item = columns.get(origins.item![0]!)!
  const memberships = [...columns].filter(([name]) => membershipPath(name, shape))
  const lists = [...columns].filter(([name]) => isPerItem(name, shape) && !membershipPath(name, shape))
  const itemKind = file.elementKind(shape.paths.get(origins.item![0]!)!)
  const ids = `list_transform(${item}, lambda x: ${idExpression('x', itemKind)})`
  const members = memberships.map(([name, column]) => {
    const kind = file.elementKind(membershipPath(name, shape)!)
    return { column, ids: `list_transform(${column}, lambda x: ${idExpression('x', kind)})` }
  })
  const isWhole = [
    `len(${item}) > 0`,
    ...lists.map(([, column]) => `len(${column}) = len(${item})`),
    ...members.map(
      ({ ids: named }) => `len(list_filter(${named}, lambda m: list_contains(${ids}, m) IS NOT TRUE)) = 0`,
    ),
  ]
  const replaced = [
    ...lists.map(([, column]) => ({ column, list: column })),
    ...members.map(({ column, ids: named }) => ({
      column,
      list: `list_transform(${ids}, lambda x: coalesce(list_contains(${named}, x), false)::INT::DOUBLE)`,
    })),
  ]
  const rows = [
    ...replaced.map(
      ({ column, list }) => `unnest(CASE WHEN __page_whole THEN ${list} ELSE [NULL] END) AS ${column}`,
    ),
    `unnest(CASE WHEN __page_whole THEN range(1, len(${item}) + 1) ELSE [NULL] END) AS __page_place`,
  ]
  const kept = `* EXCLUDE (${replaced.map(({ column }) => column).join(', ')})`
  const records = `SELECT *, ${file.number} AS __page_number, ${opened.join(', ')} FROM ${file.from}`
  const checked = `SELECT *, coalesce(${isWhole.join(' AND ')}, false) AS __page_whole FROM (${records})`
  const cut = `SELECT ${kept}, ${rows.join(', ')} FROM (${checked})`
  return {
    from: `(SELECT *, row_number() OVER () - 1 AS __page_row FROM (${cut}))`,
    place: '__page_row',
    whole: '__page_whole',
    kinds: new Map<string, CellKind>([
      ...memberships.map(([name]): [string, CellKind] => [name, 'float']),
      [PAGE_NUMBER, 'integer'],
      [LIST_PLACE, 'integer'],
    ]),
    columns: new Map([...columns, [PAGE_NUMBER, '__page_number'], [LIST_PLACE, '__page_place']]),
  }
}

/** What a path finds in its column: a value, a list of values, or the element of a list that another column names. */
export function openedPath(file: Pick<FileRelation, 'shape' | 'columnOf'>, path: NestedPath): string {
  const found = listOrValue(file, path)
  if (path.by === undefined) return found
  const { name, type } = file.columnOf(path.by)
  const number = numberExpression(name, kindOfType(type))
  // Other numbers count from the end of the list in DuckDB.
  return `CASE WHEN ${number} >= 0 AND ${number} = trunc(${number}) THEN list_extract(${found}, TRY_CAST(${number} AS BIGINT) + 1) END`
}

function listOrValue(file: Pick<FileRelation, 'shape' | 'columnOf'>, path: NestedPath): string {
  const { keys, listAt } = path
  const { isJson, value } = openedColumn(file, path.column)
  if (!isJson) {
    const before = listAt === undefined ? keys : keys.slice(0, listAt)
    const list = fieldOf(value, before)
    const rest = listAt === undefined ? [] : keys.slice(listAt)
    return rest.length === 0 ? list : `list_transform(${list}, lambda x: ${fieldOf('x', rest)})`
  }
  if (listAt === undefined) return extract(value, keys)
  const found = extract(value, keys.slice(0, listAt))
  const list = `CASE WHEN json_type(${found}) = 'ARRAY' THEN json_extract(${found}, '$[*]') END`
  const rest = keys.slice(listAt)
  return rest.length === 0 ? list : `list_transform(${list}, lambda x: ${extract('x', rest)})`
}

const fieldOf = (value: string, keys: readonly string[]): string =>
  keys.reduce((struct, key) => `struct_extract(${struct}, ${literal(key)})`, value)

/** What keys lead to in JSON, one after the other; nothing where an object names the key twice. */
const extract = (value: string, keys: readonly string[]): string =>
  keys.reduce((object, key) => {
    const named = `len(list_filter(json_keys(${object}), lambda k: k = ${literal(key)}))`
    return `CASE WHEN ${named} = 1 THEN json_extract(${object}, ${literal(`$."${key}"`)}) END`
  }, value)

/** A column as JSON, or as the struct or list it is. */
function openedColumn(
  file: Pick<FileRelation, 'shape' | 'columnOf'>,
  column: string,
): { isJson: boolean; value: string } {
  const { name, type } = file.columnOf(column)
  const value = quoted(name)
  const text = type === 'JSON' ? `json_extract_string(${value}, '$')` : value
  const parsed = `CASE WHEN json_valid(${text}) THEN (${text})::JSON END`
  if (type === 'VARCHAR') return { isJson: true, value: `(${parsed})` }
  if (type !== 'JSON') return { isJson: false, value }
  if (!file.shape.texts.has(column)) return { isJson: true, value }
  return {
    isJson: true,
    value: `(CASE WHEN json_type(${value}) = 'VARCHAR' THEN ${parsed} ELSE ${value} END)`,
  }
}
