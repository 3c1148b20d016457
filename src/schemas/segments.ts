import { z } from 'zod'
import { type Segments, SEGMENTS_SCHEMA } from '../estimate/evaluation.js'
import { count, nullableNumber, pair, probability } from './numbers.js'
import { verdict } from './verdict.js'

/** What an evaluation by segments writes as JSON. */
export const segmentsSchema: z.ZodType<Segments> = z.strictObject({
  schema: z.literal(SEGMENTS_SCHEMA),
  by: z.string(),
  per: z.enum(['segment', 'log']),
  target: z.string(),
  estimator: z.string(),
  confidence: probability,
  looks: count.int(),
  eachConfidence: probability,
  segments: z.array(
    z.strictObject({
      segment: z.string(),
      gathers: count.int().exactOptional(),
      rows: count.int(),
      meanReward: nullableNumber,
      value: nullableNumber,
      se: nullableNumber,
      interval: pair.nullable(),
      difference: nullableNumber,
      differenceInterval: pair.nullable(),
      ess: nullableNumber,
      effectiveClicks: nullableNumber,
      verdict,
      reason: z.string().exactOptional(),
    }),
  ),
  notes: z.array(z.string()),
})
