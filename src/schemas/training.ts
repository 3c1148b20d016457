import { z } from 'zod'
import { METRICS, type MetricName } from '../metrics/metrics.js'
import { TRAINED_MODELS } from '../model/trained-models.js'
import { LOSSES } from '../train/losses/index.js'
import { REGULARISERS } from '../train/regularisers.js'
import { STOPPING_MEASURES } from '../train/stopping-measures.js'
import { type Training, TRAINING_SCHEMA } from '../train/training.js'
import { count, nameIn, nullableNumber, pair, probability } from './numbers.js'
import { verdict } from './verdict.js'
import { MAR_SCHEMA, type MarReport } from '../train/mar-protocol.js'
import { TUNED_BY, type Tuning, TUNING_SCHEMA } from '../train/tune/tuning.js'

const metric = z.strictObject({ value: z.number(), interval: pair.nullable() })
const metricsAtK = z.strictObject(
  Object.fromEntries(METRICS.names.map((name) => [name, metric])) as Record<MetricName, typeof metric>,
)
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

const ratedMetrics = z.strictObject({
  k: count.int(),
  users: count.int(),
  orderedUsers: count.int(),
  ratings: count.int(),
  ndcg: metric.nullable(),
  auc: metric.nullable(),
  mse: metric.exactOptional(),
  mae: metric.exactOptional(),
})

const bounded = z.strictObject({
  value: nullableNumber,
  atLeast: nullableNumber,
  atMost: nullableNumber,
  verdict,
})

const policyValue = z.strictObject({
  value: nullableNumber,
  interval: pair.nullable(),
  atLeast: nullableNumber.exactOptional(),
  ess: nullableNumber,
  essRatio: nullableNumber,
  doubt: z.string().exactOptional(),
})

/** What was measured on a test log of one's own. */
const onTestLog = ratedMetrics.extend({ recall: metric.exactOptional() })

const testLogFacts = z.strictObject({
  among: z.enum(['all', 'rated']),
  rows: count.int(),
  users: count.int(),
  clicks: count.int(),
  leftOut: z.strictObject({ unknown: count.int(), seen: count.int() }),
})

/** All settings of a training. */
const trainSettings = z.strictObject({
  model: nameIn(TRAINED_MODELS),
  loss: nameIn(LOSSES),
  parameter: z.number().exactOptional(),
  start: z.enum(['uniform', 'logging']).exactOptional(),
  regulariser: z.strictObject({ kind: nameIn(REGULARISERS), strength: z.number() }),
  weightTarget: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('uniform') }),
    z.strictObject({ kind: z.literal('inverse') }),
    z.strictObject({ kind: z.literal('model'), temperature: count, epsilon: probability }),
    z.strictObject({ kind: z.literal('column') }),
  ]),
  ips: z.enum(['weight', 'resample']),
  sampleBy: z.enum(['event', 'user']),
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
  stopOn: nameIn(STOPPING_MEASURES),
  patience: count.int(),
  patienceSteps: count.int().exactOptional(),
  minimumGain: count,
  evaluateEvery: count.int(),
  temperature: count,
  seed: z.number().int(),
  biases: z.boolean().exactOptional(),
  lambda: count.exactOptional(),
  unobserved: count.exactOptional(),
  neighbours: count.int().exactOptional(),
  shrinkage: count.exactOptional(),
})

