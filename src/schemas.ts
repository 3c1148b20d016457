import { z } from 'zod'
import { DESCRIPTION_SCHEMA, type Description } from './describe/description.js'
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
