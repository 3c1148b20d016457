import { z } from 'zod'
import { DESCRIPTION_SCHEMA, type Description } from './describe/description.js'
import { COMPARISON_SCHEMA, type Comparison } from './estimate/comparison.js'
import { type Evaluation, EVALUATION_SCHEMA } from './estimate/evaluation.js'
import { DIAGNOSIS_SCHEMA, type Diagnosis } from './doctor/diagnosis.js'
import { type EstimatedPropensity, ESTIMATION_METHODS } from './propensity/estimated-propensity.js'
import { LOSSES, REGULARISERS, STOPPING_MEASURES, TRAINED_MODELS } from './train/settings.js'
import { type Training, TRAINING_SCHEMA } from './train/training.js'
import {
  CLAIM_VERDICTS,
  STUDY_ESTIMATORS,
  STUDY_METHODS,
  STUDY_SCHEMA,
  type StudyResults,
} from './study/results.js'
import { MODEL_SCHEMA, type ModelCard } from './model/model-card.js'
import { RECOMMENDATIONS_SCHEMA, type Recommendations } from './model/recommendations.js'

const probability = z.number().min(0).max(1)
const count = z.number().min(0)
const pair = z.tuple([z.number(), z.number()]).readonly()

const estimatedPropensity: z.ZodType<EstimatedPropensity> = z.strictObject({
  method: z.enum(ESTIMATION_METHODS),
  probabilityOf: z.enum(['shown', 'seen']),
  parameters: z.record(z.string(), z.number()),
  folds: count.int(),
  floor: probability.exactOptional(),
  rowsAtFloor: count.int(),
  calibration: z.strictObject({
    bins: z.array(
      z.strictObject({
        label: z.string().exactOptional(),
        part: z.string().exactOptional(),
        predicted: count,
        observed: count,
        interval: pair,
        exposures: count,
      }),
    ),
    error: count,
    errorByChance: count,
  }),
})

/** What `hindcast describe --json` writes. */
export const descriptionSchema: z.ZodType<Description> = z.strictObject({
  schema: z.literal(DESCRIPTION_SCHEMA),
  rows: count.int(),
  impressions: count,
  users: count.int(),
  items: count.int(),
  clicks: count,
  clickRate: probability,
  clickRateInterval: pair.nullable(),
  meanReward: z.number(),
  rewardRange: pair,
  exposure: z.strictObject({
    gini: probability,
    top10Share: probability,
    catalogue: count.int().nullable(),
    neverShown: count.int().nullable(),
    shareByTenth: z.array(probability).length(10),
    medianImpressions: count,
    maxImpressions: count,
  }),
  activity: z.strictObject({
    gini: probability,
    minImpressions: count,
    medianImpressions: count,
    maxImpressions: count,
  }),
  propensity: z.strictObject({
    source: z.enum(['logged', 'estimated', 'assumed', 'none']),
    min: probability.nullable(),
    max: probability.nullable(),
    floorShare: probability.nullable(),
    estimate: estimatedPropensity.exactOptional(),
  }),
  uniformTarget: z.strictObject({ ess: count.nullable(), essRatio: probability.nullable() }),
  time: z.strictObject({ first: z.number(), last: z.number() }).nullable(),
  reasons: z.record(z.string(), z.string()),
})

/** What `hindcast doctor --json` writes. */
export const diagnosisSchema: z.ZodType<Diagnosis> = z.strictObject({
  schema: z.literal(DIAGNOSIS_SCHEMA),
  file: z.string(),
  rows: count.int(),
  clean: z.boolean(),
  findings: z.array(
    z.strictObject({
      code: z.string(),
      level: z.enum(['problem', 'note']),
      column: z.string().nullable(),
      seen: z.string(),
      why: z.string(),
      remedy: z.string(),
      numbers: z.record(z.string(), z.number()),
      lines: z.array(count.int()),
    }),
  ),
})

const nullableNumber = z.number().nullable()

