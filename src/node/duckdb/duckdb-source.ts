import type { DuckDBDataChunk, DuckDBValue } from '@duckdb/node-api'
import {
  type CodedColumn,
  furtherColumn,
  ID_COLUMNS,
  isLabelColumn,
  labelColumn,
  labelName,
  NUMBER_COLUMNS,
  type NumericColumn,
} from '../../log/columns.js'
import { type Batch, type Codes, MISSING, type RawRow, type RowSource } from '../../log/source.js'
import { behindMark, type Engine, valuesOf } from './engine.js'
import type { IdExpressions, Relation } from '../../sql/relation.js'

/** An integer column whose range is at most this many times the number of rows is indexed directly. */
const SPARSENESS = 16
const LARGEST_SPAN = 2 ** 26

/** How the ids of a column are coded: as an offset from the smallest, or as an index into a dictionary. */
type IdCodes =
  | { readonly by: 'offset'; readonly expression: string; readonly smallest: number; readonly size: number }
  | {
      readonly by: 'dictionary'
      readonly expression: string
      readonly join: string
      readonly texts: readonly string[]
    }

interface Range {
  readonly smallest: bigint
  readonly largest: bigint
}

/**
 * Rows of a table that DuckDB reads. Ids never cross into JavaScript row by row: the engine sends codes,
 * and each distinct id once.
 */
export class DuckDbSource implements RowSource {
  readonly name: string
  readonly lineUnit: 'line' | 'row'
  readonly expectedRows: number
  readonly rawRows: (places: readonly number[]) => Promise<RawRow[]>
  readonly #engine: Engine
  readonly #relation: Relation
  readonly #codes = new Map<CodedColumn, IdCodes>()

  constructor(
    engine: Engine,
    relation: Relation,
    about: Pick<RowSource, 'name' | 'lineUnit' | 'rawRows'> & { rows: number },
  ) {
    this.#engine = engine
    this.#relation = relation
    this.name = about.name
    this.lineUnit = about.lineUnit
    this.expectedRows = about.rows
    this.rawRows = about.rawRows
  }

