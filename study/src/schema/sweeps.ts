import { z } from 'zod'
import { estimatorName } from './names.js'
import { count, nullableNumber, numbers, overSeeds, pair, verdictCounts } from './numbers.js'

/** Exposure bias from strong to weak, by world. */
export const biasSchema = z.array(
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
)

/** The strength of the regulariser, from none to all. */
export const regulariserSchema = z
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
  .nullable()

/** Wrong propensities. */
export const misspecificationSchema = z
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
  .nullable()

/** Which policies a log can judge. */
export const targetsSchema = z
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
  .nullable()
