import type { DuckDBDataChunk } from '@duckdb/node-api'
import { tmpdir } from 'node:os'
import { advice, doctor, set } from '../../advice.js'
import { HindcastError, throwIfAborted } from '../../error.js'
import { joined } from '../../log/bytes/input.js'
import type { ProgressListener } from '../../progress.js'
import { duckdb } from '../../sql/dialects/duckdb.js'
import type { SqlEngine, SummedGroups } from '../../sql/engine.js'
import type { UnchangedCheck } from '../file-input.js'
import { behindMark, type Engine, firstLine, shortageOf, valuesOf, withProgress } from './engine.js'

/** What to do about a file that DuckDB cannot sum where it is. */
export const IN_MEMORY = advice`Use ${set('engine', 'memory')}, or check the log with ${doctor}.`

interface AnswerOptions {
  /** What messages call the file. */
  readonly file: string
  /** Called after every answer: throws if the file has changed. */
  readonly unchanged?: UnchangedCheck
  readonly progress?: ProgressListener
  readonly signal?: AbortSignal
  /** Puts rows that were read otherwise in place of those that the engine cannot parse. */
  readonly instead?: () => Promise<unknown>
}

/** DuckDB's answers, one query after another, with progress and with its errors in our words. */
export class DuckDbAnswers implements SqlEngine {
  readonly name = 'duckdb'
  readonly dialect = duckdb
  readonly #engine: Engine
  readonly #options: AnswerOptions
  #asking: Promise<unknown> = Promise.resolve()
  #isReplaced = false

  constructor(engine: Engine, options: AnswerOptions) {
    this.#engine = engine
    this.#options = options
  }

  async numbers(query: string): Promise<(number | null)[][]> {
    const rows: (number | null)[][] = []
    for (const chunk of await this.#read(query)) {
      const columns = Array.from({ length: chunk.columnCount }, (_, column) => chunk.getColumnVector(column))
      for (let k = 0; k < chunk.rowCount; k++)
        rows.push(
          columns.map((column) => {
            const value = column.getItem(k)
            return value === null ? null : Number(value)
          }),
        )
    }
    return rows
  }

  async texts(query: string): Promise<string[]> {
    const chunks = await this.#read(`SELECT ${behindMark('text')} FROM (${query}) AS asked(text)`)
    return chunks.flatMap((chunk) =>
      chunk.getColumnValues(0).flatMap((value) => (value === null ? [] : [String(value).slice(1)])),
    )
  }

  groups(query: string, sums: number, most: number): Promise<SummedGroups | undefined> {
    return this.#asked(() => this.#stream(query, sums, most))
  }

  async #stream(query: string, terms: number, most: number): Promise<SummedGroups | undefined> {
    const marked = `SELECT ${behindMark('id')}, * EXCLUDE (id) FROM (${query}) AS asked`
    const result = await this.#engine.connection.stream(marked)
    const ids: string[] = []
    let [brokenRows, unpredictedRows] = [0, 0]
    const parts: Float64Array[][] = Array.from({ length: terms }, () => [])
    for (;;) {
      const chunk = await result.fetchChunk()
      if (!chunk || chunk.rowCount === 0) break
      const rows = chunk.rowCount
      const [broken, unpredicted] = [1, 2].map((column) => valuesOf<Float64Array>(chunk, column))
      // A row without a cluster is broken.
      for (const id of chunk.getColumnValues(0)) ids.push(String(id).slice(1))
      if (ids.length > most) return undefined
      for (let k = 0; k < rows; k++) {
        brokenRows += broken![k]!
        unpredictedRows += unpredicted![k]!
      }
      parts.forEach((part, t) => part.push(valuesOf<Float64Array>(chunk, 3 + t).slice(0, rows)))
    }
    return {
      ids,
      broken: brokenRows,
      unpredicted: unpredictedRows,
      sums: parts.map((part) => joined(Float64Array, part)),
    }
  }

  columns(query: string, width: number): Promise<readonly Float64Array[]> {
    return this.#asked(async () => {
      const result = await this.#engine.connection.stream(query)
      const parts: Float64Array[][] = Array.from({ length: width }, () => [])
      for (;;) {
        const chunk = await result.fetchChunk()
        if (!chunk || chunk.rowCount === 0) break
        parts.forEach((part, c) => part.push(valuesOf<Float64Array>(chunk, c).slice(0, chunk.rowCount)))
      }
      return parts.map((part) => joined(Float64Array, part))
    })
  }

  #read(query: string): Promise<readonly DuckDBDataChunk[]> {
    return this.#asked(async () => (await this.#engine.connection.run(query)).fetchAllChunks())
  }

  /** Runs queries one after another: a connection handles one at a time. */
  #asked<T>(question: () => Promise<T>): Promise<T> {
    const answer = this.#asking.then(() => this.#answered(question))
    this.#asking = answer.catch(() => undefined)
    return answer
  }

  /** The engine's answer, or its error in our words. */
  async #answered<T>(question: () => Promise<T>): Promise<T> {
    const { signal } = this.#options
    throwIfAborted(signal)
    try {
      const answer = await withProgress(this.#engine, 'summing', this.#options, question)
      await this.#options.unchanged?.()
      return answer
    } catch (cause) {
      throwIfAborted(signal)
      if (cause instanceof HindcastError) throw cause
      // A file that changed under the engine gives errors of all kinds.
      await this.#options.unchanged?.()
      const shortage = shortageOf(cause)
      if (shortage)
        throw new HindcastError(
          'bad-option',
          `${this.#options.file} does not fit into ${shortage}: ${firstLine(cause)}`,
          {
            remedy:
              shortage === 'disk'
                ? `Free space in ${tmpdir()}, set TMPDIR to a folder with more, or cluster by fewer groups.`
                : 'Close other programs, raise the memory limit, or cluster by fewer groups.',
            cause,
          },
        )
      if (this.#options.instead && !this.#isReplaced) {
        this.#isReplaced = true
        await this.#options.instead()
        return this.#answered(question)
      }
      throw new HindcastError(
        'bad-file',
        `${this.#options.file} cannot be read in place: ${firstLine(cause)}`,
        { remedy: IN_MEMORY, cause },
      )
    }
  }
}
