import { availableParallelism } from 'node:os'
import { advice, set } from '../../advice.js'
import { HindcastError, throwIfAborted } from '../../error.js'
import type { LoggersChoice } from '../../estimate/loggers/loggers-choice.js'
import type { SlatePropensities } from '../../estimate/slate/slate-term.js'
import { sqlSums } from '../../estimate/source/sql-sums.js'
import type { SumSource } from '../../estimate/source/source.js'
import type { SqlRewards, SqlTable } from '../../estimate/source/sql-table.js'
import type { ColumnOrigins } from '../../log/bad-rows.js'
import { type TextContainer, detect } from '../../log/bytes/detect.js'
import { parquetSource } from '../../log/bytes/parquet-source.js'
import { textSource } from '../../log/bytes/text-source.js'
import { type JoinFacts, joinText } from '../../log/join/join-facts.js'
import type { LogParts } from '../../log/join/join-options.js'
import type { RowSource } from '../../log/source.js'
import { planLogColumns } from '../../read/notations.js'
import { type ReadOptions, formatOf, openNamed } from '../../read/plan.js'
import { planJoin, withBetterColumns } from '../../read/read-joined.js'
import type { Relation } from '../../sql/relation.js'
import type { SqlTarget } from '../../sql/weighed-rows.js'
import { DuckDbAnswers, IN_MEMORY } from '../duckdb/duckdb-answers.js'
import { Engine, EngineMissing, firstLine, noRoom, shortageOf } from '../duckdb/engine.js'
import { joinedRelation } from '../duckdb/joined-relation.js'
import { loadRows, openRelation } from '../duckdb/rows-from-bytes.js'
import { type UnchangedCheck, fileInput, unchangedCheck } from '../file-input.js'
import { type FoundFile, findFiles } from '../find-file.js'
import { openMatched } from '../open-parts.js'
import { openParts } from '../open-parts.js'
import { loadCategories } from './item-categories.js'
import { type ItemPredictions, loadPredictions } from './item-predictions.js'
import { type PolicyOnDisk, loadPolicy } from './load-policy.js'
import { withLoggers } from './with-loggers.js'

/** How to read a log that stays on disk. */
export interface DuckDbSumsOptions extends Pick<
  ReadOptions,
  | 'format'
  | 'columns'
  | 'labels'
  | 'header'
  | 'join'
  | 'onNote'
  | 'propensity'
  | 'clickFrom'
  | 'catalogue'
  | 'onNote'
  | 'progress'
  | 'signal'
> {
  /** The name is a pattern: all files that match it are one log. Their rows are put into the engine. */
  glob?: boolean
  /** A policy in a file is loaded into the engine. */
  target: SqlTarget | PolicyOnDisk
  /** Predictions of a reward model that depends on the item only, instead of columns q and v. */
  model?: ItemPredictions
  /** How rewards are predicted without columns q and v and without a `model` (default: item means, seed 0). */
  rewards?: SqlRewards
  /** The category of each item by its id, for mips, snmips and offcem; all items of the log must have one. */
  categories?: ReadonlyMap<string, string>
  /** What the engine may use before it spills to disk (default: 700, or 100 per core if that is more). */
  memoryMegabytes?: number
  /** More clusters than this are summed by bucket (default: 65,536). */
  mostClusters?: number
  /** Which column names the logger of each row, and which have the probabilities of all loggers. */
  loggers?: LoggersChoice
  /** Which kind of propensities pages have (default: as the log shows). */
  slatePropensities?: SlatePropensities
}

/** A table on disk, Parquet or text, that DuckDB answers queries about. Call `dispose` when done. */
export interface DuckDbTable {
  readonly engine: DuckDbAnswers
  readonly table: SqlTable
  dispose(): void
}

/** The rows of a log in an engine. */
interface OpenRows {
  readonly engine: Engine
  readonly relation: Relation
  readonly name: string
  readonly unchanged: UnchangedCheck
  readonly instead?: () => Promise<unknown>
  readonly join?: JoinFacts
  /** Where its rows are looked up; not those of a join. */
  readonly file?: SqlTable['file']
}

/** Opens a file, the log of a folder, or standard input (`-`), or decisions and outcomes, as `readLogFile` does. */
export async function openDuckDbTable(
  log: string | LogParts<string>,
  options: DuckDbSumsOptions,
): Promise<DuckDbTable> {
  const rows = typeof log === 'string' ? await openRows(log, options) : await openJoined(log, options)
  return tableOf(rows, options)
}

/** What the engine may use; a join leaves more to what parses its files, so that the whole stays below a gigabyte. */
const [MEGABYTES, MEGABYTES_FOR_JOIN] = [700, 600]

const openEngine = (
  files: readonly string[],
  name: string,
  { memoryMegabytes }: DuckDbSumsOptions,
): Promise<Engine> =>
  Engine.open({
    files,
    memoryMegabytes:
      memoryMegabytes ??
      Math.max(files.length > 1 ? MEGABYTES_FOR_JOIN : MEGABYTES, 100 * availableParallelism()),
  }).catch((cause: unknown) => {
    throw cause instanceof EngineMissing ? notInPlace(name, cause) : cause
  })

