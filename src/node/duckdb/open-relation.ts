import { HindcastError, throwIfAborted } from '../../error.js'
import type { ColumnOrigins } from '../../log/bad-rows.js'
import type { Container, TextContainer } from '../../log/bytes/detect.js'
import type { IdColumn } from '../../log/columns.js'
import type { ByteInput } from '../../log/bytes/input.js'
import { type OpenParquet, parquetSource, requireSoundPages } from '../../log/bytes/parquet-source.js'
import type { RowFilter } from '../../log/bytes/row-filter.js'
import { textSource } from '../../log/bytes/text-source.js'
import type { Relation } from '../../sql/relation.js'
import type { Engine } from './engine.js'
import { inspectText } from './inspect-text.js'
import { isReadInPlace, parquetRelation, textRelation } from './relation.js'
import { integerIds, loadRows, replaceable } from './rows-from-bytes.js'

/** A file whose columns are known. */
interface KnownFile {
  readonly path: string
  readonly input: ByteInput
  readonly container: Container
  /** The footer of a Parquet file. */
  readonly parquet: OpenParquet | undefined
  readonly origins: ColumnOrigins
  /** Which of its records are read, if not all. */
  readonly filter?: RowFilter | undefined
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
  const { input, container, parquet, origins, filter, view } = known
  const fromBytes = (integers: readonly IdColumn[] = []): Promise<Relation> => {
    const source = parquet
      ? parquetSource(parquet, origins, filter)
      : textSource(input, container as TextContainer, origins, filter)
    return loadRows(engine, source, origins, { signal, view, integers })
  }
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
