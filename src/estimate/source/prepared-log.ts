import { daysOf } from '../../log/days.js'
import { type Guest, guestOf } from '../../log/guest.js'
import type { Log } from '../../log/log.js'
import { ArrayAnswers } from '../../queries/array-answers.js'
import { idBucket } from '../../sql/id-bucket.js'
import { type FaultCount, faultsOf } from './broken-rows.js'
import { type Clusters, clustersOf } from './clusters.js'
import { type ClusterBy, type ClusterColumn, Moments, columnsOfCluster, groupingOf } from './moments.js'
import { type CrossFitted, type RewardModel, crossFit } from '../reward/reward-model.js'
import type { SlatePropensities } from '../slate/slate-term.js'
import { type SettledPropensities, settlePropensities } from '../slate/slate-propensities.js'
import type { RewardFacts } from './source.js'
import { type WeighedRows, sumTerms } from './sum-terms.js'
import { predictionsOfShown, shownItems } from '../target.js'
import { type Term, one, reward } from '../term.js'

/** Models of the reward, and what they predict for the items shown. */
interface Predicted {
  readonly models: CrossFitted
  /** q̂(u, a) of the item of each row. */
  readonly prediction: Float64Array
}

/**
 * A log with what every target asks of it again and none changes: which rows belong together, sums of rewards,
 * models of the reward. Each is made when first asked for, and kept.
 */
export class PreparedLog {
  readonly log: Log
  readonly #clusters = new Map<ClusterBy, Clusters>()
  readonly #sums = new Map<ClusterBy, ReadonlyMap<string, Float64Array>>()
  readonly #predicted = new Map<RewardModel, Map<number, Predicted>>()
  readonly #settled = new Map<SlatePropensities | undefined, SettledPropensities>()
  #guest: Guest | null | undefined
  #shown: Uint8Array | undefined
  #faults: FaultCount | undefined
  #floorShare: number | null | undefined
  #days: number | null | undefined
  #rewards: RewardFacts | undefined
  readonly #answers = new Map<ClusterColumn, ArrayAnswers>()

  constructor(log: Log) {
    this.log = log
  }

  /** Which rows belong together. */
  clusters(clusterBy: ClusterBy): Clusters {
    return kept(this.#clusters, clusterBy, () =>
      columnsOfCluster(clusterBy).length === 1
        ? clustersOf(this.log, clusterBy)
        : clustersOf(this.log, clusterBy, (column) => this.clusters(column)),
    )
  }

  /** Sums by cluster of rows and of rewards, by the name of the term. */
  sums(clusterBy: ClusterBy): ReadonlyMap<string, Float64Array> {
    return kept(this.#sums, clusterBy, () =>
      sumTerms({ log: this.log, weight: NO_WEIGHTS }, [one, reward], this.clusters(clusterBy)),
    )
  }

  /** What answers batches about its rows, column u being the buckets of these clusters. */
  answers(clusterBy: ClusterColumn): ArrayAnswers {
    return kept(this.#answers, clusterBy, () => {
      const { rows, user, userIds, item, itemIds, reward: r, propensity: b, time: t, position: k } = this.log
      const { index, buckets } = this.clusters(clusterBy)
      const u = valuesOfRows(index, buckets())
      const i = valuesOfRows(item, Uint16Array.from(itemIds, idBucket))
      const columns = { r, b, t, k, n: this.log.weight, u, i }
      return new ArrayAnswers({ rows, user, users: userIds.length, item, itemIds, columns })
    })
  }

  /** A reward model cross-fitted to the log, and its predictions. */
  predicted(rewardModel: RewardModel, seed: number): Predicted {
    const bySeed = kept(this.#predicted, rewardModel, () => new Map<number, Predicted>())
    return kept(bySeed, seed, () => {
      const models = crossFit(rewardModel, this.log, seed)
      return { models, prediction: predictionsOfShown(this.log, models) }
    })
  }

  /** Number of users with rows. */
  get users(): number {
    // A guest's rows are in many clusters.
    return this.guest ? new Set(this.log.user).size : this.clusters('user').count
  }

  /** The user id that is no person. */
  get guest(): Guest | null {
    if (this.#guest === undefined) this.#guest = guestOf(this.log)
    return this.#guest
  }

  /** 1 for each item that the log shows, 0 for the others. */
  get shown(): Uint8Array {
    return (this.#shown ??= shownItems(this.log))
  }

  /** What the propensities of its pages are taken for. */
  settled(stated: SlatePropensities | undefined): SettledPropensities {
    return kept(this.#settled, stated, () => settlePropensities(this.log, stated))
  }

  /** Days on which rows were shown; null where the log has no times of a clock. */
  get days(): number | null {
    if (this.#days === undefined) this.#days = daysOf(this.log)?.ids.length ?? null
    return this.#days
  }

  /** What its rewards are like. */
  get rewards(): RewardFacts {
    return (this.#rewards ??= rewardFactsOf(this.log.reward))
  }

  /** What is wrong with its rows, whatever the target. */
  get faults(): FaultCount {
    return (this.#faults ??= faultsOf(this.log))
  }

  /** Share of rows at the lowest propensity; null without propensities. */
  get floorShare(): number | null {
    if (this.#floorShare === undefined) this.#floorShare = floorShareOf(this.log)
    return this.#floorShare
  }
}

/** The sums of terms over rows in typed arrays. What no target changes comes from `prepared`, which is of the same log. */
export function momentsOf(
  rows: WeighedRows,
  terms: readonly Term[],
  clusterBy: ClusterBy,
  prepared = new PreparedLog(rows.log),
): Moments {
  const clusters = prepared.clusters(clusterBy)
  const known = prepared.sums(clusterBy)
  const others = terms.filter(({ name }) => !known.has(name))
  const summed = others.length > 0 ? sumTerms(rows, others, clusters) : new Map<string, Float64Array>()
  const sums = terms.map(({ name }): [string, Float64Array] => [name, (known.get(name) ?? summed.get(name))!])
  return new Moments({ length: clusters.count, made: clusters.keys }, new Map(sums), groupingOf(clusters))
}

/** Share of rows at the lowest propensity; null without propensities. */
export function floorShareOf({ propensity, rows }: Log): number | null {
  if (!propensity) return null
  let floor = Infinity
  let count = 0
  for (let row = 0; row < rows; row++) {
    const b = propensity[row]!
    if (b < floor) [floor, count] = [b, 0]
    if (b === floor) count++
  }
  return count / rows
}

function rewardFactsOf(reward: Float64Array): RewardFacts {
  let [least, most, isBinary] = [Infinity, -Infinity, true]
  for (let row = 0; row < reward.length; row++) {
    const r = reward[row]!
    if (r < least) least = r
    if (r > most) most = r
    if (r !== 0 && r !== 1) isBinary = false
  }
  return { least, most, isBinary }
}

/** The value of what each row belongs to. */
const valuesOfRows = (index: Uint32Array, values: Uint16Array): Uint16Array =>
  new Uint16Array(index.length).map((_, row) => values[index[row]!]!)

/** Rows and rewards are summed without a target's weights. */
const NO_WEIGHTS = new Float64Array(0)

/** The value of a key, made where there is none yet. */
function kept<Key, Value>(known: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = known.get(key)
  if (value === undefined) known.set(key, (value = make()))
  return value
}
