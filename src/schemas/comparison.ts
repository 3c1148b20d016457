import { z } from 'zod'
import { COMPARISON_SCHEMA, type Comparison } from '../estimate/comparison.js'
import { evaluationSchema, temperatureCurves } from './evaluation.js'
import { nullableNumber, pair, probability } from './numbers.js'
import { action, decision, verdict } from './verdict.js'

/** What `hindcast compare` writes as JSON. */
export const comparisonSchema: z.ZodType<Comparison> = z.strictObject({
  schema: z.literal(COMPARISON_SCHEMA),
  estimator: z.string(),
  baseline: z.string(),
  confidence: probability,
  decision,
  differences: z.array(
    z.strictObject({
      target: z.string(),
      value: nullableNumber,
      difference: nullableNumber,
      se: nullableNumber,
      interval: pair.nullable(),
      simultaneous: pair.nullable(),
      lift: z
        .strictObject({ value: z.number(), interval: pair.nullable(), simultaneous: pair.nullable() })
        .nullable(),
      pValue: nullableNumber,
      adjustedPValue: nullableNumber,
      stepDownPValue: nullableNumber,
      verdict,
      action,
      reason: z.string().exactOptional(),
    }),
  ),
  evaluations: z.array(evaluationSchema),
  choice: z
    .strictObject({
      launch: z.string(),
      isBaseline: z.boolean(),
      errors: z.strictObject({
        wrongIfNoneIsBetter: probability,
        wrongAsEstimated: probability,
        notBestAsEstimated: probability,
        expectedLossOfWaiting: z.number().nonnegative(),
      }),
    })
    .exactOptional(),
  temperatures: temperatureCurves.exactOptional(),
})
