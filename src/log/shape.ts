import { parseJson } from './bytes/exact-json.js'

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
