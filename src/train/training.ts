import type { Graph } from '../graph/graph.js'
import type { Split } from '../log/split.js'
import type { Lead } from '../metrics/by-user.js'
import type { RankingMetrics } from '../metrics/ranking-metrics-of.js'
import type { RatedMetrics } from '../metrics/rated-metrics.js'
import type { Certificate } from './certificate.js'
import type { RatingErrors } from './rating-errors.js'
import type { TrainSettings } from './settings.js'
import type { OnTestLog, TestLogFacts } from './test-log.js'
import type { WeightsInBrief, WeightsReport } from './weights-report.js'

export const TRAINING_SCHEMA = 'hindcast.training/1'

/** The value of the model's policy softmax(scores / temperature), from the validation log. */
export interface PolicyValue {
  readonly value: number | null
  readonly interval: readonly [number, number] | null
  /** The lower of the lower ends of SNIPS and IPS, where the epoch is chosen by it. */
  readonly atLeast?: number | null
  readonly ess: number | null
  readonly essRatio: number | null
  /** Why the interval may be too narrow, where it may. */
  readonly doubt?: string
}

/** One epoch of training, as a line of epochs.ndjson. */
export interface EpochRecord {
  readonly epoch: number
  /** Steps taken so far. */
  readonly steps: number
  /** Mean weighted loss of the epoch's samples. */
  readonly loss: number
  /** NDCG and recall at `settings.k` on the validation clicks; null where there are none. */
  readonly ndcg: number | null
  readonly recall: number | null
  /** Null where the log has no propensities. */
  readonly snips: PolicyValue | null
  /** What training stops on, where it is none of the above; null where it was not measured. */
  readonly stopping?: number | null
  /** On the validation ratings, where the loss learns them. */
  readonly ratings?: RatingErrors | null
  /** Of the training weights of this epoch. */
  readonly weights: WeightsInBrief
  /** Seconds of training and of everything, evaluation included. */
  readonly trainSeconds: number
  readonly seconds: number
}

/** How well a model ranks, on the validation clicks and on the test clicks. */
export interface RankedModel {
  /** A model of `TRAINED_MODELS`, or a baseline: `lightgcn`, `popularity`. */
  readonly model: string
  readonly validation: RankingMetrics | null
  readonly test: RankingMetrics | null
  /** What showing items in proportion to 1/rank would earn, on test rows that training did not show; left out without propensities. */
  readonly policy?: PolicyValue
  /** Of a baseline: how far the trained model leads it, user by user, on the test clicks, or those of validation where there are none. */
  readonly lead?: Lead
  /** Among the rated items of the test part, where the loss learns ratings. */
  readonly rated?: RatedMetrics | null
  /** On a test log of one's own. */
  readonly testLog?: OnTestLog | null
}

/** Parameters of a solved model that were tried, and how the validation clicks were ranked with them. */
export interface Tried {
  readonly parameters: Readonly<Record<string, number>>
  readonly value: number | null
}

/** The outcome of training: what `hindcast train` writes as JSON. */
export interface Training {
  readonly schema: typeof TRAINING_SCHEMA
  readonly log: {
    readonly rows: number
    readonly users: number
    readonly items: number
    /** What a linear policy knows rows by. */
    readonly features?: readonly string[]
    readonly propensitySource: 'logged' | 'estimated' | 'assumed' | 'none'
    readonly trainClicks: number
    readonly validationClicks: number
    readonly testClicks: number
  }
  readonly settings: TrainSettings
  /** The distribution of the training weights, before the first step. */
  readonly weights: WeightsReport
  readonly epochs: readonly EpochRecord[]
  /** The epoch whose model was kept, never chosen on the test part. */
  readonly best: { readonly epoch: number; readonly measure: string; readonly value: number | null }
  /** Why it ended; `solved` for a model without gradients. */
  readonly stopped: 'patience' | 'epochs' | 'interrupted' | 'solved'
  /** What was tried to choose the parameters of a solved model, in order. */
  readonly tried?: readonly Tried[]
  /** The models that were solved where none was chosen, in order, and what the best was chosen by. */
  readonly chosenFrom?: readonly { readonly model: string; readonly value: number | null }[]
  /** A test log of one's own: what it holds, and what of it was used. */
  readonly testLog?: TestLogFacts
  /** What predicted ratings are relative to, where the loss learns them: the prediction is this plus the score. */
  readonly meanRating?: number
  /** The trained model first, then baselines. */
  readonly ranked: readonly RankedModel[]
  /** What the policy of an objective surely earns, on the test part. */
  readonly certificate?: Certificate
  /** What the user should know, as sentences: events left out, a small effective sample size, … */
  readonly notes: readonly string[]
}

/** What a training says about its log and the parts it was divided into. */
export const loggedParts = (
  { train, validation, test }: Split,
  graph: Graph,
  judge: Record<'validationClicks' | 'testClicks', number>,
): Training['log'] => ({
  rows: train.rows + validation.rows + test.rows,
  users: train.userIds.length,
  items: train.itemIds.length,
  propensitySource: train.propensitySource,
  trainClicks: graph.edges,
  validationClicks: judge.validationClicks,
  testClicks: judge.testClicks,
})
