import type { VerdictLevel } from 'hindcast'
import type { StudySettings } from './settings.js'

export const STUDY_SCHEMA = 'hindcast.study/1'

/** All that a study found: every number behind every figure, table and claim. What `results.json` holds. */
export interface StudyResults {
  readonly schema: typeof STUDY_SCHEMA
  /** Version of Hindcast. */
  readonly version: string
  /** `toy`, `movielens` or both; parts of what was not asked for are null. */
  readonly parts: readonly ('toy' | 'movielens')[]
  readonly settings: StudySettings
  /** One run of everything for each. All `OverSeeds` are in this order. */
  readonly seeds: readonly number[]
  /** Where the MovieLens parts took their ratings from; null without those parts. */
  readonly ratings: RatingsSources | null
  readonly toy: ToyResults | null
  /** MovieLens 1M as it is, or simulated ratings of its size. */
  readonly description: RatingsDescription | null
  /** Exposure bias from strong to weak: the MovieLens world first, then the toy world. */
  readonly bias: readonly BiasSweep[]
  readonly methods: MethodsResults | null
  /** Learning curves at one temperature after another, that of the paper's claim (1) first; empty without the MovieLens part. */
  readonly curves: readonly CurvesResults[]
  readonly regulariser: RegulariserSweep | null
  readonly misspecification: MisspecificationSweep | null
  readonly targets: TargetChoices | null
  /** The claims of the paper, each put to the test. */
  readonly claims: readonly Claim[]
  /** What was found, in a few sentences, the most important first. */
  readonly summary: readonly string[]
  /** What differs between two runs of the same study: when, where, how long. Nothing else does. */
  readonly run: StudyRun
}

export interface StudyRun {
  /** ISO 8601, UTC. */
  readonly startedAt: string
  /** Wall time of this run, steps that were reused not counted. */
  readonly seconds: number
  /** Wall time of all steps, whenever they were run. */
  readonly stepSeconds: number
  readonly threads: number
  /** As `node v20.20.0`. */
  readonly engine: string
  readonly steps: readonly {
    readonly step: string
    readonly seconds: number
    /** Taken from an earlier run of the same settings. */
    readonly reused: boolean
  }[]
}

/** A number measured once for each seed. */
export interface OverSeeds {
  /** In the order of `seeds`; null where a seed has none. */
  readonly values: readonly (number | null)[]
  /** Of the values there are; null without any. */
  readonly mean: number | null
  /** 95 % Student interval of the mean over seeds; null for fewer than two values. */
  readonly interval: Interval | null
}

export type Interval = readonly [number, number]

/** How many of the seeds were given each verdict. */
export type VerdictCounts = Readonly<Record<VerdictLevel, number>>

/** Where ratings come from. */
export interface RatingsSource {
  /** `MovieLens 100K`, or what stands in for it. */
  readonly name: string
  readonly isReal: boolean
  /** To be said wherever its results are shown; null for the real ones. */
  readonly note: string | null
  readonly ratings: number
  readonly users: number
  readonly items: number
}

export interface RatingsSources {
  /** The world of the experiments. */
  readonly world: RatingsSource
  /** The description. */
  readonly description: RatingsSource
}

/** Impressions and clicks of each item, or of each user; the place is the index. */
export interface Counts {
  readonly impressions: readonly number[]
  readonly clicks: readonly number[]
}

/** How exposure and activity are spread. */
export interface Spread {
  /** Gini coefficient of the impressions of items, of the whole catalogue. */
  readonly exposureGini: number
  /** Share of impressions on the tenth of the items shown most. */
  readonly topTenthShare: number
  /** 95 %, items left out in turn. */
  readonly topTenthShareInterval: Interval | null
  readonly medianExposure: number
  readonly maxExposure: number
  /** Items never shown. */
  readonly neverShown: number
  /** Of the impressions of users; in the toy world all have the same by design. */
  readonly activityGini: number
  /** Share of impressions of the most active tenth of the users. */
  readonly topTenthActivity: number
  readonly topTenthActivityInterval: Interval | null
}

/** How far click rates of items shown alike often lie apart, by how often they were shown. */
export interface ClickRateSpread {
  /** From the items shown least to those shown most, of about as many items each; items never shown left out. */
  readonly bins: readonly {
    readonly items: number
    readonly fewest: number
    readonly most: number
    /** Mean impressions of an item. */
    readonly impressions: number
    readonly meanClickRate: number
    /** Standard deviation of the items' click rates. */
    readonly deviation: number
    /** Standard deviation that chance alone would give items of this mean click rate. */
    readonly deviationByChance: number
    /** Share of items whose click rate is exactly 0 or 1. */
    readonly extreme: number
  }[]
  /** Deviation of the first bin over that of the last; null where the last has none. */
  readonly ratio: number | null
  /** 95 %, items left out in turn. */
  readonly ratioInterval: Interval | null
}

