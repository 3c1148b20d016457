import { z } from 'zod'
import { estimatorName, methodName } from './names.js'
import { count, nullableNumber, numbers, overSeeds, pair, probability, verdictCounts } from './numbers.js'

const verdictLevel = z.enum(['trust', 'caution', 'refuse'])
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

/** Methods and estimators compared, seed by seed and over seeds. */
export const methodsSchema = z
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
  .nullable()

/** Learning curves of the methods, by temperature. */
export const curvesSchema = z.array(
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
)
