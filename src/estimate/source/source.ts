import type { JoinFacts } from '../../log/join/join-facts.js'
import type { PropensitySource } from '../../log/log.js'
import type { Answers, Batch } from '../../queries/query.js'
import type { LogShape } from '../../verdict/frame.js'
import type { Origin } from '../../policy/policy.js'
import type { SettledPropensities } from '../slate/slate-propensities.js'
import type { RowKind, Term } from '../term.js'
import type { WeightSummary } from '../weight-summary.js'
import type { BrokenRows } from './broken-rows.js'
import type { ClusterBy, ClusterColumn, Moments } from './moments.js'

export type { RowKind } from '../term.js'

/** Two ways in which rows may depend on each other. */
export type Ways = readonly [ClusterColumn, ClusterColumn]

/** Why a source did not compute something, as the rest of a sentence: "it needs …". It becomes a reason in the verdict. */
export interface Lacking {
  readonly lacking: string
}

/** A fact, or why it is not known. */
export type Known<Fact> = Fact | Lacking

export const isLacking = (known: unknown): known is Lacking =>
  typeof known === 'object' && known !== null && 'lacking' in known

/** What rewards are like. */
export interface RewardFacts {
  readonly least: number
  readonly most: number
  /** Every reward is 0 or 1: clicks. */
  readonly isBinary: boolean
}

/** What sums alone do not say about a log and a target. Null where there is no such number, such as a largest weight where no row has any. */
export interface Facts {
  readonly rows: number
  /** Users with rows. */
  readonly users: number
  /** Items that could have been shown. */
  readonly items: number
  readonly propensitySource: PropensitySource
  /** False where weights are 1 whatever the propensities: the target is the logging policy. */
  readonly usesPropensities: boolean
  /** Rows that cannot be used, by what is wrong with them. Nothing is estimated from a log that has any. */
  readonly broken: BrokenRows
  readonly rewards: Known<RewardFacts>
  /** Days on which rows were shown; null where the log has no times of a clock. */
  readonly days: Known<number | null>
  readonly maxWeight: Known<number | null>
  /** The largest weights in ascending order, at least `paretoTail(rows)` of them: for the shape of the tail. */
  readonly largestWeights: Known<Float64Array>
  /** Share of the total weight on the heaviest row. */
  readonly topShare: Known<number | null>
  /** Share of the total weight on the heaviest 1 % of rows. */
  readonly topPercentShare: Known<number | null>
  /** Share of rows at the lowest propensity; null without propensities. */
  readonly floorShare: Known<number | null>
  /** Probability that the target shows an item the log never shows; null where the catalogue or the policy is not known. */
  readonly unsupportedMass: Known<number | null>
}

/**
 * How the rows of several loggers are weighed, by the names of the loggers. `strata`: π/b of the row's own logger, times the
 * factor of that logger. `balanced`: π/Σ_j share_j b_j, the probability of the item under all of them.
 */
export type LoggerWeighing =
  | { readonly kind: 'strata'; readonly names: readonly string[]; readonly factors: readonly number[] }
  | { readonly kind: 'balanced'; readonly names: readonly string[]; readonly shares: readonly number[] }

/** A log that marks which of several loggers drew each row. */
export interface MarkedLoggers {
  /** The column with their names, by which rows can be summed: `column:NAME`. */
  readonly column: string
  /** Whether the log has the probability of the item shown under every logger. */
  readonly areProbabilitiesKnown: boolean
  /** The same rows weighed so; their column l is the place of their logger among the names. */
  weighed(weighing: LoggerWeighing): SumSource
}

/** The largest values of a term, ascending, of so many rows or pages: for the shape of its tail. */
export interface Tail {
  readonly largest: Float64Array
  readonly count: number
}

/**
 * A log as a target policy sees it, wherever its rows live: typed arrays in memory, a database, a warehouse. All that an
 * evaluation needs of it; only sums and some hundred numbers cross this seam. `sourceConformance` holds one to the others.
 */
export interface SumSource {
  /** What computes the sums: `memory`, `duckdb`. */
  readonly engine: string
  /** As messages call the log (default: the log). */
  readonly name?: string
  /** The name of the target policy, for the answer. */
  readonly target: string
  /** The temperature of the target, where it was chosen for an amount of exploration. */
  readonly matchedTemperature?: number
  /** Where the target comes from; absent if nobody knows. */
  readonly origin?: Origin | undefined
  /** What became of the outcomes, where rewards were joined from another table. */
  readonly join?: JoinFacts | undefined
  /** Rewards are predicted by the mean of an item, whoever is shown it, and the target treats users differently. */
  readonly modelIgnoresUsers?: boolean
  /** The loggers of the rows, where the log marks them; `facts` throws where one of them lacks its probabilities and others have them. */
  readonly loggers?: MarkedLoggers | undefined
  /** The sums of these terms by cluster, or by buckets of clusters where there are too many of those. */
  moments(terms: readonly Term[], clusterBy: ClusterBy, rows?: RowKind): Promise<Known<Moments>>
  /**
   * The sums by the first of two ways, crossed with those of the other and of the cells of both; undefined where it is as well to ask for each
   * by itself, as it is of a source without this.
   */
  crossed?(terms: readonly Term[], ways: Ways, rows?: RowKind): Promise<Moments | undefined>
  facts(): Promise<Facts>
  /** Which columns the log has that checks go by. */
  readonly holds: Pick<LogShape, 'hasTimes' | 'hasPositions' | 'hasPages' | 'isThinned'>
  /** It has the answers to one batch alone, that of all checks with all repairs. */
  readonly answersOnce?: boolean
  /** The answers to a batch about the rows as the target sees them; `clusterBy` (default: user) is what column u has the buckets of. */
  ask(batch: Batch, clusterBy?: ClusterColumn): Promise<Known<Answers>>
  /** What the propensities of pages are taken for; null where that does not matter. Absent where pages cannot be summed. */
  pages?(): Promise<SettledPropensities | null>
  /** The largest values of a term over single rows or pages, at least `paretoTail(count)` of them. */
  tail(term: Term, rows?: RowKind): Promise<Known<Tail>>
  /** The weight that half of those above zero do not exceed, the lower of two in the middle; null where there are none. For choosing λ. */
  medianWeight(): Promise<Known<number | null>>
  /** The distribution of the weights. */
  weights(): Promise<Known<WeightSummary>>
}