/** What `hindcast evaluate --json` writes. */
export const evaluationSchema: z.ZodType<Evaluation> = z.strictObject({
  schema: z.literal(EVALUATION_SCHEMA),
  log: z.strictObject({
    rows: count.int(),
    users: count.int(),
    items: count.int(),
    meanReward: z.number(),
    propensitySource: z.enum(['logged', 'estimated', 'assumed', 'none']),
  }),
  target: z.string(),
  cluster: z.string(),
  confidence: probability,
  estimates: z.array(
    z.strictObject({
      estimator: z.string(),
      lambda: z.strictObject({ value: count, chosenBy: z.enum(['user', 'slope']) }).exactOptional(),
      value: nullableNumber,
      se: nullableNumber,
      interval: pair.nullable(),
      method: z.string(),
      reason: z.string().exactOptional(),
    }),
  ),
  diagnostics: z.strictObject({
    ess: nullableNumber,
    essRatio: nullableNumber,
    meanWeight: nullableNumber,
    meanWeightZ: nullableNumber,
    maxWeight: nullableNumber,
    topShare: nullableNumber,
    topPercentShare: nullableNumber,
    paretoK: nullableNumber,
    effectiveClicks: nullableNumber,
    effectiveClusterClicks: nullableNumber,
    degreesOfFreedom: nullableNumber,
    topClusterShare: nullableNumber,
    floorShare: nullableNumber,
    unsupportedMass: nullableNumber,
  }),
  verdict: z.strictObject({
    level: z.enum(['trust', 'caution', 'refuse']),
    reasons: z.array(z.strictObject({ code: z.string(), message: z.string(), value: nullableNumber })),
  }),
})

/** What `hindcast compare --json` writes. */
export const comparisonSchema: z.ZodType<Comparison> = z.strictObject({
  schema: z.literal(COMPARISON_SCHEMA),
  estimator: z.string(),
  baseline: z.string(),
  confidence: probability,
  differences: z.array(
    z.strictObject({
      target: z.string(),
      difference: nullableNumber,
      se: nullableNumber,
      interval: pair.nullable(),
      pValue: nullableNumber,
      adjustedPValue: nullableNumber,
      reason: z.string().exactOptional(),
    }),
  ),
  evaluations: z.array(evaluationSchema),
})

/** The model.json of a saved model. */
export const modelSchema: z.ZodType<ModelCard> = z.strictObject({
  schema: z.literal(MODEL_SCHEMA),
  kind: z.enum(['lightgcn', 'mf']),
  dim: count.int().min(1),
  layers: count.int(),
  users: count.int(),
  items: count.int(),
  userIds: z.array(z.string()),
  itemIds: z.array(z.string()),
  settings: z.record(z.string(), z.unknown()),
  seed: count.int(),
  versions: z.strictObject({ hindcast: z.string(), node: z.string() }),
  epoch: count.int(),
  metrics: z.record(z.string(), nullableNumber),
  trainedOn: z.strictObject({ file: z.string(), rows: count.int() }).nullable(),
  embeddings: z.strictObject({
    file: z.string(),
    bytes: count.int(),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
  }),
})

/** What `hindcast recommend --json` writes. */
export const recommendationsSchema: z.ZodType<Recommendations> = z.strictObject({
  schema: z.literal(RECOMMENDATIONS_SCHEMA),
  model: z.enum(['lightgcn', 'mf']),
  user: z.string().nullable(),
  clicks: z.array(z.string()),
  includesClicked: z.boolean(),
  recommended: z.array(z.strictObject({ rank: count.int().min(1), item: z.string(), score: z.number() })),
})

const metric = z.strictObject({ value: z.number(), interval: pair.nullable() })
const metricsAtK = z.strictObject({
  ndcg: metric,
  recall: metric,
  precision: metric,
  map: metric,
  mrr: metric,
  hitRate: metric,
})
const rankingMetrics = metricsAtK.extend({
  k: count.int(),
  users: count.int(),
  coverage: probability,
  gini: probability,
  meanPopularity: count,
  buckets: z.array(
    metricsAtK.extend({
      bucket: z.string(),
      items: count.int(),
      users: count.int(),
      recommendedShare: probability,
    }),
  ),
  ips: metricsAtK.exactOptional(),
  snips: metricsAtK.exactOptional(),
})

