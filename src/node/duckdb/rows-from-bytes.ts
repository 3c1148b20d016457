import type { DuckDBType, DuckDBValue } from '@duckdb/node-api'
import { badRowsError, type ColumnOrigins } from '../../log/bad-rows.js'
import {
  furtherName,
  ID_COLUMNS,
  type IdColumn,
  isFurtherColumn,
  isKeyColumn,
  isLabelColumn,
  labelName,
  NUMBER_COLUMNS,
} from '../../log/columns.js'
import type { BrokenCell } from '../../log/rules.js'
import { type Batch, MISSING, type RowSource } from '../../log/source.js'
import type { IdExpressions, Relation } from '../../sql/relation.js'
import type { Engine } from './engine.js'
import { HindcastError, throwIfAborted } from '../../error.js'
import { type OpenParquet, requireSoundPages } from '../../log/bytes/parquet-source.js'
import { type PlannedFile, rowsOf } from '../../read/plan.js'
import { inspectText } from './inspect-text.js'
import { isReadInPlace, parquetRelation, textRelation } from './relation.js'

/** What queries select from, unless it has another name: a file, or its rows as they were read from its bytes. */
const VIEW = 'impressions'
/** As many rows as the engine takes at a time. */
const CHUNK = 2048

/** The columns of a log as those of a table, with what each is in the engine. */
const columnsOf = (
  origins: ColumnOrigins,
): { name: string; column: string; type: 'VARCHAR' | 'DOUBLE' }[] => [
  ...ID_COLUMNS.filter((column) => origins[column]).map((column) => ({
    name: `${column}_text`,
    column,
    type: 'VARCHAR' as const,
  })),
  ...NUMBER_COLUMNS.filter((column) => origins[column]).map((column) => ({
    name: `${column}_number`,
    column,
    type: 'DOUBLE' as const,
  })),
  ...Object.keys(origins)
    .filter(isLabelColumn)
    .map((column, k) => ({ name: `label_${k}`, column, type: 'VARCHAR' as const })),
  ...Object.keys(origins)
    .filter(isFurtherColumn)
    .map((column, k) => ({ name: `further_${k}`, column, type: 'DOUBLE' as const })),
  ...Object.keys(origins)
    .filter(isKeyColumn)
    .map((column) => ({ name: column.replace(':', '_'), column, type: 'VARCHAR' as const })),
]

/** The columns of a log over a relation, and the place of each row, named as in a view or a table of them. */
export function namedColumns(relation: Relation, origins: ColumnOrigins): string[] {
  const { place, ids, numbers, labels, further, keys } = viewRelation(origins)
  return [
    `${relation.place} AS ${place}`,
    ...Object.entries(ids).map(([column, { text }]) => `${relation.ids[column as 'user']!.text} AS ${text}`),
    ...Object.entries(numbers).map(([column, name]) => `${relation.numbers[column as 'reward']!} AS ${name}`),
    ...Object.entries(labels!).map(([label, name]) => `${relation.labels![label]!} AS ${name}`),
    ...Object.entries(further!).map(([column, name]) => `${relation.further![column]!} AS ${name}`),
    ...Object.entries(keys!).map(([column, name]) => `${relation.keys![column as 'key:item']!} AS ${name}`),
  ]
}

/** A relation whose rows can be replaced by those of `loadRows`, while queries stay the same. */
async function replaceable(
  engine: Engine,
  relation: Relation,
  origins: ColumnOrigins,
  view = VIEW,
): Promise<Relation> {
  const integers = integerIds(relation)
  const selected = [
    ...namedColumns(relation, origins),
    ...integers.map((column) => `${relation.ids[column]!.integer} AS ${column}_integer`),
  ]
  await engine.connection.run(
    `CREATE OR REPLACE TEMP VIEW ${view} AS SELECT ${selected.join(', ')} FROM ${relation.from}`,
  )
  return viewRelation(origins, { view, integers })
}

/** The columns of ids that are whole numbers, all of them. */
const integerIds = ({ ids }: Relation): IdColumn[] =>
  ID_COLUMNS.filter((column) => ids[column]?.integer !== undefined)

interface LoadOptions {
  readonly signal?: AbortSignal | undefined
  readonly view?: string | undefined
  /** The columns of ids that queries expect as whole numbers too. */
  readonly integers?: readonly IdColumn[]
}

/**
 * Rows that the engine cannot parse, read from their bytes into a table of the engine, which may spill to disk. Rows that
 * cannot be read at all are the error that a log in memory gives.
 */
