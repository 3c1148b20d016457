import { availableParallelism } from 'node:os'
import { HindcastError, throwIfAborted } from '../../error.js'
import { type ClusterBy, Moments, type MomentSource } from '../../estimate/moments.js'
import type { Term } from '../../estimate/term.js'
import { detect } from '../../log/bytes/detect.js'
import { openParquet } from '../../log/bytes/parquet-source.js'
import type { PropensitySource } from '../../log/log.js'
import { hashText } from '../../random/stream.js'
import { formatOf, planColumns, type ReadOptions } from '../../read/plan.js'
import { Engine, valuesOf } from '../duckdb/engine.js'
import { withProgress } from '../duckdb/progress.js'
import { parquetRelation, type Relation, textRelation } from '../duckdb/relation.js'
import { fileInput } from '../file-input.js'
import { findFile } from '../find-file.js'
import { loadPredictions, type ItemPredictions } from './item-predictions.js'
import {
  clusterExpression,
  idOf,
  ROW_BUCKETS,
  type SqlTarget,
  type SqlView,
  weighedRows,
} from './weighed-relation.js'

/** How to see a log that stays on disk. */
export interface DuckDbMomentOptions extends Pick<
  ReadOptions,
  'format' | 'columns' | 'header' | 'propensity' | 'clickFrom' | 'progress' | 'signal'
> {
  target: SqlTarget
  /** Number of items K that could have been shown (default: as many as occur, which takes a pass of its own to count). */
  items?: number
  /** Predictions of a reward model that knows items only; in place of columns q and v. */
  model?: ItemPredictions
  /** What the engine may use before it spills to disk (default: 700, or 100 a core where that is more). */
  memoryMegabytes?: number
}

/**
 * Sums over a table on disk, Parquet or text, that need not fit into memory: DuckDB takes them in one pass, and
 * only the sums by cluster come back. The same sums as `memorySource` gives, but that of more than 65,536 rows
 * each its own cluster, as many buckets are made. Rows that break a rule are refused, none is left out.
 */
export class DuckDbMomentSource implements MomentSource {
  /** True when every row has q and v, so that estimators with a reward model can be had. */
  readonly hasModel: boolean
  readonly propensitySource: PropensitySource
  readonly #file: string
  readonly #engine: Engine
  readonly #relation: Relation
  readonly #options: DuckDbMomentOptions
  readonly #clickFrom: number | undefined
  readonly #model: SqlView['model']
  #items: Promise<number> | undefined
  #asking: Promise<unknown> = Promise.resolve()

  private constructor(
    file: string,
    engine: Engine,
    relation: Relation,
    options: DuckDbMomentOptions,
    model: SqlView['model'],
  ) {
    this.#file = file
    this.#engine = engine
    this.#relation = relation
    this.#options = options
    this.#clickFrom = options.clickFrom ?? formatOf(options).clickFrom
    this.#model = model
    this.hasModel = model !== undefined || (!!relation.numbers.q && !!relation.numbers.v)
    const assumed = options.propensity && (options.propensity.kind === 'none' ? 'none' : 'assumed')
    this.propensitySource = assumed ?? (relation.numbers.propensity ? 'logged' : 'none')
  }