/** What `hindcast train --json` writes. */
export const trainingSchema: z.ZodType<Training> = z.strictObject({
  schema: z.literal(TRAINING_SCHEMA),
  log: z.strictObject({
    rows: count.int(),
    users: count.int(),
    items: count.int(),
    propensitySource: z.enum(['logged', 'estimated', 'assumed', 'none']),
    trainClicks: count.int(),
    validationClicks: count.int(),
    testClicks: count.int(),
  }),
  settings: z.strictObject({
    model: z.enum(TRAINED_MODELS),
    loss: z.enum(LOSSES),
    regulariser: z.strictObject({ kind: z.enum(REGULARISERS), strength: z.number() }),
    weightTarget: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('uniform') }),
      z.strictObject({ kind: z.literal('inverse') }),
      z.strictObject({ kind: z.literal('model'), temperature: count, epsilon: probability }),
      z.strictObject({ kind: z.literal('column') }),
    ]),
    ips: z.enum(['weight', 'resample']),
    negatives: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('unclicked') }),
      z.strictObject({ kind: z.literal('all') }),
      z.strictObject({ kind: z.literal('popularity'), power: z.number() }),
    ]),
    drawn: count.int(),
    dim: count.int(),
    layers: count.int(),
    learningRate: count,
    batch: count.int(),
    l2: count,
    epochs: count.int(),
    k: count.int(),
    stopOn: z.enum(STOPPING_MEASURES),
    patience: count.int(),
    minimumGain: count,
    evaluateEvery: count.int(),
    temperature: count,
    seed: z.number().int(),
  }),
  weights: z.strictObject({
    events: count.int(),
    ess: count,
    essRatio: count,
    rawEssRatio: count,
    mean: count,
    max: count,
    min: count,
    topPercentShare: count,
    histogram: z.array(z.tuple([count, count, count.int(), count])),
    warnings: z.array(z.string()),
  }),
  epochs: z.array(
    z.strictObject({
      epoch: count.int(),
      steps: count.int(),
      loss: z.number(),
      ndcg: nullableNumber,
      recall: nullableNumber,
      snips: z
        .strictObject({
          value: nullableNumber,
          interval: pair.nullable(),
          ess: nullableNumber,
          essRatio: nullableNumber,
        })
        .nullable(),
      weights: z.strictObject({
        mean: count,
        max: count,
        essRatio: count,
        topPercentShare: count,
      }),
      trainSeconds: count,
      seconds: count,
    }),
  ),
  best: z.strictObject({ epoch: count.int(), measure: z.string(), value: nullableNumber }),
  stopped: z.enum(['patience', 'epochs', 'interrupted']),
  ranked: z.array(
    z.strictObject({
      model: z.string(),
      validation: rankingMetrics.nullable(),
      test: rankingMetrics.nullable(),
    }),
  ),
  notes: z.array(z.string()),
})

const overSeeds = z.strictObject({
  values: z.array(nullableNumber),
  mean: nullableNumber,
  interval: pair.nullable(),
})
const verdictLevel = z.enum(['trust', 'caution', 'refuse'])
const verdictCounts = z.strictObject({ trust: count.int(), caution: count.int(), refuse: count.int() })
const numbers = z.array(z.number())
const counts = z.strictObject({ impressions: numbers, clicks: numbers })
const estimatorName = z.enum(STUDY_ESTIMATORS)
const methodName = z.enum(STUDY_METHODS)
const ratingsSource = z.strictObject({
  name: z.string(),
  isReal: z.boolean(),
  note: z.string().nullable(),
  ratings: count.int(),
  users: count.int(),
  items: count.int(),
})
const spread = z.strictObject({
  exposureGini: probability,
  topTenthShare: probability,
  topTenthShareInterval: pair.nullable(),
  medianExposure: count,
  maxExposure: count,
  neverShown: count.int(),
  activityGini: probability,
  topTenthActivity: probability,
  topTenthActivityInterval: pair.nullable(),
})
const clickRateSpread = z.strictObject({
  bins: z.array(
    z.strictObject({
      items: count.int(),
      fewest: count,
      most: count,
      impressions: count,
      meanClickRate: count,
      deviation: count,
      deviationByChance: count,
      extreme: probability,
    }),
  ),
  ratio: nullableNumber,
  ratioInterval: pair.nullable(),
})
const estimatorDraws = z.strictObject({
  ips: numbers,
  snips: numbers,
  ipsMean: z.number(),
  snipsMean: z.number(),
  ipsVariance: count,
  snipsVariance: count,
  ratio: z.strictObject({ value: count, interval: pair.nullable() }),
})
const rankingQuality = z.strictObject({
  users: count.int(),
  ndcg: nullableNumber,
  recall: nullableNumber,
  buckets: z.array(
    z.strictObject({
      bucket: z.string(),
      items: count.int(),
      ndcg: count,
      recall: count,
      recommendedShare: probability,
    }),
  ),
})
const qualityOverSeeds = z.strictObject({
  ndcg: overSeeds,
  recall: overSeeds,
  buckets: z.array(
    z.strictObject({ bucket: z.string(), ndcg: overSeeds, recall: overSeeds, recommendedShare: overSeeds }),
  ),
})
const snipsAndTruth = z.strictObject({ snips: overSeeds, truth: overSeeds })

