import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DuckDBConnection, DuckDBDataChunk, DuckDBInstance } from '@duckdb/node-api'

/** An in-memory DuckDB with a folder to spill to when memory runs out. */
export class Engine {
  readonly connection: DuckDBConnection
  readonly #instance: DuckDBInstance
  readonly #spill: string

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection, spill: string) {
    this.#instance = instance
    this.connection = connection
    this.#spill = spill
  }

  /** `memoryMegabytes`: what the engine may use before it spills to disk; DuckDB's default if not given. */
  static async open(memoryMegabytes?: number): Promise<Engine> {
    // Loaded on first use: commands that read no table start without it.
    const { DuckDBInstance } = await import('@duckdb/node-api')
    const spill = mkdtempSync(join(tmpdir(), 'hindcast-duckdb-'))
    const instance = await DuckDBInstance.create(':memory:', {
      temp_directory: spill,
      ...(memoryMegabytes !== undefined && { memory_limit: `${memoryMegabytes}MB` }),
    })
    const connection = await instance.connect()
    // DuckDB tracks progress only if a bar is enabled; nothing is printed.
    await connection.run(`SET TimeZone = 'UTC'; SET streaming_buffer_size = '64MB';
      SET enable_progress_bar = true; SET enable_progress_bar_print = false; SET progress_bar_time = 0`)
    return new Engine(instance, connection, spill)
  }

  dispose(): void {
    this.connection.closeSync()
    this.#instance.closeSync()
    rmSync(this.#spill, { recursive: true, force: true })
  }
}

/** The typed array behind a column of a chunk without NULLs. */
export function valuesOf<Values extends Uint32Array | Float64Array>(
  chunk: DuckDBDataChunk,
  column: number,
): Values {
  return (chunk.getColumnVector(column) as unknown as { items: Values }).items
}
