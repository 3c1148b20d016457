import { availableParallelism } from 'node:os'
import { advice, doctor, set } from '../../advice.js'
import { HindcastError, throwIfAborted } from '../../error.js'
import { paretoTail } from '../../estimate/pareto.js'
import { type BrokenRows, inOrder, LARGEST, requireSound } from '../../estimate/source/broken-rows.js'
import { clusterKey, noClusterColumn } from '../../estimate/source/clusters.js'
import { bucketKey, type ClusterBy, Moments } from '../../estimate/source/moments.js'
import type { Facts, Known, RowKind, SumSource } from '../../estimate/source/source.js'
import { onePercentOf } from '../../estimate/source/weight-facts.js'
import { targetName } from '../../estimate/target.js'
import type { Term } from '../../estimate/term.js'
import { binsOf, stepsBetween, TOUCHING, type WeightSummary } from '../../estimate/weight-summary.js'
import { detect } from '../../log/bytes/detect.js'
import { openParquet } from '../../log/bytes/parquet-source.js'
import type { PropensitySource } from '../../log/log.js'
import { md5Bucket } from '../../md5.js'
import { counted } from '../../number-text.js'
import { formatOf, planColumns, type ReadOptions } from '../../read/plan.js'
import { columnsOf } from '../../sql/expression.js'
import { duckdb } from '../../sql/dialects/duckdb.js'
import {
  atPropensityQuery,
  factsQuery,
  faultsQuery,
  largestWeightsQuery,
  medianWeightQuery,
  topSumQuery,
  weightStepsQuery,
} from '../../sql/facts-queries.js'
import { idOf, type Relation } from '../../sql/relation.js'
import { sumsQuery } from '../../sql/sums-query.js'
import { faultConditions, type SqlTarget, type SqlView } from '../../sql/weighed-rows.js'
import { Engine, valuesOf } from '../duckdb/engine.js'
import { withProgress } from '../duckdb/progress.js'
import { parquetRelation, textRelation } from '../duckdb/relation.js'
import { fileInput } from '../file-input.js'
import { findFile } from '../find-file.js'
import { type ItemPredictions, loadPredictions } from './item-predictions.js'

/** How to read a log that stays on disk. */
export interface DuckDbSumsOptions extends Pick<
  ReadOptions,
  'format' | 'columns' | 'header' | 'propensity' | 'clickFrom' | 'catalogue' | 'progress' | 'signal'
> {
  target: SqlTarget
  /** Predictions of a reward model that depends on the item only, instead of columns q and v. */
  model?: ItemPredictions
  /** What the engine may use before it spills to disk (default: 700, or 100 per core if that is more). */
  memoryMegabytes?: number
  /** More clusters than this are summed by bucket (default: two million). */
  mostClusters?: number
}

const MOST_CLUSTERS = 2_000_000

/**
 * Sums over a table on disk, Parquet or text, that need not fit into memory: DuckDB computes them, and only sums
 * per cluster or bucket come back, the same as from `MemorySums`. Rows that break a rule are an error, never skipped.
 */
export class DuckDbSums implements SumSource {
  readonly engine = 'duckdb'
  readonly target: string
  readonly #file: string
  readonly #engine: Engine
  readonly #relation: Relation
  readonly #options: DuckDbSumsOptions
  readonly #clickFrom: number | undefined
  readonly #model: SqlView['model']
  #items: Promise<Items> | undefined
  #counted: Promise<Counted> | undefined
  #facts: Promise<Facts> | undefined
  #asking: Promise<unknown> = Promise.resolve()
  readonly #tooMany = new Set<ClusterBy>()

  private constructor(
    file: string,
    engine: Engine,
    relation: Relation,
    options: DuckDbSumsOptions,
    model: SqlView['model'],
  ) {
    this.target = targetName(options.target)
    this.#file = file
    this.#engine = engine
    this.#relation = relation
    this.#options = options
    this.#clickFrom = options.clickFrom ?? formatOf(options).clickFrom
    this.#model = model
  }