/** What `hindcast study` writes to results.json. */
export const studySchema: z.ZodType<StudyResults> = z.strictObject({
  schema: z.literal(STUDY_SCHEMA),
  version: z.string(),
  parts: z.array(z.enum(['toy', 'movielens'])),
  settings: z.strictObject({
    quick: z.boolean(),
    seed: count.int(),
    seeds: count.int(),
    resamples: count.int(),
    toy: z.strictObject({
      users: count.int(),
      items: count.int(),
      exposures: count.int(),
      beta: pair,
      skew: z.number(),
      logs: count.int(),
    }),
    exposures: count.int(),
    users: count.int().nullable(),
    training: z.strictObject({
      dim: count.int(),
      layers: count.int(),
      learningRate: count,
      batch: count.int(),
      steps: count.int(),
      alpha: count,
    }),
    methods: z.strictObject({ names: z.array(methodName), temperatures: numbers, k: count.int() }),
    curves: z.strictObject({ temperatures: numbers, points: count.int() }),
    regulariser: z.strictObject({ temperature: count, alphas: z.array(nullableNumber) }),
    bias: z.strictObject({ temperatures: numbers, steps: count.int() }),
    misspecification: z.strictObject({ temperature: count, gammas: numbers }),
    targets: z.strictObject({ temperature: count }),
  }),
  seeds: numbers,
  ratings: z.strictObject({ world: ratingsSource, description: ratingsSource }).nullable(),
  toy: z
    .strictObject({
      world: z.strictObject({
        users: count.int(),
        items: count.int(),
        exposures: count.int(),
        beta: pair,
        skew: z.number(),
      }),
      items: counts.extend({ trueClickRate: numbers, expectedImpressions: numbers }),
      spread,
      clickRates: clickRateSpread,
      clickRateRatio: overSeeds,
      topTenthShare: overSeeds,
      targets: z.array(
        z.strictObject({
          target: z.string(),
          label: z.string(),
          truth: z.number(),
          bootstrap: estimatorDraws,
          logs: estimatorDraws,
          varianceRatio: overSeeds,
        }),
      ),
    })
    .nullable(),
  description: z
    .strictObject({
      source: ratingsSource,
      clickRate: probability,
      items: counts,
      users: counts,
      spread,
      clickRates: clickRateSpread,
      lowClickRates: probability,
      highClickRates: probability,
    })
    .nullable(),
  bias: z.array(
    z.strictObject({
      world: z.enum(['movielens', 'toy']),
      label: z.string(),
      temperatures: numbers,
      targets: z.array(
        z.strictObject({
          target: z.string(),
          label: z.string(),
          points: z.array(
            z.strictObject({
              temperature: count,
              truth: overSeeds,
              snips: overSeeds,
              ips: overSeeds,
              snipsIntervals: z.array(pair.nullable()),
              covered: count.int(),
              ess: overSeeds,
              essRatio: overSeeds,
              varianceRatio: overSeeds,
              verdicts: verdictCounts,
            }),
          ),
          peak: z.strictObject({ snips: overSeeds, truth: overSeeds, essRatio: overSeeds }),
        }),
      ),
    }),
  ),
  methods: z
    .strictObject({
      temperatures: numbers,
      steps: count.int(),
      k: count.int(),
      runs: z.array(
        z.strictObject({
          method: methodName,
          temperature: count,
          seed: count.int(),
          trainClicks: count.int(),
          trainingEssRatio: nullableNumber,
          heldOutRows: count.int(),
          truth: z.number(),
          chance: z.number(),
          estimates: z.array(
            z.strictObject({
              estimator: estimatorName,
              value: nullableNumber,
              error: nullableNumber,
              variance: nullableNumber,
              interval: pair.nullable(),
            }),
          ),
          ess: nullableNumber,
          essRatio: nullableNumber,
          verdict: verdictLevel,
          reasons: z.array(z.string()),
          biased: rankingQuality,
          uniform: rankingQuality,
        }),
      ),
      summaries: z.array(
        z.strictObject({
          method: methodName,
          temperature: count,
          truth: overSeeds,
          chance: overSeeds,
          essRatio: overSeeds,
          verdicts: verdictCounts,
          estimators: z.array(
            z.strictObject({
              estimator: estimatorName,
              value: overSeeds,
              error: overSeeds,
              variance: nullableNumber,
              rmse: nullableNumber,
              coverage: nullableNumber,
            }),
          ),
          biased: qualityOverSeeds,
          uniform: qualityOverSeeds,
        }),
      ),
    })
    .nullable(),
  curves: z.array(
    z.strictObject({
      temperature: count,
      alpha: count,
      curves: z.array(
        z.strictObject({
          method: methodName,
          points: z.array(
            snipsAndTruth.extend({ epoch: count.int(), steps: count.int(), essRatio: overSeeds }),
          ),
          early: snipsAndTruth,
          drop: snipsAndTruth,
          last: snipsAndTruth,
          best: snipsAndTruth,
        }),
      ),
    }),
  ),
  regulariser: z
    .strictObject({
      temperature: count,
      steps: count.int(),
      points: z.array(
        z.strictObject({
          alpha: nullableNumber,
          trainingEssRatio: overSeeds,
          truth: overSeeds,
          snips: overSeeds,
          ndcgBiased: overSeeds,
          ndcgUniform: overSeeds,
        }),
      ),
    })
    .nullable(),
  misspecification: z
    .strictObject({
      temperature: count,
      targets: z.array(
        z.strictObject({
          target: z.string(),
          label: z.string(),
          truth: overSeeds,
          points: z.array(
            z.strictObject({
              gamma: z.number(),
              estimators: z.array(
                z.strictObject({ estimator: estimatorName, error: overSeeds, rmse: nullableNumber }),
              ),
              meanWeight: overSeeds,
              verdicts: verdictCounts,
            }),
          ),
        }),
      ),
    })
    .nullable(),
  targets: z
    .strictObject({
      temperature: count,
      rows: z.array(
        z.strictObject({
          target: z.string(),
          label: z.string(),
          truth: overSeeds,
          snips: overSeeds,
          error: overSeeds,
          halfWidth: overSeeds,
          coverage: nullableNumber,
          ess: overSeeds,
          essRatio: overSeeds,
          verdicts: verdictCounts,
          reason: z.string().nullable(),
        }),
      ),
    })
    .nullable(),
  claims: z.array(
    z.strictObject({
      id: z.string(),
      claim: z.string(),
      test: z.string(),
      verdict: z.enum(CLAIM_VERDICTS),
      effects: z.array(
        z.strictObject({
          label: z.string(),
          value: nullableNumber,
          interval: pair.nullable(),
          unit: z.string(),
          seeds: count.int(),
          expected: z.union([
            z.strictObject({ kind: z.enum(['above', 'below']), than: z.number() }),
            z.strictObject({ kind: z.literal('within'), range: pair }),
          ]),
          agrees: z.enum(['yes', 'no', 'unclear']),
        }),
      ),
      explanation: z.string(),
      holdsWhen: z.string().nullable(),
    }),
  ),
  summary: z.array(z.string()),
  run: z.strictObject({
    startedAt: z.string(),
    seconds: count,
    stepSeconds: count,
    threads: count.int(),
    engine: z.string(),
    steps: z.array(z.strictObject({ step: z.string(), seconds: count, reused: z.boolean() })),
  }),
})