  async *batches(signal?: AbortSignal): AsyncGenerator<Batch> {
    const { connection } = this.#engine
    const interrupt = (): void => connection.interrupt()
    signal?.addEventListener('abort', interrupt, { once: true })
    let next: Promise<DuckDBDataChunk | null> = Promise.resolve(null)
    try {
      const idColumns: readonly CodedColumn[] = [
        ...ID_COLUMNS.filter((column) => this.#relation.ids[column]),
        ...Object.keys(this.#relation.labels ?? {}).map(labelColumn),
      ]
      const numbers: readonly (readonly [NumericColumn, string])[] = [
        ...NUMBER_COLUMNS.flatMap((column) => {
          const expression = this.#relation.numbers[column]
          return expression === undefined ? [] : [[column, expression] as const]
        }),
        ...Object.entries(this.#relation.further ?? {}).map(
          ([name, expression]) => [furtherColumn(name), expression] as const,
        ),
      ]
      const ranges = await this.#ranges(idColumns)
      for (const column of idColumns) this.#codes.set(column, await this.#encode(column, ranges.get(column)))
      const codes = idColumns.map((column) => this.#codes.get(column)!)
      const joins = codes.flatMap((code) => (code.by === 'dictionary' ? [code.join] : []))
      // A join may reorder rows, so their positions are selected too.
      const withPlaces = joins.length > 0
      const selected = [
        ...codes.map((code) => `coalesce(${code.expression}, ${MISSING})::UINTEGER`),
        ...numbers.map(([, expression]) => expression),
        ...(withPlaces ? [`${this.#relation.place}::UINTEGER`] : []),
      ]
      const result = await connection.stream(
        `SELECT ${selected.join(', ')} FROM ${this.#relation.from} ${joins.join(' ')}`,
      )
      // The next chunk is fetched while this one is used.
      next = result.fetchChunk()
      let rows = 0
      for (;;) {
        const chunk = await next
        if (signal?.aborted) return
        if (!chunk || chunk.rowCount === 0) break
        next = result.fetchChunk()
        rows += chunk.rowCount
        let place = 0
        const ids: Partial<Record<CodedColumn, Uint32Array>> = {}
        for (const column of idColumns) ids[column] = valuesOf<Uint32Array>(chunk, place++)
        const values: Partial<Record<NumericColumn, Float64Array>> = {}
        for (const [column] of numbers) values[column] = valuesOf<Float64Array>(chunk, place++)
        yield {
          rows: chunk.rowCount,
          ids,
          numbers: values,
          ...(withPlaces && { places: valuesOf<Uint32Array>(chunk, place) }),
        }
      }
      if (rows !== this.expectedRows)
        throw new Error(`${rows} rows came of ${this.expectedRows} that the file has.`)
    } catch (error) {
      // An interrupted query throws its own error, which says nothing new.
      if (!signal?.aborted) throw error
    } finally {
      // The engine must not be closed while a chunk is still being fetched.
      await next.catch(() => undefined)
      signal?.removeEventListener('abort', interrupt)
    }
  }

  codes(column: CodedColumn): Codes {
    const codes = this.#codes.get(column)!
    return codes.by === 'offset'
      ? { count: codes.size, ordered: true }
      : { count: codes.texts.length, ordered: false }
  }

  idText(column: CodedColumn, code: number): string {
    const codes = this.#codes.get(column)!
    return codes.by === 'offset' ? String(codes.smallest + code) : codes.texts[code]!
  }

  #expressionsOf(column: CodedColumn): IdExpressions {
    return isLabelColumn(column)
      ? { text: this.#relation.labels![labelName(column)]! }
      : this.#relation.ids[column]!
  }

  /** The smallest and the largest id of each column of whole numbers, in one pass; null where it has none. */
  async #ranges(columns: readonly CodedColumn[]): Promise<Map<CodedColumn, Range | null>> {
    const whole = columns.filter((column) => this.#expressionsOf(column).integer !== undefined)
    if (whole.length === 0) return new Map()
    // With any value too, the engine looks at the rows: what the file says of its extremes may be wrong.
    const selected = whole.map((column) => {
      const { integer } = this.#expressionsOf(column)
      return `min(${integer})::HUGEINT, max(${integer})::HUGEINT, any_value(${integer})`
    })
    const [found] = (await this.#rows(`SELECT ${selected.join(', ')} FROM ${this.#relation.from}`)) as [
      (bigint | null)[],
    ]
    return new Map(
      whole.map((column, k) => {
        const [smallest, largest] = found.slice(3 * k)
        return [column, smallest == null || largest == null ? null : { smallest, largest }]
      }),
    )
  }

  /** `range`: of a column of whole numbers; of others, undefined. */
  async #encode(column: CodedColumn, range: Range | null | undefined): Promise<IdCodes> {
    const { text, integer } = this.#expressionsOf(column)
    if (range === null) return { by: 'offset', expression: 'NULL', smallest: 0, size: 0 }
    if (range) {
      const { smallest, largest } = range
      const size = Number(largest - smallest) + 1
      const isDense = size <= Math.min(LARGEST_SPAN, Math.max(this.expectedRows * SPARSENESS, 1024))
      // Up to 15 digits, which `orderOfIds` treats as numbers.
      const isExact = Math.max(-Number(smallest), Number(largest)) < 1e15
      if (isDense && isExact)
        return { by: 'offset', expression: `(${integer} - ${smallest})`, smallest: Number(smallest), size }
    }
    const dictionary = `dictionary_${this.#codes.size}`
    await this.#engine.connection.run(
      `CREATE OR REPLACE TEMP TABLE ${dictionary} AS SELECT id, (row_number() OVER () - 1)::UINTEGER AS code
       FROM (SELECT DISTINCT ${text} AS id FROM ${this.#relation.from}) WHERE id IS NOT NULL`,
    )
    const distinct = await this.#rows(`SELECT ${behindMark('id')} FROM ${dictionary} ORDER BY code`)
    return {
      by: 'dictionary',
      expression: `${dictionary}.code`,
      join: `LEFT JOIN ${dictionary} ON ${dictionary}.id = ${text}`,
      texts: distinct.map(([id]) => (id as string).slice(1)),
    }
  }

  async #rows(sql: string): Promise<DuckDBValue[][]> {
    return (await this.#engine.connection.runAndReadAll(sql)).getRows()
  }
}
