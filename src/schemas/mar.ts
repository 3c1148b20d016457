import { z } from 'zod'
import { MAR_SCHEMA, type MarReport } from '../train/mar-protocol.js'
import { count, nullableNumber } from './numbers.js'
import { onTestLog, testLogFacts, trainSettings } from './training.js'

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
