import { z } from 'zod'
import { DESCRIPTION_SCHEMA, type Description } from './describe/description.js'
import { COMPARISON_SCHEMA, type Comparison } from './estimate/comparison.js'
import { type Evaluation, EVALUATION_SCHEMA } from './estimate/evaluation.js'
import { DIAGNOSIS_SCHEMA, type Diagnosis } from './doctor/diagnosis.js'

const probability = z.number().min(0).max(1)
const count = z.number().min(0)
const pair = z.tuple([z.number(), z.number()]).readonly()

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
