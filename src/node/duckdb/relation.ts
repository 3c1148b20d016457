import type { ColumnOrigins } from '../../log/bad-rows.js'
import type { Container } from '../../log/bytes/detect.js'
import {
  furtherName,
  ID_COLUMNS,
  type IdColumn,
  isFurtherColumn,
  isKeyColumn,
  isLabelColumn,
  type KeyColumn,
  labelName,
  NUMBER_COLUMNS,
  type NumberColumn,
} from '../../log/columns.js'
import type { RowFilter } from '../../log/bytes/shaped-rows.js'
import { FLAT, holdsPages, namesOfOrigins, pathNamed, type Shape } from '../../log/shape.js'
import { originOf } from '../../log/values/origin.js'
import { literal, quoted } from '../../sql/dialect.js'
import { duckdb } from '../../sql/dialects/duckdb.js'
import type { IdExpressions, Relation } from '../../sql/relation.js'
import { type Engine, fileLiteral } from './engine.js'
import {
  type CellKind,
  comparedExpression,
  emptyExpression,
  idExpression,
  kindOfType,
  labelExpression,
  notatedExpression,
  numberExpression,
  outcomeExpression,
  timeExpression,
} from './expressions.js'
import { type FileRelation, openedPath, shapedRelation } from './shaped-relation.js'
import { ValueSteps } from './value-steps.js'

const ROW_NUMBER = 'file_row_number'

/** A Parquet file with these columns, read in place; of the records that a filter keeps, where there is one. */
export async function parquetRelation(
  engine: Engine,
  path: string,
  columns: readonly string[],
  origins: ColumnOrigins,
  shape: Shape = FLAT,
  filter?: RowFilter,
): Promise<EngineRelation> {
  // The engine does not number the rows of a file with a column of that name; they are numbered before any join.
  const isNumbered = !columns.some((name) => name.toLowerCase() === ROW_NUMBER)
  const number = isNumbered ? ROW_NUMBER : quoted(unusedName(columns))
  const rows = `read_parquet(${fileLiteral(path)}, file_row_number = ${isNumbered}, binary_as_string = true, hive_partitioning = false)`
  const all = isNumbered ? rows : `(SELECT *, row_number() OVER () - 1 AS ${number} FROM ${rows})`
  const types = await typesOf(engine, `SELECT * FROM ${all}`)
  // By their places: the engine renames columns whose names differ in case alone.
  const described = [...types].map(([name, type]) => ({ name, type }))
  const columnOf = (name: string): { name: string; type: string } => described[columns.indexOf(name)]!
  const opened = { names: columns, shape, columnOf }
  const file = filtered(all, opened, filter)
  const shaped = shapedRelation(
    {
      ...opened,
      from: file,
      number: `(${number} + 1)`,
      elementKind: await elementKinds(engine, file, opened, origins),
    },
    origins,
  )
  const from = shaped?.from ?? file
  const kinds = shaped ? await typesOf(engine, `SELECT * FROM ${from}`) : types
  const cellOf = (name: string): Cell => {
    const column = shaped?.columns.get(name) ?? columnOf(name).name
    return { name: column, kind: kindOfType(kinds.get(column)!) }
  }
  const ids: Partial<Record<IdColumn, IdExpressions>> = {}
  for (const [column, cells] of originCells(origins, cellOf)) {
    const isInteger = cells.length === 1 && cells[0]!.kind === 'integer'
    ids[column] = { text: idText(cells), ...(isInteger && { integer: quoted(cells[0]!.name) }) }
  }
  return {
    place: shaped?.place ?? number,
    ids,
    labels: labelExpressions(origins, cellOf),
    further: furtherExpressions(origins, cellOf),
    keys: keyExpressions(origins, cellOf),
    ...withNumbers(from, origins, namesOfOrigins(opened, origins), cellOf),
    ...(shaped?.whole !== undefined && { whole: shaped.whole }),
  }
}

/** A name that no column has, in any case of its letters. */
function unusedName(columns: readonly string[]): string {
  const taken = new Set(columns.map((name) => name.toLowerCase()))
  let name = 'row number'
  while (taken.has(name)) name += ' of the file'
  return name
}

/** The kinds of the elements of the lists of a Parquet file, as DuckDB types them. */
async function elementKinds(
  engine: Engine,
  file: string,
  about: Pick<FileRelation, 'names' | 'shape' | 'columnOf'>,
  origins: ColumnOrigins,
): Promise<FileRelation['elementKind']> {
  if (!holdsPages(origins, about)) return () => 'other'
  const lists = [...about.shape.paths.values()].filter(({ listAt }) => listAt !== undefined)
  const opened = lists.map((list, k) => `${openedPath(about, list)} AS list_${k}`)
  const types = await typesOf(engine, `SELECT ${opened.join(', ')} FROM ${file}`)
  return (list) => kindOfType(types.get(`list_${lists.indexOf(list)}`)!.replace(/\[\]$/, ''))
}

