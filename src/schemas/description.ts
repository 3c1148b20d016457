import { z } from 'zod'
import { DESCRIPTION_SCHEMA, type Description } from '../describe/describe.js'
import { PROPENSITIES } from '../propensity/choices.js'
import type { EstimatedPropensity, EstimationMethod } from '../propensity/stand-in.js'
import { count, pair, probability } from './numbers.js'
import { DIAGNOSIS_SCHEMA, type Diagnosis } from '../doctor/finding.js'

const estimatedPropensity: z.ZodType<EstimatedPropensity> = z.strictObject({
  method: z.custom<EstimationMethod>(
    (name) => typeof name === 'string' && PROPENSITIES.find(name)?.estimated !== undefined,
  ),
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

/** What `hindcast describe` writes as JSON. */
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

/** What `hindcast doctor` writes as JSON. */
export const diagnosisSchema: z.ZodType<Diagnosis> = z.strictObject({
  schema: z.literal(DIAGNOSIS_SCHEMA),
  file: z.string(),
  rows: count.int(),
  of: count.int().exactOptional(),
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
      driver: z.string().exactOptional(),
      mend: z
        .union([
          z.strictObject({ kind: z.enum(['values', 'judged']), columns: z.record(z.string(), z.string()) }),
          z.strictObject({ kind: z.literal('clicks'), from: z.number() }),
          z.strictObject({ kind: z.enum(['copies', 'order']) }),
        ])
        .exactOptional(),
      lines: z.array(count.int()),
      examples: z.array(z.string()).exactOptional(),
      file: z.string().exactOptional(),
    }),
  ),
})
