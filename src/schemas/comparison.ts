import { z } from 'zod'
import { COMPARISON_SCHEMA, type Comparison } from '../estimate/comparison.js'
import { evaluationSchema } from './evaluation.js'
import { nullableNumber, pair, probability } from './numbers.js'

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