async function typesOf(engine: Engine, query: string): Promise<Map<string, string>> {
  const described = await engine.connection.runAndReadAll(`DESCRIBE ${query}`)
  return new Map(described.getRows().map(([name, type]) => [String(name), String(type)]))
}

/** A relation in DuckDB; `whole` is false for a row that stands for a page that cannot be read. */
export interface EngineRelation extends Relation {
  readonly whole?: string
}

/** A text table. */
export type TextTable = Container & { kind: 'delimited' | 'ndjson' }

/** Whether the engine can parse a file as it is: it opens what one tool compressed, but no Parquet inside. */
export const isReadInPlace = ({ kind, wraps }: Container): boolean =>
  wraps.length === 0 ||
  (kind !== 'parquet' && wraps.length === 1 && (wraps[0] === 'gzip' || wraps[0] === 'zstd'))

/** A text table, read in place: nothing is stored, and every query parses all cells again. */
export function textRelation(
  path: string,
  container: TextTable,
  origins: ColumnOrigins,
  filter?: RowFilter,
): EngineRelation {
  const isJson = container.kind === 'ndjson'
  // The engine calls columns c0, c1, …, so that odd names in the file do no harm.
  const nameOf = (name: string): string => (isJson ? name : `c${container.names.indexOf(name)}`)
  const columnOf = (name: string): { name: string; type: string } => ({
    name: nameOf(name),
    type: isJson ? 'JSON' : 'VARCHAR',
  })
  const file = filtered(readText(path, container), { shape: container.shape, columnOf }, filter)
  const shaped = shapedRelation(
    {
      names: container.names,
      shape: container.shape,
      from: file,
      number: 'row_number() OVER ()',
      columnOf,
      elementKind: () => 'json',
    },
    origins,
  )
  const cellOf = (name: string): Cell => {
    const column = shaped?.columns.get(name)
    if (column === undefined) return { name: nameOf(name), kind: isJson ? 'json' : 'text' }
    return { name: column, kind: shaped!.kinds.get(name) ?? 'json' }
  }
  const ids = originCells(origins, cellOf).map(([column, cells]) => [column, { text: idText(cells) }])
  return {
    place: shaped?.place ?? '(row_number() OVER () - 1)',
    ids: Object.fromEntries(ids),
    labels: labelExpressions(origins, cellOf),
    further: furtherExpressions(origins, cellOf),
    keys: keyExpressions(origins, cellOf),
    ...withNumbers(shaped?.from ?? file, origins, namesOfOrigins(container, origins), cellOf),
    ...(shaped?.whole !== undefined && { whole: shaped.whole }),
  }
}

/**
 * A text table, or the rows of pages, parsed into the engine. Ids that are whole numbers are stored as such, which is
 * smaller and faster than text; an id like 007, which would change as a number, stays text. A page that cannot be read
 * is an error: the byte reader names its record.
 */
export async function loaded(engine: Engine, file: EngineRelation): Promise<Relation> {
  const { whole = 'true' } = file
  const ids = Object.entries(file.ids).map(([column, { text }]) => ({ column, text }))
  const numbers = Object.entries(file.numbers)
  const labels = Object.entries(file.labels ?? {})
  const further = Object.entries(file.further ?? {})
  const selected = [
    ...ids.flatMap(({ column, text }) => [
      `TRY_CAST(${text} AS BIGINT) AS ${column}_integer`,
      `CASE WHEN ${column}_integer::VARCHAR = ${text} THEN NULL ELSE ${text} END AS ${column}_text`,
    ]),
    ...numbers.map(([column, expression]) => `${expression} AS ${column}_number`),
    ...labels.map(([, expression], k) => `${expression} AS label_${k}`),
    ...further.map(([, expression], k) => `${expression} AS further_${k}`),
    `${whole} AS is_whole`,
  ]
  await engine.connection.run(`CREATE TEMP TABLE parsed AS SELECT ${selected.join(', ')} FROM ${file.from}`)
  const texts = await engine.connection.runAndReadAll(
    `SELECT ${ids.map(({ column }) => `count(${column}_text)`).join(', ')}, count(*) FILTER (NOT is_whole) FROM parsed`,
  )
  if (Number(texts.getRows()[0]![ids.length]) > 0) throw new Error('Some pages cannot be read.')
  return {
    from: 'parsed',
    place: 'parsed.rowid',
    ids: Object.fromEntries(
      ids.map(({ column }, k) => [
        column,
        {
          text: `coalesce(${column}_text, ${column}_integer::VARCHAR)`,
          ...(Number(texts.getRows()[0]![k]) === 0 && { integer: `${column}_integer` }),
        },
      ]),
    ),
    numbers: Object.fromEntries(numbers.map(([column]) => [column, `${column}_number`])),
    labels: Object.fromEntries(labels.map(([name], k) => [name, `label_${k}`])),
    further: Object.fromEntries(further.map(([name], k) => [name, `further_${k}`])),
  }
}

