import { tmpdir } from 'node:os'
import { advice, set } from '../../advice.js'
import { HindcastError } from '../../error.js'

/** What DuckDB's message says went wrong with the machine; undefined where it is about the file or the query. */
export type Shortage = 'memory' | 'disk' | undefined

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