export async function loadRows(
  engine: Engine,
  source: RowSource,
  origins: ColumnOrigins,
  { signal, view = VIEW, integers = [] }: LoadOptions = {},
): Promise<Relation> {
  const { DOUBLE, DuckDBDataChunk, VARCHAR } = await import('@duckdb/node-api')
  const columns = columnsOf(origins)
  const { connection } = engine
  const declared = columns.map(({ name, type }) => `${name} ${type}`).join(', ')
  const table = `${view}_from_bytes`
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${table} (${declared})`)
  const appender = await connection.createAppender(table, undefined, 'temp')
  const types: DuckDBType[] = columns.map(({ type }) => (type === 'DOUBLE' ? DOUBLE : VARCHAR))
  const broken: BrokenCell[] = []
  let rows = 0
  try {
    for await (const batch of source.batches(signal)) {
      for (const [row, structure] of batch.broken ?? [])
        broken.push({ row: rows + row, column: undefined, structure })
      rows += batch.rows
      if (broken.length > 0) continue
      for (let start = 0; start < batch.rows; start += CHUNK) {
        const end = Math.min(batch.rows, start + CHUNK)
        const chunk = DuckDBDataChunk.create(types, end - start)
        columns.forEach(({ column }, k) =>
          chunk.setColumnValues(k, valuesOf(source, batch, column, start, end)),
        )
        appender.appendDataChunk(chunk)
      }
    }
  } finally {
    appender.closeSync()
  }
  if (broken.length > 0) throw await badRowsError(source, origins, broken, broken.length)
  const numbered = integers.map((column) => `TRY_CAST(${column}_text AS HUGEINT) AS ${column}_integer`)
  await connection.run(
    `CREATE OR REPLACE TEMP VIEW ${view} AS SELECT ${['rowid AS place', '*', ...numbered].join(', ')} FROM ${table}`,
  )
  return viewRelation(origins, { view, integers })
}

function valuesOf(
  source: RowSource,
  batch: Batch,
  column: string,
  start: number,
  end: number,
): DuckDBValue[] {
  const texts = batch.keys?.[column as 'key:item']
  if (texts) return texts.slice(start, end).map((text) => text ?? null)
  const codes = batch.ids[column as 'user']
  if (!codes) return Array.from(batch.numbers[column as 'reward']!.subarray(start, end))
  return Array.from(codes.subarray(start, end), (code) =>
    code === MISSING ? null : source.idText(column as 'user', code),
  )
}

/** The columns of a log in a view or a table of them. */
export function viewRelation(
  origins: ColumnOrigins,
  { view = VIEW, integers = [] }: Pick<LoadOptions, 'view' | 'integers'> = {},
): Relation {
  const ids: Record<string, IdExpressions> = {}
  const numbers: Record<string, string> = {}
  const labels: Record<string, string> = {}
  const further: Record<string, string> = {}
  const keys: Record<string, string> = {}
  for (const { name, column, type } of columnsOf(origins))
    if (isLabelColumn(column)) labels[labelName(column)] = name
    else if (isKeyColumn(column)) keys[column] = name
    else if (isFurtherColumn(column)) further[furtherName(column)] = name
    else if (type === 'DOUBLE') numbers[column] = name
    else
      ids[column] = {
        text: name,
        ...(integers.includes(column as IdColumn) && { integer: `${column}_integer` }),
      }
  return { from: view, place: 'place', ids, numbers, labels, further, keys }
}

/** A file whose columns are known. */
interface KnownFile extends PlannedFile {
  readonly path: string
  /** What the engine calls its rows. */
  readonly view?: string
}

/** Rows that an engine can be asked about. */
interface OpenRelation {
  readonly relation: Relation
  /** Reads the rows from their bytes, should the engine turn out not to be able to parse them. */
  readonly instead?: () => Promise<unknown>
}

/**
 * The rows of a file for an engine: in place where it can parse them, else read from their bytes into the engine, so that
 * it finds the rows that every other reader finds.
 */
export async function openRelation(
  engine: Engine,
  known: KnownFile,
  signal?: AbortSignal,
): Promise<OpenRelation> {
  const { container, parquet, origins, view } = known
  const fromBytes = async (integers: readonly IdColumn[] = []): Promise<Relation> =>
    loadRows(engine, await rowsOf(known), origins, { signal, view, integers })
  if (!isReadInPlace(container)) return { relation: await fromBytes() }
  try {
    const file = parquet ? await soundRelation(engine, known, parquet) : await plainRelation(known, signal)
    if (file) {
      const relation = await replaceable(engine, file, origins, view)
      return { relation, instead: () => fromBytes(integerIds(relation)) }
    }
  } catch (error) {
    throwIfAborted(signal)
    if (error instanceof HindcastError) throw error
  }
  return { relation: await fromBytes() }
}

/** A Parquet file in place, once its pages were checked. */
async function soundRelation(
  engine: Engine,
  { path, origins, filter }: KnownFile,
  parquet: OpenParquet,
): Promise<Relation> {
  await requireSoundPages(parquet, origins)
  return parquetRelation(engine, path, parquet.columns, origins, parquet.shape, filter)
}

/** A text table in place; undefined where the engine would read other rows. */
async function plainRelation(
  { path, input, container, origins, filter }: KnownFile,
  signal: AbortSignal | undefined,
): Promise<Relation | undefined> {
  if (container.kind !== 'delimited' && container.kind !== 'ndjson') return undefined
  const isPlain = await inspectText(input, container, signal)
  return isPlain ? textRelation(path, container, origins, filter) : undefined
}