/** The toy world of the paper's appendix. */
export interface ToyResults {
  readonly world: {
    readonly users: number
    readonly items: number
    readonly exposures: number
    readonly beta: readonly [number, number]
    readonly skew: number
  }
  /** Items of the first seed's log, from the least favoured to the most. */
  readonly items: Counts & {
    /** True click rate, mean over users. */
    readonly trueClickRate: readonly number[]
    /** Impressions that the logging policy gives on average. */
    readonly expectedImpressions: readonly number[]
  }
  readonly spread: Spread
  readonly clickRates: ClickRateSpread
  /** Over seeds: deviation of the least shown items' click rates over that of the most shown. */
  readonly clickRateRatio: OverSeeds
  /** Over seeds: share of impressions on the tenth of the items shown most. */
  readonly topTenthShare: OverSeeds
  /** Uniform first, as in the paper. */
  readonly targets: readonly ToyTarget[]
}

export interface ToyTarget {
  readonly target: string
  /** In words. */
  readonly label: string
  /** True value in the world of the first seed. */
  readonly truth: number
  /** Bootstrap resamples of the users of the first seed's log, as in the paper. */
  readonly bootstrap: EstimatorDraws
  /** Independent logs of the first seed's world: the sampling distribution itself. */
  readonly logs: EstimatorDraws
  /** Bootstrap variance of SNIPS over that of IPS, one log per seed. */
  readonly varianceRatio: OverSeeds
}

/** Draws of two estimators, in pairs. Align means for a figure: subtract each estimator's own mean and add a common one. */
export interface EstimatorDraws {
  readonly ips: readonly number[]
  readonly snips: readonly number[]
  readonly ipsMean: number
  readonly snipsMean: number
  readonly ipsVariance: number
  readonly snipsVariance: number
  /** Variance of SNIPS over that of IPS, with its 95 % interval by the jackknife of its logarithm. */
  readonly ratio: { readonly value: number; readonly interval: Interval | null }
}

/** Ratings of MovieLens 1M (or simulated ones) taken as a log: shown is rated, clicked is rated 4 or more. */
export interface RatingsDescription {
  readonly source: RatingsSource
  readonly clickRate: number
  readonly items: Counts
  readonly users: Counts
  readonly spread: Spread
  readonly clickRates: ClickRateSpread
  /** Shares of items whose click rate is below a tenth, and above nine tenths. */
  readonly lowClickRates: number
  readonly highClickRates: number
}

/** Estimates of fixed and learned policies as the logging policy goes from peaked to uniform. */
export interface BiasSweep {
  readonly world: 'movielens' | 'toy'
  /** In words, with a note where ratings are simulated. */
  readonly label: string
  readonly temperatures: readonly number[]
  readonly targets: readonly BiasTarget[]
}

export interface BiasTarget {
  /** `uniform`, `popularity`, `taste`, `learned`. */
  readonly target: string
  readonly label: string
  /** In the order of `temperatures`. */
  readonly points: readonly BiasPoint[]
  /** Where each measure is largest: the temperature, one per seed. */
  readonly peak: {
    readonly snips: OverSeeds
    readonly truth: OverSeeds
    readonly essRatio: OverSeeds
  }
}

export interface BiasPoint {
  readonly temperature: number
  readonly truth: OverSeeds
  readonly snips: OverSeeds
  readonly ips: OverSeeds
  /** 95 % interval of SNIPS within each seed's log, and how many of them hold the truth. */
  readonly snipsIntervals: readonly (Interval | null)[]
  readonly covered: number
  readonly ess: OverSeeds
  /** ESS over the rows of the log. */
  readonly essRatio: OverSeeds
  /** Bootstrap variance of SNIPS over that of IPS. */
  readonly varianceRatio: OverSeeds
  readonly verdicts: VerdictCounts
}

/** Ways to train, and baselines. */
export const STUDY_METHODS = [
  'bpr',
  'ips-bpr',
  'ips-bpr-pr',
  'ips-bce',
  'popularity',
  'item-knn',
  'ease',
] as const
export type StudyMethod = (typeof STUDY_METHODS)[number]