function readText(path: string, container: TextTable): string {
  // The names of folders are not columns.
  const common = `hive_partitioning = false, compression = ${literal(container.wraps[0] ?? 'uncompressed')}`
  if (container.kind === 'ndjson') {
    const types = container.names.map((name) => `${literal(name)}: 'JSON'`).join(', ')
    return `read_json(${fileLiteral(path)}, format = 'newline_delimited', records = true, columns = {${types}}, ${common})`
  }
  const types = container.names.map((_, k) => `'c${k}': 'VARCHAR'`).join(', ')
  return `read_csv(${fileLiteral(path)}, auto_detect = false, header = false, skip = ${container.headerLines},
    delim = ${literal(container.delimiter)}, quote = '"', escape = '"', columns = {${types}}, ${common})`
}

interface Cell {
  readonly name: string
  readonly kind: CellKind
}

/** The cells behind each column of ids, as far as the file has them. */
function originCells(origins: ColumnOrigins, cellOf: (name: string) => Cell): [IdColumn, Cell[]][] {
  return ID_COLUMNS.flatMap((column) => (origins[column] ? [[column, origins[column].map(cellOf)]] : []))
}

/** Several cells form one id only if none is missing: otherwise || gives NULL. */
const idText = (cells: readonly Cell[]): string =>
  cells.map(({ name, kind }) => `(${idExpression(name, kind)})`).join(` || '|' || `)

function labelExpressions(
  origins: ColumnOrigins,
  cellOf: (name: string) => Cell,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.keys(origins)
      .filter(isLabelColumn)
      .map((column) => {
        const { name, kind } = cellOf(labelName(column))
        return [labelName(column), labelExpression(name, kind)]
      }),
  )
}

const keyExpressions = (
  origins: ColumnOrigins,
  cellOf: (name: string) => Cell,
): Readonly<Partial<Record<KeyColumn, string>>> =>
  Object.fromEntries(
    Object.keys(origins)
      .filter(isKeyColumn)
      .map((column) => [column, idText([cellOf(origins[column]![0]!)])]),
  )

/** The records of a file with one of some values in a column, or behind a path. */
function filtered(
  file: string,
  about: Pick<FileRelation, 'shape' | 'columnOf'>,
  filter: RowFilter | undefined,
): string {
  if (!filter) return file
  const { column, values } = filter
  const path = pathNamed(column, about.shape)
  const wanted = values.map(literal).join(', ')
  if (path && path.keys.length > 0) {
    const kind = labelExpression('kind of event', 'json')
    const opened = `SELECT *, to_json(${openedPath(about, path)}) AS "kind of event" FROM ${file}`
    return `(SELECT * EXCLUDE ("kind of event") FROM (${opened}) WHERE ${kind} IN (${wanted}))`
  }
  const { name, type } = about.columnOf(column)
  return `(SELECT * FROM ${file} WHERE ${labelExpression(name, kindOfType(type))} IN (${wanted}))`
}

function furtherExpressions(
  origins: ColumnOrigins,
  cellOf: (name: string) => Cell,
): Readonly<Record<string, string>> {
  const names = Object.keys(origins).filter(isFurtherColumn).map(furtherName)
  return Object.fromEntries(
    names.map((column) => {
      const { name, kind } = cellOf(column)
      return [column, numberExpression(name, kind)]
    }),
  )
}

const expressionFor = (column: NumberColumn): typeof numberExpression =>
  column === 'time' ? timeExpression : column === 'reward' ? outcomeExpression : numberExpression

/** The numbers of the log as expressions, over a relation with the steps of those that are computed. */
function withNumbers(
  from: string,
  origins: ColumnOrigins,
  names: readonly string[],
  cellOf: (name: string) => Cell,
): Pick<Relation, 'from' | 'numbers'> {
  const steps = new ValueSteps(names, ({ name, comma, percent, compared, filled }) => {
    const cell = cellOf(name)
    const value = compared
      ? comparedExpression(cell.name, cell.kind, compared)
      : comma || percent
        ? notatedExpression(cell.name, cell.kind, { comma, percent })
        : outcomeExpression(cell.name, cell.kind)
    if (filled === undefined) return value
    return `CASE WHEN ${emptyExpression(cell.name, cell.kind, compared ? [] : undefined)} THEN ${duckdb.number(filled)} ELSE ${value} END`
  })
  const numbers: Partial<Record<NumberColumn, string>> = {}
  for (const column of NUMBER_COLUMNS) {
    const [text] = origins[column] ?? []
    if (text === undefined) continue
    const origin = originOf(text, names, column)
    if (origin.kind === 'value') numbers[column] = steps.add(origin.value)
    else {
      const { name, kind } = cellOf(origin.name)
      numbers[column] = expressionFor(column)(name, kind)
    }
  }
  return { from: steps.around(from), numbers }
}
