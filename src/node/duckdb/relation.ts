import type { ColumnOrigins } from '../../log/bad-rows.js'
import type { Container } from '../../log/bytes/detect.js'
import {
  ID_COLUMNS,
  type IdColumn,
  isLabelColumn,
  labelName,
  NUMBER_COLUMNS,
  type NumberColumn,
} from '../../log/columns.js'
import { literal, quoted } from '../../sql/dialect.js'
import type { IdExpressions, Relation } from '../../sql/relation.js'
import type { Engine } from './engine.js'
import {
  type CellKind,
  idExpression,
  kindOfType,
  labelExpression,
  numberExpression,
  timeExpression,
} from './expressions.js'
import { fileLiteral } from './file-name.js'

/** A Parquet file, read in place. */
export async function parquetRelation(
  engine: Engine,
  path: string,
  origins: ColumnOrigins,
): Promise<Relation> {
  const from = `read_parquet(${fileLiteral(path)}, file_row_number = true, hive_partitioning = false)`
  const described = await engine.connection.runAndReadAll(`DESCRIBE SELECT * FROM ${from}`)
  const kinds = new Map(described.getRows().map(([name, type]) => [String(name), kindOfType(String(type))]))
  const cellOf = (name: string): Cell => ({ name, kind: kinds.get(name)! })
  const ids: Partial<Record<IdColumn, IdExpressions>> = {}
  for (const [column, cells] of originCells(ID_COLUMNS, origins, cellOf)) {
    const isInteger = cells.length === 1 && cells[0]!.kind === 'integer'
    ids[column] = { text: idText(cells), ...(isInteger && { integer: quoted(cells[0]!.name) }) }
  }
  return {
    from,
    place: 'file_row_number',
    ids,
    numbers: numberExpressions(origins, cellOf),
    labels: labelExpressions(origins, cellOf),
  }
}

/** A text table. */
export type TextTable = Container & { kind: 'delimited' | 'ndjson' }

/** A text table, read in place: nothing is stored, and every query parses all cells again. */
export function textRelation(path: string, container: TextTable, origins: ColumnOrigins): Relation {
  const isJson = container.kind === 'ndjson'
  // The engine calls columns c0, c1, …, so that odd names in the file do no harm.
  const cellOf = (name: string): Cell =>
    isJson ? { name, kind: 'json' } : { name: `c${container.names.indexOf(name)}`, kind: 'text' }
  const ids = originCells(ID_COLUMNS, origins, cellOf).map(([column, cells]) => [
    column,
    { text: idText(cells) },
  ])
  return {
    from: readText(path, container),
    place: '(row_number() OVER () - 1)',
    ids: Object.fromEntries(ids),
    numbers: numberExpressions(origins, cellOf),
    labels: labelExpressions(origins, cellOf),
  }
}

/**
 * A text table, parsed into the engine. Ids that are whole numbers are stored as such, which is smaller
 * and faster than text; an id like 007, which would change as a number, stays text.
 */
export async function loadText(
  engine: Engine,
  path: string,
  container: TextTable,
  origins: ColumnOrigins,
): Promise<Relation> {
  const file = textRelation(path, container, origins)
  const ids = Object.entries(file.ids).map(([column, { text }]) => ({ column, text }))
  const numbers = Object.entries(file.numbers)
  const labels = Object.entries(file.labels ?? {})
  const selected = [
    ...ids.flatMap(({ column, text }) => [
      `TRY_CAST(${text} AS BIGINT) AS ${column}_integer`,
      `CASE WHEN ${column}_integer::VARCHAR = ${text} THEN NULL ELSE ${text} END AS ${column}_text`,
    ]),
    ...numbers.map(([column, expression]) => `${expression} AS ${column}_number`),
    ...labels.map(([, expression], k) => `${expression} AS label_${k}`),
  ]
  await engine.connection.run(`CREATE TEMP TABLE parsed AS SELECT ${selected.join(', ')} FROM ${file.from}`)
  const texts = await engine.connection.runAndReadAll(
    `SELECT ${ids.map(({ column }) => `count(${column}_text)`).join(', ')} FROM parsed`,
  )
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
  }
}

function readText(path: string, container: TextTable): string {
  // The names of folders are not columns.
  const common = `hive_partitioning = false, compression = ${literal(container.gzip ? 'gzip' : 'uncompressed')}`
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

/** The cells behind each of these columns of the log, as far as the file has them. */
function originCells<Column extends IdColumn | NumberColumn>(
  columns: readonly Column[],
  origins: ColumnOrigins,
  cellOf: (name: string) => Cell,
): [Column, Cell[]][] {
  return columns.flatMap((column) => (origins[column] ? [[column, origins[column].map(cellOf)]] : []))
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

function numberExpressions(
  origins: ColumnOrigins,
  cellOf: (name: string) => Cell,
): Partial<Record<NumberColumn, string>> {
  const expressions: Partial<Record<NumberColumn, string>> = {}
  for (const [column, [cell]] of originCells(NUMBER_COLUMNS, origins, cellOf))
    expressions[column] = (column === 'time' ? timeExpression : numberExpression)(cell!.name, cell!.kind)
  return expressions
}