  /** Opens a file, the log of a folder, or standard input (`-`), as `readLogFile` does. To be disposed of. */
  static async open(log: string, options: DuckDbMomentOptions): Promise<DuckDbMomentSource> {
    const format = formatOf(options)
    const file = await findFile(log, format, options.signal)
    const input = await fileInput(file.path, file.name)
    const container = await detect(input, format, options.header)
    if (container.kind === 'text' || (container.kind === 'parquet' && container.gzip))
      throw new HindcastError('bad-file', `${file.name} is no table that DuckDB can read where it is.`, {
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
      return new DuckDbMomentSource(file.name, engine, relation, options, model)
    } catch (error) {
      engine.dispose()
      throw error
    }
  }

  async moments(terms: readonly Term[], clusterBy: ClusterBy): Promise<Moments> {
    this.#refuseUnknownColumns(terms)
    const bucketed = clusterBy === 'row' && (await this.#hasMoreRowsThan(ROW_BUCKETS))
    const cluster = clusterExpression(this.#relation, clusterBy, bucketed)
    const rows = weighedRows(await this.#view(), cluster)
    const sums = terms.map(({ sql }) => `fsum(count * (${sql}))`)
    // In an order of their own, so that two passes, for two targets, tell of the same clusters at the same places.
    const query = `SELECT cluster::VARCHAR, (count(*) FILTER (WHERE broken))::DOUBLE,
      (count(*) FILTER (WHERE unpredicted))::DOUBLE, ${sums.join(', ')} FROM (${rows}) GROUP BY cluster ORDER BY cluster`
    const keyOf = bucketed ? (bucket: string) => hashText(`bucket ${bucket}`) : hashText
    const groups = await this.#asked(() => this.#groups(query, terms.length, keyOf))
    this.#refuseBrokenRows(groups.keys.length, groups.broken, groups.unpredicted)
    const columns = groups.sums.map((values, t) => [terms[t]!.name, this.#finite(terms[t]!, values)] as const)
    return new Moments(Uint32Array.from(groups.keys), new Map(columns))
  }

  /** What the log holds beyond its sums, in one pass: rows and users, the largest weight and its share of all weight. */
  async facts(): Promise<{ rows: number; users: number; maxWeight: number; topShare: number | undefined }> {
    const seen = weighedRows(await this.#view(), clusterExpression(this.#relation, 'user', false))
    const query = `SELECT count(*), count(*) FILTER (WHERE broken), count(DISTINCT cluster), max(w),
      max(count * w), fsum(count * w) FROM (${seen})`
    const answer = await this.#asked(() => this.#engine.connection.runAndReadAll(query))
    const [rows, broken, users, maxWeight, heaviest, total] = answer.getRows()[0]!.map(Number)
    this.#refuseBrokenRows(rows!, broken!, 0)
    return {
      rows: rows!,
      users: users!,
      maxWeight: maxWeight!,
      topShare: total! > 0 ? heaviest! / total! : undefined,
    }
  }

  /** Number of items: as given, else as many as occur. */
  items(): Promise<number> {
    if (this.#options.items !== undefined) return Promise.resolve(this.#options.items)
    const item = idOf(this.#relation, 'item')!
    this.#items ??= this.#asked(() =>
      this.#number(`SELECT count(DISTINCT ${item}) FROM ${this.#relation.from}`),
    )
    return this.#items
  }

  /** Closes the engine. */
  dispose(): void {
    this.#engine.dispose()
  }

  async #view(): Promise<SqlView> {
    const { target, propensity } = this.#options
    const needsItems =
      target.kind === 'uniform' || (target.kind === 'column' && propensity?.kind === 'uniform')
    return {
      relation: this.#relation,
      target,
      propensity,
      clickFrom: this.#clickFrom,
      items: needsItems ? await this.items() : undefined,
      model: this.#model,
    }
  }

  /** Clusters with their counts and sums, as they come from the engine. */
  async #groups(query: string, terms: number, keyOf: (cluster: string) => number): Promise<Groups> {
    const result = await this.#engine.connection.stream(query)
    const groups: Groups = { keys: [], broken: 0, unpredicted: 0, sums: [] }
    const parts: Float64Array[][] = Array.from({ length: terms }, () => [])
    for (;;) {
      const chunk = await result.fetchChunk()
      if (!chunk || chunk.rowCount === 0) break
      const rows = chunk.rowCount
      const [broken, unpredicted] = [1, 2].map((column) => valuesOf<Float64Array>(chunk, column))
      // A row without a cluster is a broken one.
      for (const cluster of chunk.getColumnValues(0)) groups.keys.push(keyOf(String(cluster)))
      for (let k = 0; k < rows; k++) {
        groups.broken += broken![k]!
        groups.unpredicted += unpredicted![k]!
      }
      parts.forEach((part, t) => part.push(valuesOf<Float64Array>(chunk, 3 + t).slice(0, rows)))
    }
    return { ...groups, sums: parts.map((part) => joined(part, groups.keys.length)) }
  }

  async #hasMoreRowsThan(rows: number): Promise<boolean> {
    const some = `SELECT 1 FROM ${this.#relation.from} LIMIT ${rows + 1}`
    return (await this.#asked(() => this.#number(`SELECT count(*) FROM (${some})`))) > rows
  }

  async #number(query: string): Promise<number> {
    return Number((await this.#engine.connection.runAndReadAll(query)).getRows()[0]![0])
  }

  /** One question after the other: a connection answers one at a time. */
  #asked<T>(question: () => Promise<T>): Promise<T> {
    const answer = this.#asking.then(() => this.#answered(question))
    this.#asking = answer.catch(() => undefined)
    return answer
  }

  /** What the engine says, or why it cannot, in words of ours. */
  async #answered<T>(question: () => Promise<T>): Promise<T> {
    const { signal } = this.#options
    throwIfAborted(signal)
    try {
      return await withProgress(this.#engine, 'summing', this.#options, question)
    } catch (cause) {
      throwIfAborted(signal)
      const [message = ''] = String((cause as Error).message).split('\n')
      if (/^(Out of Memory|IO) Error/.test(message))
        throw new HindcastError('bad-option', `${this.#file} does not fit: ${message}`, {
          remedy: 'Make room on disk for what does not fit into memory, or cluster by fewer groups.',
          cause,
        })
      throw new HindcastError('bad-file', `${this.#file} cannot be read in place: ${message}`, {
        remedy: IN_MEMORY,
        cause,
      })
    }
  }

  #refuseUnknownColumns(terms: readonly Term[]): void {
    const uses = (column: string): Term | undefined =>
      terms.find(({ sql }) => new RegExp(`\\b${column}\\b`).test(sql))
    const model = uses('q') ?? uses('v')
    if (model && !this.hasModel)
      throw new HindcastError('missing-column', `The sums of ${model.name} need predictions of the reward.`, {
        remedy: 'Write columns q and v into the log, or give a model.',
      })
    const categories = uses('m')
    if (categories)
      throw new HindcastError('bad-option', `The sums of ${categories.name} need categories of items.`, {
        remedy: 'Run it without --engine duckdb.',
      })
  }

  #refuseBrokenRows(rows: number, broken: number, unpredicted: number): void {
    if (rows === 0)
      throw new HindcastError('bad-file', `${this.#file} has no rows.`, {
        remedy: 'Give a log with at least one impression.',
      })
    if (broken > 0)
      throw new HindcastError('bad-rows', `${this.#file}: ${inRows(broken)} cannot be used.`, {
        remedy: `${IN_MEMORY} It says which they are.`,
      })
    if (unpredicted > 0)
      throw new HindcastError('bad-option', `${inRows(unpredicted)} show an item without a prediction.`, {
        remedy: 'Give a prediction for every item of the log.',
      })
  }

  /** Good rows can still have a weight that no number can hold. */
  #finite(term: Term, sums: Float64Array): Float64Array {
    if (sums.every(Number.isFinite)) return sums
    throw new HindcastError('bad-rows', `${this.#file}: the sum of ${term.name} is not finite.`, {
      remedy: 'Look for propensities close to 0 with `hindcast doctor`.',
    })
  }
}

interface Groups {
  keys: number[]
  broken: number
  unpredicted: number
  sums: Float64Array[]
}

const IN_MEMORY = 'Run it without --engine duckdb, or run `hindcast doctor`.'

const inRows = (rows: number): string => (rows === 1 ? '1 row' : `${rows.toLocaleString('en-US')} rows`)

function joined(parts: readonly Float64Array[], length: number): Float64Array {
  const whole = new Float64Array(length)
  let place = 0
  for (const part of parts) {
    whole.set(part, place)
    place += part.length
  }
  return whole
}
