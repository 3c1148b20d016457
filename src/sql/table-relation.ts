import { HindcastError } from '../error.js'
import type { ColumnOrigins } from '../log/bad-rows.js'
import {
  furtherName,
  ID_COLUMNS,
  isFurtherColumn,
  isKeyColumn,
  isLabelColumn,
  type KeyColumn,
  labelName,
  NUMBER_COLUMNS,
  type NumberColumn,
} from '../log/columns.js'
import { MISSING_WORDS, NO, YES } from '../log/cell.js'
import { originOf } from '../log/values/origin.js'
import type { CellColumn } from '../log/values/value.js'
import type { SqlColumn } from './column-kind.js'
import type { Dialect } from './dialect.js'
import type { IdExpressions, Relation } from './relation.js'
import { timeTextSql } from './time-text.js'
import { valueSql } from './value-sql.js'

/** A table of an engine, or the rows of a query in parentheses with a name, with the columns it has. */
export interface TableSource {
  readonly from: string
  readonly columns: readonly SqlColumn[]
  /** The column that identifies a row; without one, rows cannot be clusters of their own. */
  readonly key?: string | undefined
}

/** The columns of a log as expressions over a table whose columns are typed. */
export function tableRelation(dialect: Dialect, table: TableSource, origins: ColumnOrigins): Relation {
  const names = table.columns.map(({ name }) => name)
  const cellOf = (name: string): SqlColumn => table.columns.find((column) => column.name === name)!
  const ids: Record<string, IdExpressions> = {}
  for (const column of ID_COLUMNS)
    if (origins[column]) ids[column] = idExpressions(dialect, origins[column].map(cellOf))
  const numbers: Partial<Record<NumberColumn, string>> = {}
  for (const column of NUMBER_COLUMNS) {
    const [text] = origins[column] ?? []
    if (text === undefined) continue
    const origin = originOf(text, names, column)
    numbers[column] =
      origin.kind === 'value'
        ? valueSql(origin.value, dialect, (cell) => valueCell(dialect, cell, cellOf))
        : column === 'time'
          ? timeSql(dialect, cellOf(origin.name))
          : column === 'reward'
            ? outcomeSql(dialect, cellOf(origin.name))
            : numberSql(dialect, cellOf(origin.name))
  }
  const further = Object.keys(origins).filter(isFurtherColumn).map(furtherName)
  const labels = Object.keys(origins).filter(isLabelColumn).map(labelName)
  const keys = Object.keys(origins).filter(isKeyColumn)
  return {
    from: table.from,
    isUnordered: true,
    ...(table.key !== undefined && { place: dialect.identifier(table.key) }),
    ids,
    numbers,
    labels: Object.fromEntries(labels.map((name) => [name, labelSql(dialect, cellOf(name))])),
    further: Object.fromEntries(further.map((name) => [name, numberSql(dialect, cellOf(name))])),
    keys: Object.fromEntries(
      keys.map((column): [KeyColumn, string] => [column, textSql(dialect, cellOf(origins[column]![0]!))]),
    ),
  }
}

/** An id of one or several cells; several form one only if none is missing. */
function idExpressions(dialect: Dialect, cells: readonly SqlColumn[]): IdExpressions {
  const text = cells.map((cell) => textSql(dialect, cell)).join(` || '|' || `)
  const [only] = cells
  return cells.length === 1 && only!.kind === 'integer'
    ? { text, integer: dialect.identifier(only!.name) }
    : { text }
}

/** A cell as an id: NULL where it is empty, or cannot be one. */
export function textSql(dialect: Dialect, { name, kind }: SqlColumn): string {
  const cell = dialect.identifier(name)
  switch (kind) {
    case 'text':
      return `nullif(${dialect.text(cell)}, '')`
    case 'integer':
    case 'uuid':
      return dialect.text(cell)
    case 'number':
      return wholeNumber(dialect, cell)
    default:
      return dialect.text('NULL')
  }
}

/** The largest whole number below which every other is a double. */
const SAFE = Number.MAX_SAFE_INTEGER

/** A whole number that a double represents exactly, as text; others may lose digits. */
function wholeNumber(dialect: Dialect, cell: string): string {
  const value = dialect.double(cell)
  const isSafe = `${dialect.isNumber(value)} AND abs(${value}) <= ${dialect.number(SAFE)}`
  return `CASE WHEN ${isSafe} AND ${value} = ${dialect.floor(value)} THEN ${dialect.text(`CAST(${value} AS BIGINT)`)} END`
}

