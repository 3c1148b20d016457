import { parseJson } from './bytes/exact-json.js'
import { HindcastError } from '../error.js'
import type { ColumnOrigins } from './bad-rows.js'
import type { Column } from './columns.js'
import { namesBehind } from './values/origin.js'

/** Where a name leads in a file whose cells hold more than one value: into a column, key by key. */
export interface NestedPath {
  readonly column: string
  readonly keys: readonly string[]
  /** How many keys lead to a list; the keys after them lead into each of its elements. Undefined if there is no list. */
  readonly listAt?: number
  /** The column whose cell says which element of the list, counted from 0. */
  readonly by?: string
}

/** What the cells of a file hold besides single values: names such as `shown.item.id`, and which of them are lists. */
export interface Shape {
  /** By name. A column that holds a list of single values is a path without keys. */
  readonly paths: ReadonlyMap<string, NestedPath>
  /** Columns whose cells are texts of JSON. */
  readonly texts: ReadonlySet<string>
}

export const FLAT: Shape = { paths: new Map(), texts: new Set() }

/** Deeper keys are not offered: objects keyed by ids would give a name for each id. */
const DEEPEST = 8
const MOST_PATHS = 500
/** Keys that cannot be written in a path of every engine. */
const ODD_KEY = /["\\*?[\]]|^$/

/** Collects the shape of a file from some of its cells. */
export class ShapeFinder {
  readonly #columns: ReadonlySet<string>
  readonly #paths = new Map<string, NestedPath>()
  /** How many more texts of a column are JSON than are not. */
  readonly #texts = new Map<string, number>()
  /** Columns with objects or lists that are not texts. */
  readonly #records = new Set<string>()

  constructor(columns: readonly string[]) {
    this.#columns = new Set(columns)
  }

  add(column: string, cell: unknown): void {
    if (typeof cell === 'string') this.#addText(column, cell)
    else {
      if (typeof cell === 'object' && cell !== null) this.#records.add(column)
      this.#addValue({ column, keys: [] }, cell)
    }
  }

  shape(): Shape {
    const names = [...this.#paths.keys()]
    // A few damaged texts do not hide what the others hold.
    const texts = new Set([...this.#texts].flatMap(([column, more]) => (more > 0 ? [column] : [])))
    const paths = [...this.#paths].filter(
      ([name, { column, keys, listAt }]) =>
        (this.#records.has(column) || texts.has(column)) &&
        // A list that was empty once may hold objects elsewhere.
        (listAt !== keys.length || !names.some((other) => other.startsWith(`${name}.`))),
    )
    return { paths: new Map(paths), texts }
  }

  #addText(column: string, text: string): void {
    if (text === '') return
    const value = openedCell(text)
    this.#texts.set(column, (this.#texts.get(column) ?? 0) + (value === undefined ? -1 : 1))
    if (value !== undefined) this.#addValue({ column, keys: [] }, value)
  }

  #addValue(path: NestedPath, value: unknown): void {
    if (Array.isArray(value)) this.#addList(path, value)
    else if (typeof value === 'object' && value !== null && !(value instanceof Date)) {
      if (path.keys.length === DEEPEST) return
      for (const [key, inner] of Object.entries(value))
        if (!ODD_KEY.test(key)) this.#addValue({ ...path, keys: [...path.keys, key] }, inner)
    } else if (path.keys.length > 0) this.#keep(path)
  }

  #addList(path: NestedPath, list: readonly unknown[]): void {
    // The elements of a list within a list have no place in a page.
    if (path.listAt !== undefined) return
    const inList = { ...path, listAt: path.keys.length }
    if (list.length === 0) this.#keep(inList)
    for (const element of list)
      if (isRecord(element)) this.#addValue(inList, element)
      else this.#keep(inList)
  }

  #keep(path: NestedPath): void {
    const name = nameOfPath(path)
    if (path.keys.length > 0 && this.#columns.has(name)) return
    if (this.#paths.has(name) ? path.listAt !== undefined : this.#paths.size < MOST_PATHS)
      this.#paths.set(name, path)
  }
}

const isRecord = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)

/** `shown.item.id`. */
export const nameOfPath = ({ column, keys }: NestedPath): string => [column, ...keys].join('.')

/** A cell, or the object or list that its JSON text holds; undefined if the text holds neither. */
export function openedCell(cell: unknown): unknown {
  if (typeof cell !== 'string') return cell
  if (!/^\s*[{[]/.test(cell)) return undefined
  try {
    return parseJson(cell)
  } catch {
    return undefined
  }
}

/** What a path finds in the opened cell of its column: one value, or a list of values; undefined if it leads nowhere. */
export function valueAt(opened: unknown, { keys, listAt }: NestedPath): unknown {
  if (listAt === undefined) return follow(opened, keys)
  const list = follow(opened, keys.slice(0, listAt))
  if (!Array.isArray(list)) return undefined
  const rest = keys.slice(listAt)
  return rest.length === 0 ? list : list.map((element: unknown) => follow(element, rest))
}

function follow(start: unknown, keys: readonly string[]): unknown {
  let value = start
  for (const key of keys) {
    if (!isRecord(value) || !Object.hasOwn(value as object, key)) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return value
}

/** What a file offers to a mapping: the names of its columns, and what their cells hold besides single values. */
export interface Offered {
  readonly names: readonly string[]
  readonly shape: Shape
}

/** The origin of a slate that has no id in the file: the number of its record. */
export const PAGE_NUMBER = 'page number'
/** The origin of positions that are not in the file: the place in the list of items, from 1. */
export const LIST_PLACE = 'place in the list'

/** Columns of which each item of a page has its own value: one value for the whole page would mean something else. */
const PER_ITEM: readonly Column[] = ['reward', 'propensity', 'target', 'position', 'q', 'v']

/** `in(clicked)`: 1 for the items of a page that its list `clicked` names, 0 for the others. */
const membershipIn = (list: string): string => `in(${list})`

/** The path of the list behind `in(clicked)`; undefined for any other name. */
export const membershipPath = (name: string, { paths }: Shape): NestedPath | undefined => {
  const path = paths.get(/^in\((.+)\)$/.exec(name)?.[1] ?? '')
  return isList(path) ? path : undefined
}

/** The path behind `weights[shown]`: the element of a list whose number, counted from 0, is in another column. */
function pickPath(name: string, { paths }: Shape): NestedPath | undefined {
  const [, list = '', by = ''] = /^(.+)\[([^[\]]+)\]$/.exec(name) ?? []
  const path = paths.get(list)
  return path?.listAt !== undefined && by !== '' ? { ...path, by } : undefined
}

/** Where a name leads: along a path, to a membership, or to an element of a list. */
export const pathNamed = (name: string, shape: Shape): NestedPath | undefined =>
  shape.paths.get(name) ?? membershipPath(name, shape) ?? pickPath(name, shape)

const isList = (path: NestedPath | undefined): boolean => path?.listAt !== undefined

/** Elements of lists in a text: `weights[shown]`. */
const PICKS = /[\p{L}_$][\p{L}\p{N}_$.:]*\[[^[\]]+\]/gu

/**
 * All names that a mapping may use: the columns of a file, the paths into them, memberships in its lists, and those of
 * the names asked for that are elements of its lists.
 */
export function mappableNames({ names, shape }: Offered, asked: readonly string[] = []): readonly string[] {
  const { paths } = shape
  if (paths.size === 0) return names
  const lists = [...paths].flatMap(([name, path]) => (isList(path) ? [membershipIn(name)] : []))
  const candidates = new Set(asked.flatMap((text) => [text, ...(text.match(PICKS) ?? [])]))
  const picked = [...candidates].filter((name) => names.includes(pickPath(name, shape)?.by ?? ''))
  const nested = [...paths.keys(), ...lists, ...picked].filter((name) => !names.includes(name))
  return [...names, ...nested]
}

/** All names that the origins of a log may use: those of its mapping, and those made from pages. */
export const namesOfOrigins = (file: Offered, origins: ColumnOrigins): readonly string[] => [
  ...mappableNames(file, Object.values(origins).flat()),
  PAGE_NUMBER,
  LIST_PLACE,
]

/** The names that the columns of a log are read from, each once. */
export const usedNames = (file: Offered, origins: ColumnOrigins): string[] =>
  namesBehind(origins, namesOfOrigins(file, origins))

/** Whether a name stands for one value per item of a page. */
export const isPerItem = (name: string, shape: Shape): boolean =>
  name === LIST_PLACE || isList(shape.paths.get(name)) || membershipPath(name, shape) !== undefined

/**
 * Whether the records of a file are pages: their item is a list. A text such as `["a","b"]` may just as well be the id
 * of one item, so where the list is a text the reward must be one per item too.
 */
export function holdsPages(origins: ColumnOrigins, file: Offered): boolean {
  const path = file.shape.paths.get(origins.item?.[0] ?? '')
  if (!isList(path)) return false
  return !file.shape.texts.has(path!.column) || isColumnPerItem('reward', origins, file)
}

/** Whether a column of the log is read from a list with a value per item, alone or with others. */
function isColumnPerItem(column: Column, origins: ColumnOrigins, file: Offered): boolean {
  const { [column]: texts = [] } = origins
  return usedNames(file, { [column]: texts }).some((name) => isPerItem(name, file.shape))
}

/**
 * The origins of a file whose records may be pages: the slate is the record unless a column names it, and the position
 * the place in the list. The reward and whatever else belongs to an item must be lists, as the items are.
 */
export function pageOrigins(file: string, origins: ColumnOrigins, offered: Offered): ColumnOrigins {
  if (!holdsPages(origins, offered)) {
    refuseMembership(file, origins, offered.shape)
    return origins
  }
  const single = PER_ITEM.find((column) => origins[column] && !isColumnPerItem(column, origins, offered))
  if (single)
    throw new HindcastError(
      'bad-file',
      `${file}: item (${origins.item![0]}) holds a list per record, but ${single} (${origins[single]![0]}) holds one value.`,
      { remedy: `Give ${single} as a list with one value per item, or write one row per item.` },
    )
  return {
    ...origins,
    slate: origins.slate ?? [PAGE_NUMBER],
    position: origins.position ?? [LIST_PLACE],
  }
}

function refuseMembership(file: string, origins: ColumnOrigins, shape: Shape): void {
  const name = Object.values(origins)
    .flat()
    .find((candidate) => membershipPath(candidate, shape))
  if (name !== undefined)
    throw new HindcastError('bad-option', `${file}: ${name} needs a list of items, but item is not a list.`, {
      remedy: 'Map the item to a list, or the reward to a number.',
    })
}
