import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import type { DuckDBConnection, DuckDBDataChunk, DuckDBInstance } from '@duckdb/node-api'
import { literal } from '../../sql/dialect.js'
import { makeTemporaryFolder } from '../temporary-folder.js'
import { EngineMissing } from './engine-missing.js'
import { duckDbName } from './file-name.js'

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
