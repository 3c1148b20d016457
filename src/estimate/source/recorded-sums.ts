import { advice, set } from '../../advice.js'
import { HindcastError } from '../../error.js'
import type { PropensitySource } from '../../log/log.js'
import { counted } from '../../number-text.js'
import { originOfRule } from '../../policy/policy.js'
import { type Answers, type Batch, isPartOf } from '../../queries/query.js'
import { answersFrom } from '../../queries/sql-answers.js'
import { paretoTail } from '../pareto.js'
import type { WeightSummary } from '../weight-summary.js'
import { type BrokenRows, type Fault, inOrder } from './broken-rows.js'
import { noDays } from './clusters.js'
import type { Moments } from './moments.js'
import { damaged, type RecordedParts } from './recorded-rows.js'
import {
  type BatchQuery,
  type ClusterQuery,
  type Facts,
  type Known,
  sourceOf,
  type SumSource,
  sumsByWays,
} from './source.js'
import { recordedFacts, recordedMoments, recordedWeights, type StatementShape } from './statement-batch.js'

const NOT_RECORDED = { lacking: 'the statement did not ask for it' }

/** What is known where nothing is estimated. */
const UNKNOWN = { lacking: 'some rows cannot be used' }
const UNUSABLE = {
  users: NaN,
  rewards: UNKNOWN,
  days: UNKNOWN,
  maxWeight: UNKNOWN,
  largestWeights: UNKNOWN,
  topShare: UNKNOWN,
  topPercentShare: UNKNOWN,
  floorShare: UNKNOWN,
}

/** What a statement was to compute, as its result repeats it. */
export interface RecordedSettings extends Pick<StatementShape, 'holds' | 'ways'> {
  /** The name of the target policy, for the answer. */
  readonly target: string
  readonly targetKind: 'uniform' | 'logging' | 'column' | 'table'
  /** Whether a policy in a table may lack users of the log. */
  readonly mayLackUsers: boolean
  readonly propensitySource: PropensitySource
  /** Whether the log has columns q and v. */
  readonly hasModel: boolean
  /** What was asked of the rows. */
  readonly batch: Batch
  /** The engine that is to have run it. */
  readonly engine: string
}

/**
 * Sums that an engine computed by one statement, without a connection: all that its result says, and nothing else. Users come in
 * buckets, and a single user is known only where no other is in their bucket.
 */
export function recordedSource(parts: RecordedParts, settings: RecordedSettings): SumSource {
  const { engine, target, targetKind, holds } = settings
  const recorded = new RecordedSums(parts, settings)
  const origin = originOfRule(targetKind)
  const about = { engine, name: parts.name, target, origin, modelIgnoresUsers: false, holds }
  return sourceOf(about, () => ({
    facts: () => recorded.facts(),
    sums: (query) => sumsByWays(query, (own) => recorded.sums(own)),
    largest: () => NOT_RECORDED,
    weights: () => recorded.weights(),
    pages: () => NOT_RECORDED,
    batch: (query) => recorded.answers(query),
  }))
}

class RecordedSums {
  readonly name: string
  readonly #parts: RecordedParts
  readonly #settings: RecordedSettings
  readonly #numbers: ReadonlyMap<string, number | null>
  #found: Answers | undefined

