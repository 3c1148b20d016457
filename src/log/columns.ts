/** Columns of a log that hold ids: kept as text, indexed densely. */
export const ID_COLUMNS = ['user', 'item', 'slate', 'cluster'] as const
/** Columns of a log that hold numbers. */
export const NUMBER_COLUMNS = [
  'reward',
  'propensity',
  'target',
  'position',
  'time',
  'weight',
  'q',
  'v',
] as const

export type IdColumn = (typeof ID_COLUMNS)[number]
export type NumberColumn = (typeof NUMBER_COLUMNS)[number]
export type Column = IdColumn | NumberColumn

/** A further column that the user named, kept as text labels: `label:NAME`, NAME as in the file. */
export type LabelColumn = `label:${string}`
/** A further column that the user named, kept as numbers: `number:NAME`, NAME as in the file. */
export type FurtherColumn = `number:${string}`
/** A column of ids that are compared row by row and not kept: `key:decision`, `key:item`, `key:outcome`. */
export type KeyColumn = `key:${'decision' | 'item' | 'outcome'}`
/** A column whose cells are numbers. */
export type NumericColumn = NumberColumn | FurtherColumn
/** A column whose cells are texts, indexed densely. */
export type CodedColumn = IdColumn | LabelColumn

export const labelColumn = (name: string): LabelColumn => `label:${name}`
/** The name in the file of a column of labels. */
export const labelName = (column: LabelColumn): string => column.slice('label:'.length)
export const isLabelColumn = (column: string): column is LabelColumn => column.startsWith('label:')

export const furtherColumn = (name: string): FurtherColumn => `number:${name}`
/** The name in the file of a further column of numbers. */
export const furtherName = (column: FurtherColumn): string => column.slice('number:'.length)
export const isFurtherColumn = (column: string): column is FurtherColumn => column.startsWith('number:')

export const isKeyColumn = (column: string): column is KeyColumn => column.startsWith('key:')

export const COLUMNS: readonly Column[] = [...ID_COLUMNS, ...NUMBER_COLUMNS]
export const REQUIRED_COLUMNS: readonly Column[] = ['user', 'item', 'reward']

/** True for a column that a log can do without. */
export const isOptionalColumn = (column: string): boolean =>
  (COLUMNS as readonly string[]).includes(column) && !(REQUIRED_COLUMNS as readonly string[]).includes(column)

/** The name of each column in a canonical file. */
export const CANONICAL_NAMES: Readonly<Record<Column, string>> = {
  user: 'user_id',
  item: 'item_id',
  reward: 'reward',
  propensity: 'propensity',
  target: 'target_prob',
  slate: 'slate_id',
  position: 'position',
  time: 'timestamp',
  cluster: 'cluster',
  weight: 'weight',
  q: 'q',
  v: 'v',
}

export const isIdColumn = (column: Column): column is IdColumn =>
  (ID_COLUMNS as readonly string[]).includes(column)

/** The column a user means by its Hindcast name (`user`) or its canonical name (`user_id`). */
export function columnNamed(name: string): Column | undefined {
  return COLUMNS.find((column) => column === name || CANONICAL_NAMES[column] === name)
}
