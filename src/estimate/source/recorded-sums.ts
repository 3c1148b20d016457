import { advice, set } from '../../advice.js'
import { HindcastError } from '../../error.js'
import type { PropensitySource } from '../../log/log.js'
import { unitsPerDay } from '../../log/days.js'
import { counted } from '../../number-text.js'
import { originOfRule } from '../../policy/policy.js'
import type { Answers, Batch } from '../../queries/query.js'
import { answersWithin } from '../../queries/answers-within.js'
import { answersFrom } from '../../queries/sql-answers.js'
import { STEPS_PER_DECADE } from '../../sql/script/script-format.js'
import { paretoTail } from '../pareto.js'
import type { Term } from '../term.js'
import { type WeightSummary, summaryOfSteps } from '../weight-summary.js'
import { type BrokenRows, type Fault, inOrder } from './broken-rows.js'
import { clusterKey, noDays } from './clusters.js'
import { type ClusterBy, FEW_CLUSTERS, JOINT, Moments, bucketKey } from './moments.js'
import { type RecordedParts, type RecordedRow, damaged } from './recorded-rows.js'
import {
  type About,
  type BatchQuery,
  type ClusterQuery,
  type Facts,
  type Known,
  type SumSource,
  sourceOf,
  sumsByWays,
} from './source.js'

const NOT_RECORDED = { lacking: 'the statement did not ask for it' }

/** What a statement was to compute, as its result repeats it. */
export interface RecordedSettings {
  /** The name of the target policy, for the answer. */
  readonly target: string
  readonly targetKind: 'uniform' | 'logging' | 'column' | 'table'
  /** Which columns the table has that checks go by. */
  readonly holds: About['holds']
  /** Whether a policy in a table may lack users of the log. */
  readonly mayLackUsers: boolean
  readonly propensitySource: PropensitySource
  /** Whether the log has columns q and v. */
  readonly hasModel: boolean
  /** The ways in which rows were grouped: `user`, `day`, `column`. */
  readonly ways: readonly string[]
  /** The terms that were summed, in their order. */
  readonly terms: readonly Term[]
  /** The batch that it answers; undefined where that is of another version. */
  readonly batch: Batch | undefined
  /** The engine that is to have run it. */
  readonly engine: string
}