  constructor(parts: RecordedParts, settings: RecordedSettings) {
    this.name = parts.name
    this.#parts = parts
    this.#settings = settings
    this.#numbers = new Map(parts.of('fact').map(({ id, numbers }) => [id ?? '', numbers[0] ?? null]))
    if (this.#count('rows') === 0)
      throw new HindcastError('bad-file', `${parts.name}: the table has no rows.`, {
        remedy: 'Give a log with at least one impression.',
      })
    if (parts.of('answer').length === 0 && this.#count('rows') > this.#count('broken'))
      throw damaged(parts.name, 'the part "answer" is missing')
  }

  /** There are some where a row can be used. */
  get #answers(): Answers {
    const rows = this.#parts.of('answer')
    return (this.#found ??= answersFrom(this.#settings.batch, {
      count: rows.length,
      idAt: (row) => rows[row]!.id ?? '',
      numberAt: (row, column) => rows[row]!.numbers[column] ?? NaN,
    }))
  }

  sums({ terms, by: clusterBy, rows = 'plain' }: ClusterQuery): Known<Moments> {
    if (rows !== 'plain' && rows !== 'model') return { lacking: 'it needs the log in memory' }
    if (rows === 'model' && !this.#settings.hasModel)
      return { lacking: 'it needs predictions of the reward: columns q and v' }
    const moments = recordedMoments(this.#answers, terms, clusterBy)
    if (!moments) {
      if (clusterBy === 'day' && !this.#settings.ways.includes('day')) throw noDays()
      return NOT_RECORDED
    }
    const unknown = terms.find((term) => !moments.sums(term).every(Number.isFinite))
    if (unknown) throw damaged(this.name, `a sum of ${unknown.name} is missing or not finite`)
    // Without rows no cluster has any: the days of times that are of no clock.
    if (moments.clusters === 0) throw noDays()
    return moments
  }

  answers({ batch, by = 'user' }: BatchQuery): Known<Answers> {
    const { batch: asked, ways } = this.#settings
    return by === ways[0] && isPartOf(batch, asked) ? this.#answers : NOT_RECORDED
  }

  facts(): Facts {
    const { targetKind, propensitySource } = this.#settings
    if (targetKind === 'table') this.#requirePolicy()
    const rows = this.#count('rows')
    const broken = this.#broken()
    return {
      ...(broken.rows > 0 ? UNUSABLE : this.#factsOfRows(rows)),
      rows,
      // A statement keeps all rows of a user together, and no id leaves the database.
      guest: null,
      items: this.#count('items'),
      propensitySource,
      usesPropensities: targetKind !== 'logging',
      broken,
      unsupportedMass: targetKind === 'logging' ? 0 : (this.#numbers.get('unsupported_mass') ?? null),
    }
  }

  #factsOfRows(rows: number): ReturnType<typeof recordedFacts> {
    const found = recordedFacts(this.#answers, rows)
    const needed = Math.min(rows, paretoTail(rows))
    if (found.largestWeights.length < needed || found.largestWeights.some(Number.isNaN))
      throw damaged(this.name, `it has ${found.largestWeights.length} of the ${needed} largest weights`)
    return found
  }

  weights(): WeightSummary {
    return recordedWeights(this.#answers, this.#count('rows'))
  }

  /** A count that every result has. */
  #count(name: string): number {
    const value = this.#numbers.get(name)
    if (value === undefined) throw damaged(this.name, `the fact ${JSON.stringify(name)} is missing`)
    return value ?? 0
  }

  /** Throws where the table of a policy is none. */
  #requirePolicy(): void {
    const count = (name: string): number => this.#count(`policy_${name}`)
    const wrong = (message: string, remedy: string): HindcastError =>
      new HindcastError('bad-rows', `${this.#settings.target}: ${message}.`, { remedy })
    if (count('unsound') > 0)
      throw wrong(
        `${counted(count('unsound'), 'row has', 'rows have')} no id, or no valid probability`,
        'Give each pair of user and item a probability from 0 to 1.',
      )
    if (count('repeated') > 0)
      throw wrong(
        `${counted(count('repeated'), 'pair is', 'pairs are')} listed more than once`,
        'List each item once for each user. If all users have the same probabilities, name no column of users; if they differ, name it.',
      )
    const largest = this.#numbers.get('policy_largest_sum') ?? null
    if (count('off') > 0)
      throw wrong(
        `the probabilities of ${counted(count('off'), 'user')} do not sum to 1${largest === null ? '' : ` (the largest sum is ${Number(largest.toPrecision(6))})`}`,
        'List every item that the policy may show, with probabilities that sum to 1.',
      )
    if (this.#settings.mayLackUsers || (this.#numbers.get('policy_missing_users') ?? 0) === 0) return
    throw new HindcastError(
      'bad-rows',
      `${this.#settings.target} does not have ${counted(count('missing_users'), 'user')} of the log.`,
      { remedy: advice`Add them, or say what they are shown with ${set('missingUser', 'logging')}.` },
    )
  }

  #broken(): BrokenRows {
    const faults = this.#parts.of('fault').flatMap(({ id, numbers: [rows] }) => {
      const [column, fault] = (id ?? '').split(' ') as [string, Fault]
      return rows ? [{ column, fault, rows }] : []
    })
    const examples = this.#parts.of('example').flatMap(({ id }) => (id === null ? [] : [id]))
    return {
      rows: this.#count('broken'),
      faults: inOrder(faults),
      ...(examples.length > 0 && { examples: examples.toSorted() }),
    }
  }
}