/** For figures, tables and sentences. */
export const METHOD_LABELS: Readonly<Record<StudyMethod, string>> = {
  bpr: 'BPR',
  'ips-bpr': 'IPS-BPR',
  'ips-bpr-pr': 'IPS-BPR + PR',
  'ips-bce': 'IPS-BCE',
  popularity: 'Popularity',
  'item-knn': 'Item kNN',
  ease: 'EASE',
}

export const STUDY_ESTIMATORS = ['dm', 'ips', 'snips', 'dr'] as const
export type StudyEstimator = (typeof STUDY_ESTIMATORS)[number]

export interface MethodsResults {
  readonly temperatures: readonly number[]
  /** Adam steps of every trained method. */
  readonly steps: number
  /** k of the ranking metrics. */
  readonly k: number
  /** By temperature, then seed, then method. */
  readonly runs: readonly MethodRun[]
  /** By temperature, then method: the runs over seeds. */
  readonly summaries: readonly MethodSummary[]
}

/**
 * One method, trained on one log and valued on another, on pairs that its training did not show. Users count by
 * the share of their impressions that falls on such pairs, in the truth as in the log.
 */
export interface MethodRun {
  readonly method: StudyMethod
  readonly temperature: number
  readonly seed: number
  /** Distinct clicked pairs in training. */
  readonly trainClicks: number
  /** Effective share of the training events after weights and regulariser; null for baselines. */
  readonly trainingEssRatio: number | null
  /** Rows of the held-out log on pairs not shown in training: all that is valued. */
  readonly heldOutRows: number
  /** True value of the policy π ∝ 1/rank over the items not shown in training. */
  readonly truth: number
  /** True value of uniform over the same items. */
  readonly chance: number
  readonly estimates: readonly MethodEstimate[]
  readonly ess: number | null
  readonly essRatio: number | null
  readonly verdict: VerdictLevel
  /** Why, gravest first. */
  readonly reasons: readonly string[]
  /** Finding held-out clicks of a log of the logging policy, and of one of uniform exposure. */
  readonly biased: RankingQuality
  readonly uniform: RankingQuality
}

export interface MethodEstimate {
  readonly estimator: StudyEstimator
  readonly value: number | null
  /** value − truth. */
  readonly error: number | null
  /** Over bootstrap resamples of the users. */
  readonly variance: number | null
  readonly interval: Interval | null
}

/** Ranking metrics at k of all items not shown in training; null without held-out clicks. */
export interface RankingQuality {
  readonly users: number
  readonly ndcg: number | null
  readonly recall: number | null
  /** Held-out clicks of each popularity bucket alone: `head`, `middle`, `tail`. */
  readonly buckets: readonly {
    readonly bucket: string
    readonly items: number
    readonly ndcg: number
    readonly recall: number
    /** Share of recommendations in the bucket. */
    readonly recommendedShare: number
  }[]
}

export interface MethodSummary {
  readonly method: StudyMethod
  readonly temperature: number
  readonly truth: OverSeeds
  readonly chance: OverSeeds
  readonly essRatio: OverSeeds
  readonly verdicts: VerdictCounts
  readonly estimators: readonly {
    readonly estimator: StudyEstimator
    readonly value: OverSeeds
    /** Of value − truth over seeds: its mean is the bias. */
    readonly error: OverSeeds
    /** Mean bootstrap variance. */
    readonly variance: number | null
    /** √ of the mean squared error over seeds. */
    readonly rmse: number | null
    /** Share of the seeds' intervals that hold the truth. */
    readonly coverage: number | null
  }[]
  readonly biased: QualityOverSeeds
  readonly uniform: QualityOverSeeds
}

export interface QualityOverSeeds {
  readonly ndcg: OverSeeds
  readonly recall: OverSeeds
  readonly buckets: readonly {
    readonly bucket: string
    readonly ndcg: OverSeeds
    readonly recall: OverSeeds
    readonly recommendedShare: OverSeeds
  }[]
}

/** Learning curves of plain BPR, IPS-BPR and IPS-BPR + PR. */
export interface CurvesResults {
  readonly temperature: number
  /** α of PR. */
  readonly alpha: number
  readonly curves: readonly LearningCurve[]
}