const training = z.strictObject({
  schema: z.literal(TRAINING_SCHEMA),
  log: z.strictObject({
    rows: count.int(),
    users: count.int(),
    items: count.int(),
    features: z.array(z.string()).exactOptional(),
    propensitySource: z.enum(['logged', 'estimated', 'assumed', 'none']),
    trainClicks: count.int(),
    validationClicks: count.int(),
    testClicks: count.int(),
  }),
  settings: trainSettings,
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
      snips: policyValue.nullable(),
      stopping: nullableNumber.exactOptional(),
      ratings: z.strictObject({ mse: count, weightedMse: count.nullable() }).nullable().exactOptional(),
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
  stopped: z.enum(['patience', 'epochs', 'interrupted', 'solved']),
  tried: z
    .array(z.strictObject({ parameters: z.record(z.string(), z.number()), value: nullableNumber }))
    .exactOptional(),
  chosenFrom: z.array(z.strictObject({ model: z.string(), value: nullableNumber })).exactOptional(),
  testLog: testLogFacts.exactOptional(),
  meanRating: z.number().exactOptional(),
  ranked: z.array(
    z.strictObject({
      model: z.string(),
      validation: rankingMetrics.nullable(),
      test: rankingMetrics.nullable(),
      policy: policyValue.exactOptional(),
      lead: z.strictObject({ ndcg: metric, ips: metric.exactOptional() }).exactOptional(),
      rated: ratedMetrics.nullable().exactOptional(),
      testLog: onTestLog.nullable().exactOptional(),
    }),
  ),
  certificate: z
    .strictObject({
      confidence: probability,
      rows: count.int(),
      items: z.enum(['all', 'unseen']),
      policy: bounded,
      logging: bounded,
      difference: bounded,
      decision: z.enum(['launch', 'keep']),
    })
    .exactOptional(),
  notes: z.array(z.string()),
})

/** What `hindcast train` writes as JSON. */
export const trainingSchema: z.ZodType<Training> = training

/** Its parts, for what else has them. */
const { ranked: rankedModels, certificate } = training.shape

const spread = z.strictObject({ mean: z.number(), deviation: count.nullable() })

/** What the protocol for ratings writes as JSON. */
export const marSchema: z.ZodType<MarReport> = z.strictObject({
  schema: z.literal(MAR_SCHEMA),
  train: z.strictObject({
    rows: count.int(),
    users: count.int(),
    items: count.int(),
    meanRating: z.number(),
  }),
  propensities: z.strictObject({
    from: z.enum(['naive-bayes', 'log']),
    sliceRows: count.int(),
    parameters: z.record(z.string(), z.number()),
  }),
  test: testLogFacts.extend({ meanRating: z.number() }),
  k: count.int(),
  seeds: count.int(),
  methods: z.array(
    z.strictObject({
      name: z.enum(['mf', 'mf-ips', 'dr-jl']),
      settings: trainSettings,
      tried: z.array(z.strictObject({ l2: count, error: nullableNumber })),
      runs: z.array(z.strictObject({ seed: z.number().int(), epoch: count.int(), metrics: onTestLog })),
      over: z.strictObject({
        mse: spread.nullable(),
        mae: spread.nullable(),
        auc: spread.nullable(),
        ndcg: spread.nullable(),
      }),
    }),
  ),
  constantError: count,
})

const tested = z.strictObject({ ranked: rankedModels.element, certificate })

/** What `hindcast tune` writes as JSON. */
export const tuningSchema: z.ZodType<Tuning> = z.strictObject({
  schema: z.literal(TUNING_SCHEMA),
  by: z.enum(TUNED_BY),
  asked: z.string(),
  fingerprint: z.string(),
  brackets: z.array(z.array(z.strictObject({ trials: count.int(), steps: count.int() }))),
  pace: z
    .strictObject({
      seconds: count,
      speeds: z.array(z.strictObject({ kind: z.string(), seconds: count })),
      least: count,
      most: count,
    })
    .nullable(),
  trials: z.array(
    z.strictObject({
      role: z.enum(['defaults', 'drawn', 'solved']),
      bracket: count.int(),
      settings: trainSettings,
      reached: z.array(
        z.strictObject({
          epochs: count.int(),
          steps: count.int(),
          epoch: count.int(),
          value: nullableNumber,
          stopped: z.enum(['rung', 'patience', 'diverged', 'solved']),
          seconds: count,
        }),
      ),
    }),
  ),
  best: count.int().nullable(),
  notes: z.array(z.string()),
  test: z.strictObject({ best: tested, defaults: tested.exactOptional() }).exactOptional(),
})
