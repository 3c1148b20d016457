import { HindcastError } from '../error.js'
import type { ColumnOrigins } from './bad-rows.js'
import type { Column } from './columns.js'
import type { NestedPath, Shape } from './shape.js'

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

/**
 * All names that a mapping may use: the columns of a file, the paths into them, memberships in its lists, and those of
 * the names asked for that are elements of its lists.
 */
export function namesIn(
  columns: readonly string[],
  shape: Shape,
  asked: readonly string[] = [],
): readonly string[] {
  const { paths } = shape
  if (paths.size === 0) return columns
  const lists = [...paths].flatMap(([name, path]) => (isList(path) ? [membershipIn(name)] : []))
  const picked = asked.filter((name) => columns.includes(pickPath(name, shape)?.by ?? ''))
  const nested = [...paths.keys(), ...lists, ...picked].filter((name) => !columns.includes(name))
  return [...columns, ...nested]
}

/** Whether a name stands for one value per item of a page. */
export const isPerItem = (name: string, shape: Shape): boolean =>
  name === LIST_PLACE || isList(shape.paths.get(name)) || membershipPath(name, shape) !== undefined

/**
 * Whether the records of a file are pages: their item is a list. A text such as `["a","b"]` may just as well be the id
 * of one item, so where the list is a text the reward must be one per item too.
 */
export function holdsPages({ item, reward }: ColumnOrigins, shape: Shape): boolean {
  const path = shape.paths.get(item?.[0] ?? '')
  if (!isList(path)) return false
  return !shape.texts.has(path!.column) || isPerItem(reward?.[0] ?? '', shape)
}

/**
 * The origins of a file whose records may be pages: the slate is the record unless a column names it, and the position
 * the place in the list. The reward and whatever else belongs to an item must be lists, as the items are.
 */
export function pageOrigins(file: string, origins: ColumnOrigins, shape: Shape): ColumnOrigins {
  if (!holdsPages(origins, shape)) {
    refuseMembership(file, origins, shape)
    return origins
  }
  const single = PER_ITEM.find((column) => origins[column]?.some((name) => !isPerItem(name, shape)))
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