/** Sums that an engine computed by one statement, without a connection: all that its result says, and nothing else. */
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
  #answers: Answers | undefined

  constructor(parts: RecordedParts, settings: RecordedSettings) {
    this.name = parts.name
    this.#parts = parts
    this.#settings = settings
    this.#numbers = new Map(parts.of('fact').map(({ id, numbers }) => [id ?? '', numbers[0] ?? null]))
    if (this.#count('rows') === 0)
      throw new HindcastError('bad-file', `${parts.name}: the table has no rows.`, {
        remedy: 'Give a log with at least one impression.',
      })
  }

  sums({ terms, by: clusterBy, rows = 'plain' }: ClusterQuery): Known<Moments> {
    if (rows !== 'plain' && rows !== 'model') return { lacking: 'it needs the log in memory' }
    if (rows === 'model' && !this.#settings.hasModel)
      return { lacking: 'it needs predictions of the reward: columns q and v' }
    const places = terms.map(({ name }) => this.#settings.terms.findIndex((term) => term.name === name))
    if (places.includes(-1)) return NOT_RECORDED
    const part = this.#partOf(clusterBy)
    if (!part) {
      if (clusterBy === 'day' && !this.#settings.ways.includes('day')) throw noDays()
      return NOT_RECORDED
    }
    const groups = this.#parts.of(part)
    if (groups.length === 0) throw damaged(this.name, `the part ${JSON.stringify(part)} is missing`)
    return momentsOfGroups(this.name, groups.toSorted(inPlace), terms, places)
  }

  answers({ batch: asked, by = 'user' }: BatchQuery): Known<Answers> {
    const { batch, ways } = this.#settings
    if (!batch || by !== ways[0]) return NOT_RECORDED
    return answersWithin(asked, batch, (this.#answers ??= this.#recorded(batch))) ?? NOT_RECORDED
  }

  #recorded(batch: Batch): Answers {
    const rows = this.#parts.of('answer')
    if (rows.length === 0) throw damaged(this.name, 'the part "answer" is missing')
    return answersFrom(batch, {
      count: rows.length,
      idAt: (row) => rows[row]!.id ?? '',
      numberAt: (row, column) => rows[row]!.numbers[column] ?? NaN,
    })
  }

  facts(): Facts {
    const { targetKind, propensitySource } = this.#settings
    if (targetKind === 'table') this.#requirePolicy()
    const rows = this.#count('rows')
    const broken = this.#broken()
    const facts = {
      rows,
      users: this.#count('users'),
      // A statement keeps all rows of a user together, and no id leaves the database.
      guest: null,
      items: this.#count('items'),
      propensitySource,
      usesPropensities: targetKind !== 'logging',
      broken,
      rewards: {
        least: this.#numbers.get('least_reward') ?? NaN,
        most: this.#numbers.get('most_reward') ?? NaN,
        isBinary: this.#count('other_rewards') === 0,
      },
      unsupportedMass: targetKind === 'logging' ? 0 : (this.#numbers.get('unsupported_mass') ?? null),
    }
    const none = { maxWeight: null, topShare: null, topPercentShare: null, floorShare: null }
    if (broken.rows > 0) return { ...facts, ...none, days: null, largestWeights: new Float64Array(0) }
    const total = this.#count('total_weight')
    const share = (name: string): number | null => (total > 0 ? (this.#numbers.get(name) ?? 0) / total : null)
    return {
      ...facts,
      days: this.#days(),
      maxWeight: total > 0 ? this.#count('max_weight') : null,
      largestWeights: this.#largest(rows),
      topShare: share('heaviest'),
      topPercentShare: share('top_sum'),
      floorShare: propensitySource === 'none' ? null : this.#count('at_least_propensity') / rows,
    }
  }

  weights(): WeightSummary {
    const steps = this.#parts.of('histogram').map(({ numbers }) => {
      const [step, count, sum] = numbers as [number, number, number]
      return { step, count, sum }
    })
    return summaryOfSteps(steps, STEPS_PER_DECADE, {
      count: this.#count('rows'),
      least: this.#numbers.get('least_weight') ?? null,
      heaviest: this.#numbers.get('max_weight') ?? 0,
      median: this.#numbers.get('median_weight') ?? null,
    })
  }

  #partOf(clusterBy: ClusterBy): 'group-1' | 'group-2' | 'group-both' | undefined {
    const [first, second] = this.#settings.ways
    if (clusterBy === first) return 'group-1'
    if (second === undefined) return undefined
    if (clusterBy === second) return 'group-2'
    return clusterBy === `${first}${JOINT}${second}` ? 'group-both' : undefined
  }

  /** A number that every result has; 0 where it is of no row. */
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

  #days(): number | null {
    const latest = this.#numbers.get('latest_time') ?? null
    return latest === null || unitsPerDay(latest) === undefined ? null : this.#count('days')
  }

  #largest(rows: number): Float64Array {
    const largest = Float64Array.from(this.#parts.of('largest'), ({ numbers }) => numbers[0] ?? NaN).sort()
    const needed = Math.min(rows, paretoTail(rows))
    const positive = this.#parts
      .of('histogram')
      .reduce((sum, { numbers: [, count] }) => sum + (count ?? 0), 0)
    // Weights of 0 do not come back.
    if (largest.length < needed && largest.length === positive) {
      const all = new Float64Array(needed)
      all.set(largest, needed - largest.length)
      return all
    }
    if (largest.length < needed || largest.some(Number.isNaN))
      throw damaged(this.name, `it has ${largest.length} of the ${needed} largest weights`)
    return largest
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

/** An order that no engine decides: by bucket and place, or by id. */
function inPlace(a: RecordedRow, b: RecordedRow): number {
  if (a.id !== null && b.id !== null) return a.id < b.id ? -1 : 1
  return a.numbers[0]! - b.numbers[0]! || a.numbers[1]! - b.numbers[1]!
}

function momentsOfGroups(
  name: string,
  groups: readonly RecordedRow[],
  terms: readonly Term[],
  places: readonly number[],
): Moments {
  const columns = terms.map((term, t): [string, Float64Array] => {
    const sums = Float64Array.from(groups, ({ numbers }) => numbers[2 + places[t]!] ?? NaN)
    if (!sums.every(Number.isFinite)) throw damaged(name, `a sum of ${term.name} is missing or not finite`)
    return [term.name, sums]
  })
  const sums = new Map(columns)
  const ids = groups.map(({ id }) => id)
  if (ids.every((id) => id !== null))
    return new Moments(Uint32Array.from(ids, clusterKey), sums, ids.length <= FEW_CLUSTERS ? { ids } : {})
  const bucketOf = groups.map(({ numbers: [bucket] }) => bucket!)
  const isBucket = groups.some(({ numbers: [, place] }) => place === 0)
  if (isBucket) return new Moments(Uint32Array.from(bucketOf, bucketKey), sums, { by: 'bucket' })
  const keys = groups.map(({ numbers: [bucket, place] }) => clusterKey(`${bucket}.${place}`))
  return new Moments(Uint32Array.from(keys), sums, { buckets: () => Uint16Array.from(bucketOf) })
}