async function openRows(log: string, options: DuckDbSumsOptions): Promise<OpenRows> {
  const format = formatOf(options)
  const files = await findFiles(log, format, options)
  const { name, unchanged, file, open } = await opener(log, files, withLoggers(options))
  const engine = await openEngine(
    files.map(({ path }) => path),
    name,
    options,
  )
  const { relation, instead } = await closedOnError(engine, () => open(engine))
  return { engine, relation, name, unchanged, file, ...(instead && { instead }) }
}

/** The rows of decisions with the rewards of their outcomes, joined in the engine. */
async function openJoined(log: LogParts<string>, options: DuckDbSumsOptions): Promise<OpenRows> {
  const { paths, inputs, unchanged } = await openParts(log, formatOf(options), options.signal)
  const planned = withLoggers(options)
  const plan = await planJoin(inputs, planned)
  const { name } = plan.decisions.input
  const files = [...new Set([paths.decisions, paths.outcomes])]
  const engine = await openEngine(files, name, options)
  return closedOnError(engine, async () => {
    try {
      const { join = {}, signal } = options
      const { relation, facts } = await joinedRelation(engine, plan, paths, join, signal)
      const told = await withBetterColumns(facts, plan, planned)
      options.onNote?.(joinText(told))
      return { engine, relation, name, unchanged, join: told }
    } catch (cause) {
      throwIfAborted(options.signal)
      await unchanged()
      if (cause instanceof HindcastError) throw cause
      const shortage = shortageOf(cause)
      throw shortage ? noRoom(name, shortage, cause) : damagedJoin(name, cause)
    }
  })
}

const damagedJoin = (name: string, cause: unknown): HindcastError =>
  new HindcastError('bad-file', `${name} and its outcomes cannot be joined in place: ${firstLine(cause)}`, {
    remedy: IN_MEMORY,
    cause,
  })

async function closedOnError<T>(engine: Engine, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    engine.dispose()
    throw error
  }
}

function tableOf(rows: OpenRows, options: DuckDbSumsOptions): Promise<DuckDbTable> {
  const { engine, relation, name, unchanged, instead, join, file } = rows
  return closedOnError(engine, async () => {
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
      engine: new DuckDbAnswers(engine, {
        file: name,
        unchanged,
        ...watch,
        ...(instead && { instead }),
      }),
      table: {
        name,
        relation,
        target,
        propensity,
        clickFrom: options.clickFrom ?? formatOf(options).clickFrom,
        model,
        ...(join && { join }),
        ...(file && { file }),
        ...(options.rewards && { rewards: options.rewards }),
        ...(categories && { categories }),
        ...(options.loggers && { loggers: options.loggers }),
        ...(options.slatePropensities && { slatePropensities: options.slatePropensities }),
        ...(catalogue && { catalogue }),
        ...(mostClusters !== undefined && { mostClusters }),
      },
      dispose: () => engine.dispose(),
    }
  })
}

/** A log whose columns are known, and what gives its rows to an engine. */
interface Opener {
  readonly name: string
  readonly unchanged: UnchangedCheck
  readonly file: NonNullable<SqlTable['file']>
  readonly open: (engine: Engine) => ReturnType<typeof openRelation>
}

/** One file is read where it is if the engine can parse it; several are read from their bytes into the engine. */
async function opener(
  log: string,
  [file, ...others]: readonly [FoundFile, ...FoundFile[]],
  options: ReadOptions,
): Promise<Opener> {
  const { signal } = options
  if (others.length > 0) {
    const { source, origins, unchanged } = await openMatched(log, [file, ...others], options)
    const open: Opener['open'] = async (engine) => ({
      relation: await loadRows(engine, source, origins, { signal }),
    })
    return { name: log, unchanged, file: lookedUpIn(source, origins), open }
  }
  const { path, name } = file
  const input = await fileInput(path, name)
  const unchanged = await unchangedCheck(path, name)
  const container = await detect(input, formatOf(options), options.header)
  const parquet = container.kind === 'parquet' ? await openNamed(input, options, container.wraps) : undefined
  const origins = await planLogColumns(input, parquet ?? (container as TextContainer), options)
  const known = { path, input, container, parquet, origins }
  const bytes = parquet
    ? parquetSource(parquet, origins)
    : textSource(input, container as TextContainer, origins)
  const open: Opener['open'] = (engine) => openRelation(engine, known, signal)
  return { name, unchanged, file: lookedUpIn(bytes, origins), open }
}

const lookedUpIn = (source: RowSource, origins: ColumnOrigins): Opener['file'] => ({
  lineUnit: source.lineUnit,
  rawRows: (places) => source.rawRows(places),
  origins,
})

/** The error about a log that cannot be summed where it is, because DuckDB is missing. */
const notInPlace = (name: string, cause: EngineMissing): HindcastError =>
  new HindcastError('bad-option', `${name} cannot be summed on disk: ${cause.message}.`, {
    remedy: advice`Read it into memory with ${set('engine', 'memory')}, or install DuckDB with npm install @duckdb/node-api.`,
    cause,
  })

/** Sums over a table on disk, Parquet or text, that need not fit into memory: DuckDB computes them. */
export interface DuckDbSums extends SumSource {
  /** Closes the engine. */
  dispose(): void
}

export const DuckDbSums = {
  /** Opens a file, the log of a folder, or standard input (`-`), as `readLogFile` does. Call `dispose` when done. */
  async open(log: string | LogParts<string>, options: DuckDbSumsOptions): Promise<DuckDbSums> {
    const { engine, table, dispose } = await openDuckDbTable(log, options)
    return { ...sqlSums(engine, table), dispose }
  },
}
