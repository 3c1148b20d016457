import { availableParallelism } from 'node:os'
import { HindcastError } from '../../error.js'
import { SqlSums, type SqlTable } from '../../estimate/source/sql-sums.js'
import { detect } from '../../log/bytes/detect.js'
import { openParquet } from '../../log/bytes/parquet-source.js'
import { formatOf, planColumns, type ReadOptions } from '../../read/plan.js'
import type { SqlTarget } from '../../sql/weighed-rows.js'
import { DuckDbAnswers, IN_MEMORY } from '../duckdb/duckdb-answers.js'
import { Engine } from '../duckdb/engine.js'
import { parquetRelation, textRelation } from '../duckdb/relation.js'
import { fileInput } from '../file-input.js'
import { findFile } from '../find-file.js'
import { loadCategories } from './item-categories.js'
import { type ItemPredictions, loadPredictions } from './item-predictions.js'
import { loadPolicy, type PolicyOnDisk } from './load-policy.js'

/** How to read a log that stays on disk. */
export interface DuckDbSumsOptions extends Pick<
  ReadOptions,
  | 'format'
  | 'columns'
  | 'labels'
  | 'header'
  | 'propensity'
  | 'clickFrom'
  | 'catalogue'
  | 'progress'
  | 'signal'
> {
  /** A policy in a file is loaded into the engine. */
  target: SqlTarget | PolicyOnDisk
  /** Predictions of a reward model that depends on the item only, instead of columns q and v. */
  model?: ItemPredictions
  /** The category of each item by its id, for mips, snmips and offcem; all items of the log must have one. */
  categories?: ReadonlyMap<string, string>
  /** What the engine may use before it spills to disk (default: 700, or 100 per core if that is more). */
  memoryMegabytes?: number
  /** More clusters than this are summed by bucket (default: two million). */
  mostClusters?: number
}

/** A table on disk, Parquet or text, that DuckDB answers queries about. Call `dispose` when done. */
export interface DuckDbTable {
  readonly answers: DuckDbAnswers
  readonly table: SqlTable
  dispose(): void
}

/** Opens a file, the log of a folder, or standard input (`-`), as `readLogFile` does. */
export async function openDuckDbTable(log: string, options: DuckDbSumsOptions): Promise<DuckDbTable> {
  const format = formatOf(options)
  const file = await findFile(log, format, options.signal)
  const input = await fileInput(file.path, file.name)
  const container = await detect(input, format, options.header)
  if (container.kind === 'text' || (container.kind === 'parquet' && container.gzip))
    throw new HindcastError('bad-file', `${file.name} is not a table that DuckDB can read in place.`, {
      remedy: IN_MEMORY,
    })
  const names = container.kind === 'parquet' ? (await openParquet(input, false)).columns : container.names
  const origins = planColumns(file.name, names, options)
  const engine = await Engine.open(options.memoryMegabytes ?? Math.max(700, 100 * availableParallelism()))
  try {
    const relation =
      container.kind === 'parquet'
        ? await parquetRelation(engine, file.path, origins)
        : textRelation(file.path, container, origins)
    const isInteger = relation.ids.item?.integer !== undefined
    const model = options.model && (await loadPredictions(engine, options.model, isInteger))
    const categories = options.categories && (await loadCategories(engine, options.categories, isInteger))
    const { propensity, catalogue, mostClusters, progress, signal } = options
    const target =
      options.target.kind === 'file'
        ? await loadPolicy({ engine, relation, catalogue }, options.target)
        : options.target
    const watch = { ...(progress && { progress }), ...(signal && { signal }) }
    return {
      answers: new DuckDbAnswers(engine, { file: file.name, ...watch }),
      table: {
        name: file.name,
        relation,
        target,
        propensity,
        clickFrom: options.clickFrom ?? format.clickFrom,
        model,
        ...(categories && { categories }),
        ...(catalogue && { catalogue }),
        ...(mostClusters !== undefined && { mostClusters }),
      },
      dispose: () => engine.dispose(),
    }
  } catch (error) {
    engine.dispose()
    throw error
  }
}

/** Sums over a table on disk, Parquet or text, that need not fit into memory: DuckDB computes them. */
export class DuckDbSums extends SqlSums {
  /** Closes the engine. */
  readonly dispose: () => void

  private constructor({ answers, table, dispose }: DuckDbTable) {
    super(answers, table)
    this.dispose = dispose
  }

  /** Opens a file, the log of a folder, or standard input (`-`), as `readLogFile` does. Call `dispose` when done. */
  static async open(log: string, options: DuckDbSumsOptions): Promise<DuckDbSums> {
    return new DuckDbSums(await openDuckDbTable(log, options))
  }
}
