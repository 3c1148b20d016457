import { type Advice, advice, set } from '../advice.js'
import type { RankingMetrics } from '../metrics/ranking-metrics-of.js'
import { type Named, recordsOf, Registry } from '../registry.js'
import type { RatingErrors } from './rating-errors.js'
import type { EpochRecord, PolicyValue } from './training.js'

/** Decides which epoch is best and when to stop; larger is better. In its label, `@k` stands for the cut-off. */
export interface EpochMeasure<Name extends string = string> extends Named<Name> {
  /** `corrected` measures need propensities, and do not favour what was shown most. */
  readonly family: 'as logged' | 'corrected'
  /** It is an error, of which less is better: its value is minus the error. */
  readonly isError?: true
  /** Its value for an epoch; null where it is undefined. */
  value(judged: JudgedEpoch): number | null
  /** The same from the record of an epoch, where that holds it by its name; others are its `stopping`. */
  recorded?(record: EpochRecord): number | null
  /** Why it cannot be computed on these parts, and what to do; undefined where it can. */
  lack?(held: HeldOut): { readonly reason: string; readonly remedy: string | Advice } | undefined
}

/** What is known of a model after an epoch. */
export interface JudgedEpoch {
  /** On the validation clicks; null where there are none. */
  readonly metrics: RankingMetrics | null
  readonly snips: PolicyValue | null
  /** On the clicks of a log of uniform exposure, where there is one. */
  readonly unbiased?: RankingMetrics | null
  /** Of predicted ratings, where the loss learns them. */
  readonly ratings?: RatingErrors | null
}

/** What there is to judge by. */
export interface HeldOut {
  readonly hasPropensities: boolean
  /** Why there is no SNIPS, if there is none. */
  readonly withoutSnips: string | undefined
  /** Users with a click in the log of uniform exposure, where there is one. */
  readonly unbiasedUsers: number | undefined
  /** Whether the loss learns ratings. */
  readonly learnsRatings: boolean
}

const measure = recordsOf<EpochMeasure, 'docs'>('', { docs: 'metrics.md#early-stopping' })

const ndcg = measure('ndcg', {
  label: 'NDCG@k',
  family: 'as logged',
  meaning: 'NDCG@k on the validation clicks: how high a user’s held-out clicks are ranked.',
  value: ({ metrics }) => metrics?.ndcg.value ?? null,
  recorded: (record) => record.ndcg,
})

const recall = measure('recall', {
  label: 'recall@k',
  family: 'as logged',
  meaning: 'Recall@k on the validation clicks: the share of them among the first k.',
  value: ({ metrics }) => metrics?.recall.value ?? null,
  recorded: (record) => record.recall,
})

const mrr = measure('mrr', {
  label: 'MRR@k',
  family: 'as logged',
  meaning: 'MRR@k on the validation clicks: one over the rank of the first of them.',
  value: ({ metrics }) => metrics?.mrr.value ?? null,
})

const snips = measure('snips', {
  label: 'SNIPS',
  family: 'corrected',
  meaning: 'SNIPS of the model’s policy on the validation rows: does not favour items shown most.',
  value: ({ snips: value }) => value?.value ?? null,
  recorded: (record) => record.snips?.value ?? null,
  lack: ({ withoutSnips }) =>
    withoutSnips === undefined
      ? undefined
      : { reason: withoutSnips, remedy: advice`Stop on ndcg instead (${set('stopOn', ndcg.name)}).` },
})

export const lowerBound = measure('lower-bound', {
  label: 'lower bound of the value',
  family: 'corrected',
  meaning:
    'The lower end of the 95 % CI of SNIPS or IPS, whichever is lower, on the validation rows: a policy that only few rows support does not win.',
  value: ({ snips: value }) => surely(value),
  recorded: (record) => surely(record.snips),
  lack: snips.lack!,
})

/** The lower bound of a value that can be trusted. */
const surely = (value: PolicyValue | null): number | null =>
  value?.doubt === undefined ? (value?.atLeast ?? null) : null

export const unbiased = measure('unbiased', {
  label: 'unbiased NDCG@k',
  family: 'corrected',
  meaning: 'NDCG@k under uniform exposure: on such a log, or with clicks weighted by 1/propensity.',
  value: ({ metrics, unbiased: fair }) =>
    (fair === undefined ? metrics?.ips?.ndcg.value : fair?.ndcg.value) ?? null,
  lack({ hasPropensities, unbiasedUsers }) {
    if (unbiasedUsers === undefined && !hasPropensities)
      return {
        reason: 'there is neither an unbiased log nor propensities',
        remedy: advice`Give a log of uniform exposure with ${set('unbiased', 'FILE')}, or stop on ndcg.`,
      }
    return unbiasedUsers === 0
      ? {
          reason: 'the unbiased log has no click that training has not seen',
          remedy: 'Give a larger one.',
        }
      : undefined
  },
})

const negative = (error: number | null | undefined): number | null => (error == null ? null : -error)

const mse = measure('mse', {
  label: 'MSE',
  family: 'as logged',
  isError: true,
  meaning: 'Mean squared error of the validation ratings, for losses that learn ratings.',
  docs: 'ratings.md#when-it-stops',
  value: ({ ratings }) => negative(ratings?.mse),
  recorded: (record) => negative(record.ratings?.mse),
  lack: ({ learnsRatings }) =>
    learnsRatings
      ? undefined
      : {
          reason: 'the loss does not learn ratings',
          remedy: advice`Choose a loss such as ${set('loss', 'mse')}, or stop on ndcg.`,
        },
})

const weightedMse = measure('weighted-mse', {
  label: 'weighted MSE',
  family: 'corrected',
  isError: true,
  meaning: 'The same with each rating weighted by 1/propensity, as if all pairs had been rated.',
  docs: 'ratings.md#when-it-stops',
  value: ({ ratings }) => negative(ratings?.weightedMse),
  recorded: (record) => negative(record.ratings?.weightedMse),
  lack: (held) =>
    mse.lack!(held) ??
    (held.hasPropensities
      ? undefined
      : { reason: 'the log has no propensities', remedy: advice`Stop on ${set('stopOn', 'mse')}.` }),
})

const ALL = [ndcg, recall, mrr, snips, lowerBound, unbiased, mse, weightedMse] as const

export type StoppingMeasure = (typeof ALL)[number]['name']

/** What training can stop on, by name. */
export const STOPPING_MEASURES: Registry<EpochMeasure<StoppingMeasure>> = new Registry(
  'stopping measure',
  ALL,
)

/** What training stops on, from the record of an epoch, as it is drawn: an error without its sign. */
export function recordedMeasure(measure: string, record: EpochRecord): number | null {
  const known = STOPPING_MEASURES.find(measure)
  const value = (known?.recorded ? known.recorded(record) : record.stopping) ?? null
  return known?.isError ? negative(value) : value
}

/** The field of an epoch's record for a measure that has none of its own. */
export const stoppingField = (
  measure: StoppingMeasure,
  value: number | null,
): Pick<EpochRecord, 'stopping'> => (STOPPING_MEASURES.named(measure).recorded ? {} : { stopping: value })