/** A cell as a label. */
export function labelSql(dialect: Dialect, column: SqlColumn): string {
  const cell = dialect.identifier(column.name)
  if (column.kind === 'boolean') return `CASE WHEN ${cell} THEN 'true' WHEN NOT ${cell} THEN 'false' END`
  return column.kind === 'date' ? dialect.text(cell) : textSql(dialect, column)
}

/** Decimals that may have more digits in front of the point than a double can hold. */
const UNBOUNDED = /^(numeric|decimal)( *\( *[3-9]\d\d|$)/i

/** A cell as a number, true as 1 and false as 0: NULL where it has none. */
export function numberSql(dialect: Dialect, { name, kind, type }: SqlColumn): string {
  const cell = dialect.identifier(name)
  switch (kind) {
    case 'integer':
      return dialect.double(cell)
    case 'number':
      return dialect.decimal && UNBOUNDED.test(type) ? dialect.decimal(cell) : dialect.double(cell)
    case 'boolean':
      return `CASE WHEN ${cell} THEN ${dialect.number(1)} WHEN NOT ${cell} THEN ${dialect.number(0)} END`
    case 'text':
      return `CASE lower(${dialect.text(cell)}) WHEN 'true' THEN ${dialect.number(1)} WHEN 'false' THEN ${dialect.number(0)} ELSE ${dialect.parsed(dialect.text(cell))} END`
    default:
      throw new HindcastError('bad-option', `Column ${name} has the type ${type}, not numbers.`, {
        remedy: 'Name a column of numbers, or cast it in a query.',
      })
  }
}

/** A cell that says what happened, as a number, also in words: yes and no. */
function outcomeSql(dialect: Dialect, column: SqlColumn): string {
  if (column.kind !== 'text') return numberSql(dialect, column)
  const cell = dialect.text(dialect.identifier(column.name))
  const isAmong = (words: readonly string[]): string =>
    `lower(${cell}) IN (${words.map((word) => dialect.literal(word)).join(', ')})`
  return `CASE WHEN ${isAmong(YES)} THEN ${dialect.number(1)} WHEN ${isAmong(NO)} THEN ${dialect.number(0)} ELSE ${dialect.parsed(cell)} END`
}

/** A cell as a time: a number as it is, a date or time as milliseconds since 1970 UTC. */
function timeSql(dialect: Dialect, column: SqlColumn): string {
  const { name, kind } = column
  const cell = dialect.identifier(name)
  if (kind === 'time' || kind === 'instant' || kind === 'date') return dialect.milliseconds(cell, kind)
  return kind === 'text' ? timeTextSql(dialect, dialect.text(cell)) : numberSql(dialect, column)
}

/** The number of a cell in a value: an empty one may count as another; NaN and infinities do not count. */
function valueCell(
  dialect: Dialect,
  { name, comma, percent, compared, filled }: CellColumn,
  cellOf: (name: string) => SqlColumn,
): string {
  const column = cellOf(name)
  const isText = column.kind === 'text'
  const cell = isText ? dialect.text(dialect.identifier(name)) : dialect.identifier(name)
  const unsigned = percent ? `replace(${cell}, '%', '')` : cell
  const written = comma ? `replace(${unsigned}, ',', '.')` : unsigned
  const computed = (): string => {
    const isNotated = isText && (comma || percent)
    const number = isNotated ? dialect.parsed(`trim(${written})`) : outcomeSql(dialect, column)
    const value = percent ? `${number} / ${dialect.number(100)}` : number
    return `CASE WHEN ${dialect.isNumber(value)} AND abs(${value}) < ${dialect.number(Infinity)} THEN ${value} END`
  }
  const value = compared ? comparedSql(dialect, column, compared) : computed()
  if (filled === undefined) return value
  const empty = ['', ...(compared ? [] : MISSING_WORDS)].map((word) => dialect.literal(word)).join(', ')
  const isEmpty = isText ? `coalesce(${cell}, '') IN (${empty})` : `${cell} IS NULL`
  return `CASE WHEN ${isEmpty} THEN ${dialect.number(filled)} ELSE ${value} END`
}

/** 1 where a cell compares so with a text, 0 where it does not, NULL where it is empty. */
function comparedSql(
  dialect: Dialect,
  column: SqlColumn,
  { relation, text }: NonNullable<CellColumn['compared']>,
): string {
  const label = labelSql(dialect, column)
  const [equal, other] = relation === '=' ? [1, 0] : [0, 1]
  return `CASE WHEN (${label}) = ${dialect.literal(text)} THEN ${dialect.number(equal)} WHEN (${label}) IS NOT NULL THEN ${dialect.number(other)} END`
}