  /** Opens a file, the log of a folder, or standard input (`-`), as `readLogFile` does. Call `dispose` when done. */
  static async open(log: string, options: DuckDbSumsOptions): Promise<DuckDbSums> {
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
      return new DuckDbSums(file.name, engine, relation, options, model)
    } catch (error) {
      engine.dispose()
      throw error
    }
  }

  async moments(
    terms: readonly Term[],
    clusterBy: ClusterBy,
    rows: RowKind = 'plain',
  ): Promise<Known<Moments>> {
    const needsModel = rows === 'model' || terms.some(({ expression }) => usesModel(columnsOf(expression)))
    if (needsModel && !this.#hasModel)
      return { lacking: 'it needs predictions of the reward: the log in memory, or columns q and v' }
    if (rows !== 'plain' && rows !== 'model') return { lacking: 'it needs the log in memory' }
    const cluster = this.#cluster(clusterBy)
    const most = this.#options.mostClusters ?? MOST_CLUSTERS
    const expressions = terms.map(({ expression }) => expression)
    const view = await this.#view()
    const asked = (inBuckets: boolean): Promise<Groups | undefined> => {
      const query = sumsQuery(view, expressions, { cluster, inBuckets, isRow: clusterBy === 'row' })
      return this.#asked(() => this.#groups(query, terms.length, inBuckets ? Infinity : most))
    }
    const exact = this.#tooMany.has(clusterBy) ? undefined : await asked(false)
    // Known from now on: another target has as many clusters.
    if (!exact) this.#tooMany.add(clusterBy)
    const inBuckets = !exact
    const { ids, broken, unpredicted, sums } = exact ?? (await asked(true))!
    if (ids.length === 0) throw this.#noRows()
    if (broken > 0) requireSound((await this.facts()).broken, this.#file)
    if (unpredicted > 0)
      throw new HindcastError(
        'bad-option',
        `${counted(unpredicted, 'row has', 'rows have')} an item without a prediction.`,
        {
          remedy: 'Give a prediction for every item of the log.',
        },
      )
    const keys = Uint32Array.from(ids, (id) => (inBuckets ? bucketKey(Number(id)) : clusterKey(id)))
    const columns = new Map(sums.map((values, t) => [terms[t]!.name, this.#finite(terms[t]!, values)]))
    return inBuckets
      ? new Moments(keys, columns, { by: 'bucket' })
      : new Moments(keys, columns, { buckets: () => Uint16Array.from(ids, md5Bucket) })
  }

  /** Facts beyond the sums; computed once and kept. */
  facts(): Promise<Facts> {
    return (this.#facts ??= this.#look())
  }

  async medianWeight(): Promise<number | null> {
    return (await this.#row(medianWeightQuery(await this.#view())))[0] ?? null
  }

  async weights(): Promise<WeightSummary> {
    const { rows, maxWeight, leastWeight } = await this.#count()
    const heaviest = maxWeight ?? 0
    if (heaviest === 0 || leastWeight === null) return { count: rows, zeros: rows, heaviest, bins: [] }
    const steps = stepsBetween(leastWeight, heaviest)
    const { perDecade, first, last } = steps
    const found = await this.#rows(weightStepsQuery(await this.#view(), perDecade, TOUCHING))
    const counts = new Float64Array(last - first + 1)
    const sums = new Float64Array(counts.length)
    let [total, positive] = [0, 0]
    for (const [step, count, sum] of found as [number, number, number][]) {
      const bin = Math.min(last, Math.max(first, step)) - first
      counts[bin]! += count
      sums[bin]! += sum
      total += sum
      positive += count
    }
    return { count: rows, zeros: rows - positive, heaviest, bins: binsOf(steps, counts, sums, total) }
  }

  /** Closes the engine. */
  dispose(): void {
    this.#engine.dispose()
  }

  get #hasModel(): boolean {
    const { q, v } = this.#relation.numbers
    return this.#model !== undefined || (q !== undefined && v !== undefined)
  }

  get #propensitySource(): PropensitySource {
    const { propensity } = this.#options
    if (propensity) return propensity.kind === 'none' ? 'none' : 'assumed'
    return this.#relation.numbers.propensity ? 'logged' : 'none'
  }

  async #look(): Promise<Facts> {
    const { rows, users, maxWeight, heaviest, total, leastPropensity, broken } = await this.#count()
    const view = await this.#view()
    const { target } = this.#options
    const { items, never } = await this.#itemsOf()
    const facts = {
      rows,
      users,
      items,
      broken,
      propensitySource: this.#propensitySource,
      usesPropensities: target.kind !== 'logging',
      unsupportedMass: target.kind === 'logging' ? 0 : target.kind === 'uniform' ? never : null,
    }
    const none = { maxWeight: null, topShare: null, topPercentShare: null, floorShare: null }
    // Nothing is estimated from broken rows, so no more queries are needed.
    if (broken.rows > 0) return { ...facts, ...none, largestWeights: new Float64Array(0) }
    const tail = await this.#rows(largestWeightsQuery(view, paretoTail(rows)))
    const [top = 0] = await this.#row(topSumQuery(view, onePercentOf(rows)))
    const [atFloor = 0] =
      leastPropensity === null ? [] : await this.#row(atPropensityQuery(view, leastPropensity))
    const hasWeight = total !== null && total > 0
    return {
      ...facts,
      maxWeight: hasWeight ? maxWeight : null,
      largestWeights: Float64Array.from(tail, ([w]) => w!).reverse(),
      topShare: hasWeight ? heaviest! / total : null,
      topPercentShare: hasWeight ? top! / total : null,
      floorShare: leastPropensity === null ? null : atFloor! / rows,
    }
  }

  /** The first pass: counts and extremes. */
  #count(): Promise<Counted> {
    return (this.#counted ??= this.#view().then(async (view) => {
      const answer = await this.#row(factsQuery(view))
      const [rows, users, maxWeight, leastWeight, heaviest, total, leastPropensity, broken] = answer
      if (rows === 0) throw this.#noRows()
      return {
        rows: rows!,
        users: users!,
        maxWeight: maxWeight!,
        leastWeight: leastWeight!,
        heaviest: heaviest!,
        total: total!,
        leastPropensity: leastPropensity!,
        broken: broken! > 0 ? await this.#broken(view, broken!) : { rows: 0, faults: [] },
      }
    }))
  }

  /** Number of items and, if the catalogue is known, the share of them that the log never shows. */
  #itemsOf(): Promise<Items> {
    return (this.#items ??= this.#findItems())
  }

  async #findItems(): Promise<Items> {
    const { catalogue } = this.#options
    const { from } = this.#relation
    const item = idOf(this.#relation, 'item')!
    if (!catalogue) {
      const [items] = await this.#row(`SELECT count(DISTINCT ${item}) FROM ${from}`)
      return { items: items!, never: null }
    }
    const shown = await this.#asked(() =>
      this.#engine.connection.runAndReadAll(`SELECT DISTINCT ${item} FROM ${from}`),
    )
    const ids = new Set(catalogue)
    const seen = shown.getRows().filter(([id]) => id !== null)
    for (const [id] of seen) ids.add(String(id))
    return { items: ids.size, never: (ids.size - seen.length) / ids.size }
  }

  async #broken(view: SqlView, rows: number): Promise<BrokenRows> {
    const counts = await this.#row(faultsQuery(view))
    const faults = faultConditions(view).map(({ column, fault }, k) => ({ column, fault, rows: counts[k]! }))
    return { rows, faults: inOrder(faults.filter((one) => one.rows > 0)) }
  }

  #noRows(): HindcastError {
    return new HindcastError('bad-file', `${this.#file} has no rows.`, {
      remedy: 'Give a log with at least one impression.',
    })
  }

  /** What rows are grouped by. */
  #cluster(clusterBy: ClusterBy): string {
    if (clusterBy === 'row') return this.#relation.place
    const id = idOf(this.#relation, clusterBy === 'user' ? 'user' : 'cluster')
    if (id === undefined) throw noClusterColumn()
    return id
  }

  async #view(): Promise<SqlView> {
    const { target, propensity } = this.#options
    const needsItems = target.kind === 'uniform' || propensity?.kind === 'uniform'
    return {
      dialect: duckdb,
      relation: this.#relation,
      target,
      propensity,
      clickFrom: this.#clickFrom,
      items: needsItems ? (await this.#itemsOf()).items : undefined,
      model: this.#model,
      largest: LARGEST,
    }
  }

  /** Clusters with their counts and sums, as they come from the engine. */
  async #groups(query: string, terms: number, most: number): Promise<Groups | undefined> {
    const result = await this.#engine.connection.stream(query)
    const groups: Groups = { ids: [], broken: 0, unpredicted: 0, sums: [] }
    const parts: Float64Array[][] = Array.from({ length: terms }, () => [])
    for (;;) {
      const chunk = await result.fetchChunk()
      if (!chunk || chunk.rowCount === 0) break
      const rows = chunk.rowCount
      const [broken, unpredicted] = [1, 2].map((column) => valuesOf<Float64Array>(chunk, column))
      // A row without a cluster is broken.
      for (const id of chunk.getColumnValues(0)) groups.ids.push(String(id))
      if (groups.ids.length > most) return undefined
      for (let k = 0; k < rows; k++) {
        groups.broken += broken![k]!
        groups.unpredicted += unpredicted![k]!
      }
      parts.forEach((part, t) => part.push(valuesOf<Float64Array>(chunk, 3 + t).slice(0, rows)))
    }
    return { ...groups, sums: parts.map((part) => joined(part, groups.ids.length)) }
  }

  /** The numbers in a query's rows, null if missing. */
  async #rows(query: string): Promise<(number | null)[][]> {
    const answer = await this.#asked(() => this.#engine.connection.runAndReadAll(query))
    return answer.getRows().map((row) => row.map((value) => (value === null ? null : Number(value))))
  }

  async #row(query: string): Promise<(number | null)[]> {
    return (await this.#rows(query))[0] ?? []
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
      return await withProgress(this.#engine, 'summing', this.#options, question)
    } catch (cause) {
      throwIfAborted(signal)
      const [message = ''] = String((cause as Error).message).split('\n')
      if (/^(Out of Memory|IO) Error/.test(message))
        throw new HindcastError('bad-option', `${this.#file} does not fit into memory and disk: ${message}`, {
          remedy: 'Free disk space, or cluster by fewer groups.',
          cause,
        })
      throw new HindcastError('bad-file', `${this.#file} cannot be read in place: ${message}`, {
        remedy: IN_MEMORY,
        cause,
      })
    }
  }

  /** Even valid rows can have a sum that is too large for a number. */
  #finite(term: Term, sums: Float64Array): Float64Array {
    if (sums.every(Number.isFinite)) return sums
    throw new HindcastError('bad-rows', `${this.#file}: the sum of ${term.name} is not finite.`, {
      remedy: 'Look for extremely large rewards and weights.',
    })
  }
}

interface Groups {
  ids: string[]
  broken: number
  unpredicted: number
  sums: Float64Array[]
}

interface Counted {
  readonly rows: number
  readonly users: number
  readonly maxWeight: number | null
  readonly leastWeight: number | null
  /** Largest number_of·w. */
  readonly heaviest: number | null
  /** Sum of number_of·w. */
  readonly total: number | null
  readonly leastPropensity: number | null
  readonly broken: BrokenRows
}

interface Items {
  readonly items: number
  readonly never: number | null
}

const IN_MEMORY = advice`Use ${set('engine', 'memory')}, or check the log with ${doctor}.`

const usesModel = (columns: ReadonlySet<string>): boolean => columns.has('q') || columns.has('v')

function joined(parts: readonly Float64Array[], length: number): Float64Array {
  const whole = new Float64Array(length)
  let place = 0
  for (const part of parts) {
    whole.set(part, place)
    place += part.length
  }
  return whole
}
