import { rmSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import type { DuckDBConnection, DuckDBDataChunk, DuckDBInstance } from '@duckdb/node-api'
import { literal } from '../../sql/dialect.js'
import { makeTemporaryFolder } from '../temporary-folder.js'
import type { ProgressListener } from '../../progress.js'
import { tmpdir } from 'node:os'
import { advice, set } from '../../advice.js'
import { HindcastError } from '../../error.js'

/** What an engine is opened for. */
export interface EngineOptions {
  /** The files that it may read, by their paths. It can open nothing else. */
  readonly files: readonly string[]
  /** What it may use before it spills to disk; DuckDB's default if not given. */
  readonly memoryMegabytes?: number
}

/** Set before the files are named; nothing is fetched from anywhere, and extensions are those built in. */
const CLOSED = {
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  allow_community_extensions: 'false',
}

/**
 * An in-memory DuckDB with a folder to spill to when memory runs out. It reads the files it was opened for; all
 * other access, extensions and changes of its settings are locked.
 */
export class Engine {
  readonly connection: DuckDBConnection
  readonly #instance: DuckDBInstance
  readonly #spill: string

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection, spill: string) {
    this.#instance = instance
    this.connection = connection
    this.#spill = spill
  }

  static async open({ files, memoryMegabytes }: EngineOptions): Promise<Engine> {
    const names = files.map(duckDbName)
    const { DuckDBInstance } = await load()
    const spill = makeTemporaryFolder('hindcast-duckdb-')
    try {
      const instance = await DuckDBInstance.create(':memory:', {
        ...CLOSED,
        temp_directory: spill,
        ...(memoryMegabytes !== undefined && { memory_limit: `${memoryMegabytes}MB` }),
      })
      const connection = await instance.connect()
      // What a Parquet file says of its extremes may be wrong: no check of a value may be left out because of it.
      await connection.run(`SET disabled_optimizers = 'statistics_propagation'`)
      // DuckDB tracks progress only if a bar is enabled; nothing is printed.
      await connection.run(`SET TimeZone = 'UTC'; SET streaming_buffer_size = '64MB';
        SET enable_progress_bar = true; SET enable_progress_bar_print = false; SET progress_bar_time = 0`)
      // A name with brackets is looked up as itself, and then opened by what it stands for.
      const allowed = [...names, ...files.map((file) => resolve(file))].map(literal)
      await connection.run(`SET allowed_paths = [${allowed.join(', ')}]; SET enable_external_access = false;
        SET lock_configuration = true`)
      return new Engine(instance, connection, spill)
    } catch (error) {
      rmSync(spill, { recursive: true, force: true })
      throw error
    }
  }

  dispose(): void {
    this.connection.closeSync()
    this.#instance.closeSync()
    rmSync(this.#spill, { recursive: true, force: true })
  }
}

/** Loaded on first use: commands that read no table start without it. It is optional, and has binaries for few systems. */
async function load(): Promise<typeof import('@duckdb/node-api')> {
  try {
    return await import('@duckdb/node-api')
  } catch (cause) {
    throw new EngineMissing('DuckDB is not installed for this system', { cause })
  }
}

/** Whether DuckDB can be used. */
export const hasEngine = (): Promise<boolean> =>
  load().then(
    () => true,
    () => false,
  )

/** The typed array behind a column of a chunk without NULLs. */
export function valuesOf<Values extends Uint32Array | Float64Array>(
  chunk: DuckDBDataChunk,
  column: number,
): Values {
  return (chunk.getColumnVector(column) as unknown as { items: Values }).items
}

/**
 * A text with one letter before it, to be cut off again: DuckDB's binding drops a byte order mark that a text begins with,
 * and two ids could become one.
 */
export const behindMark = (text: string): string => `'|' || (${text})::VARCHAR`

/** DuckDB cannot be used: it is not installed, has no build for this system, or cannot open a file of this name. */
export class EngineMissing extends Error {
  override readonly name = 'EngineMissing'
}

const WILDCARDS = /[[*?]/g

/**
 * A path as DuckDB must be given it to open that file and no other: absolute, so that neither `~` nor an address
 * comes first, and with each wildcard in brackets, where it stands for itself.
 */
function duckDbName(path: string): string {
  const absolute = resolve(path)
  const escaped = absolute.replaceAll(WILDCARDS, '[$&]')
  // In a pattern DuckDB takes a backslash for a separator, which it is on Windows only.
  if (escaped !== absolute && sep === '/' && absolute.includes('\\'))
    throw new EngineMissing('DuckDB cannot open a file with this name')
  return escaped
}

/** A file, or several, as a literal of SQL that leads to them and to no other. */
export const fileLiteral = (paths: string | readonly string[]): string =>
  typeof paths === 'string'
    ? literal(duckDbName(paths))
    : `[${paths.map((path) => literal(duckDbName(path))).join(', ')}]`

/** Who listens to the progress of a query, and who may abort it. */
interface Watch {
  progress?: ProgressListener
  signal?: AbortSignal
}

/** Reports the progress of a long query, and interrupts it when the user aborts. */
export async function withProgress<T>(
  engine: Engine,
  what: string,
  { progress, signal }: Watch,
  query: () => Promise<T>,
): Promise<T> {
  const interrupt = (): void => engine.connection.interrupt()
  signal?.addEventListener('abort', interrupt, { once: true })
  const ticking = setInterval(() => {
    const { percentage } = engine.connection.progress
    if (percentage > 0) progress?.({ what, done: percentage, total: 100, unit: '%' })
  }, 200)
  try {
    return await query()
  } finally {
    clearInterval(ticking)
    signal?.removeEventListener('abort', interrupt)
  }
}

/** What DuckDB's message says went wrong with the machine; undefined where it is about the file or the query. */
type Shortage = 'memory' | 'disk' | undefined

/** Tells a full memory from a full disk; every other input or output error is about the file. */
export function shortageOf(error: unknown): Shortage {
  const message = error instanceof Error ? error.message : ''
  if (/No space left on device|Disk quota exceeded|max_temp_directory_size/i.test(message)) return 'disk'
  return /^Out of Memory Error|bad_alloc|Cannot allocate memory/i.test(message) ? 'memory' : undefined
}

/** The error about a file that the engine has no room for. */
export const noRoom = (name: string, shortage: 'memory' | 'disk', cause: unknown): HindcastError =>
  shortage === 'memory'
    ? new HindcastError('write-failed', `There is not enough memory to read ${name}.`, {
        remedy: advice`Close other programs or raise the memory limit. To evaluate with less, use ${set('engine', 'duckdb')}.`,
        cause,
      })
    : new HindcastError('write-failed', `There is not enough disk space in ${tmpdir()} to read ${name}.`, {
        remedy: 'Free space there, or set TMPDIR to a folder with more.',
        cause,
      })

/** The first line of what DuckDB said. */
export const firstLine = (error: unknown): string => String((error as Error).message).split('\n')[0]!
