import { HindcastError, throwIfAborted } from '../../error.js'
import type { ColumnOrigins } from '../../log/bad-rows.js'
import type { Container, TextContainer } from '../../log/bytes/detect.js'
import type { ByteInput } from '../../log/bytes/input.js'
import { type OpenParquet, parquetSource, requireSoundPages } from '../../log/bytes/parquet-source.js'
import type { RowFilter } from '../../log/bytes/row-filter.js'
import { textSource } from '../../log/bytes/text-source.js'
import type { Relation } from '../../sql/relation.js'
import type { Engine } from './engine.js'
import { inspectText } from './inspect-text.js'
import { parquetRelation, textRelation } from './relation.js'
import { loadRows, replaceable } from './rows-from-bytes.js'

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
  { path, input, container, parquet, origins, filter, view }: KnownFile,
  signal?: AbortSignal,
): Promise<OpenRelation> {
  const fromBytes = (): Promise<Relation> => {
    const source = parquet
      ? parquetSource(parquet, origins, filter)
      : textSource(input, container as TextContainer, origins, filter)
    return loadRows(engine, source, origins, signal, view)
  }
  if (container.gzip && parquet) return { relation: await fromBytes() }
  try {
    if (parquet) {
      await requireSoundPages(parquet, origins)
      return {
        relation: await parquetRelation(engine, path, parquet.columns, origins, parquet.shape, filter),
      }
    }
    if (container.kind === 'delimited' || container.kind === 'ndjson') {
      const isPlain = await inspectText(input, container, signal)
      const relation = await replaceable(
        engine,
        textRelation(path, container, origins, filter),
        origins,
        view,
      )
      if (isPlain) return { relation, instead: fromBytes }
    }
  } catch (error) {
    throwIfAborted(signal)
    if (error instanceof HindcastError) throw error
  }
  return { relation: await fromBytes() }
}