export interface LearningCurve {
  readonly method: StudyMethod
  readonly points: readonly CurvePoint[]
  /**
   * Unsteadiness of early training: standard deviation of the changes from point to point within the first
   * third, of SNIPS and of the true value. In clicks per impression.
   */
  readonly early: { readonly snips: OverSeeds; readonly truth: OverSeeds }
  /** Late overfitting: the best point minus the last one, of SNIPS and of the true value; at least 0. */
  readonly drop: { readonly snips: OverSeeds; readonly truth: OverSeeds }
  /** Value at the last point. */
  readonly last: { readonly snips: OverSeeds; readonly truth: OverSeeds }
  /** Largest value of any point. */
  readonly best: { readonly snips: OverSeeds; readonly truth: OverSeeds }
}

export interface CurvePoint {
  readonly epoch: number
  /** Adam steps so far, by the first seed; the others' are as close as whole epochs allow. */
  readonly steps: number
  /** On a log of its own, on pairs not shown in training. */
  readonly snips: OverSeeds
  readonly truth: OverSeeds
  readonly essRatio: OverSeeds
}

/** α of the propensity regulariser ω = w/(1 + α·w), w = π/b with a uniform π: from none, IPS-BPR, to all, plain BPR. */
export interface RegulariserSweep {
  readonly temperature: number
  readonly steps: number
  readonly points: readonly RegulariserPoint[]
}

export interface RegulariserPoint {
  /** Null is ∞: every click counts alike, as in plain BPR. */
  readonly alpha: number | null
  /** Effective share of the training events. */
  readonly trainingEssRatio: OverSeeds
  readonly truth: OverSeeds
  readonly snips: OverSeeds
  readonly ndcgBiased: OverSeeds
  readonly ndcgUniform: OverSeeds
}

/** Propensities that are wrong by an exponent: b^γ, renormalised over the items. */
export interface MisspecificationSweep {
  readonly temperature: number
  readonly targets: readonly {
    readonly target: string
    readonly label: string
    readonly truth: OverSeeds
    readonly points: readonly MisspecificationPoint[]
  }[]
}

export interface MisspecificationPoint {
  readonly gamma: number
  readonly estimators: readonly {
    readonly estimator: StudyEstimator
    /** Of value − truth. */
    readonly error: OverSeeds
    readonly rmse: number | null
  }[]
  /** Far from 1 where the propensities are wrong. */
  readonly meanWeight: OverSeeds
  readonly verdicts: VerdictCounts
}

/** What a log can say about a policy depends on the policy. */
export interface TargetChoices {
  readonly temperature: number
  readonly rows: readonly TargetChoice[]
}

export interface TargetChoice {
  readonly target: string
  readonly label: string
  readonly truth: OverSeeds
  readonly snips: OverSeeds
  readonly error: OverSeeds
  /** Half the width of the 95 % interval of SNIPS within a log. */
  readonly halfWidth: OverSeeds
  /** Share of seeds whose interval holds the truth. */
  readonly coverage: number | null
  readonly ess: OverSeeds
  readonly essRatio: OverSeeds
  readonly verdicts: VerdictCounts
  /** Most frequent reason of the verdict. */
  readonly reason: string | null
}

export const CLAIM_VERDICTS = ['holds', 'does not hold', 'depends', 'undecided'] as const
export type ClaimVerdict = (typeof CLAIM_VERDICTS)[number]

/** A claim of the paper and what became of it. */
export interface Claim {
  /** A word or two for links: `snips-variance`. */
  readonly id: string
  /** In our words. */
  readonly claim: string
  /** What was measured and what would have to be seen. */
  readonly test: string
  readonly verdict: ClaimVerdict
  /** The number the verdict rests on first; then the other readings. */
  readonly effects: readonly ClaimEffect[]
  /** Why this verdict, with the numbers, in a sentence or two. */
  readonly explanation: string
  /** The reading under which it does hold; null where it holds as it stands, or under none that was tried. */
  readonly holdsWhen: string | null
}

export interface ClaimEffect {
  /** What it is: `SNIPS over IPS, toy world`. */
  readonly label: string
  readonly value: number | null
  /** 95 %. */
  readonly interval: Interval | null
  /** `ratio of variances`, `clicks per impression`, `temperature`, `NDCG@10`, `Gini`. */
  readonly unit: string
  /** Seeds it rests on. */
  readonly seeds: number
  /** What the claim says of this number: above or below `than`, or within a range. */
  readonly expected:
    | { readonly kind: 'above' | 'below'; readonly than: number }
    | { readonly kind: 'within'; readonly range: Interval }
  /** Yes and no where the whole interval says so, else unclear. */
  readonly agrees: 'yes' | 'no' | 'unclear'
}
