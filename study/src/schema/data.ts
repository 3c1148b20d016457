import { z } from 'zod'
import { count, nullableNumber, numbers, overSeeds, pair, probability } from './numbers.js'

const counts = z.strictObject({ impressions: numbers, clicks: numbers })
const spread = z.strictObject({
  exposureGini: probability,
  topTenthShare: probability,
  topTenthShareInterval: pair.nullable(),
  medianExposure: count,
  maxExposure: count,
  neverShown: count.int(),
  activityGini: probability,
  topTenthActivity: probability,
  topTenthActivityInterval: pair.nullable(),
})
const clickRateSpread = z.strictObject({
  bins: z.array(
    z.strictObject({
      items: count.int(),
      fewest: count,
      most: count,
      impressions: count,
      meanClickRate: count,
      deviation: count,
      deviationByChance: count,
      extreme: probability,
    }),
  ),
  ratio: nullableNumber,
  ratioInterval: pair.nullable(),
})
const estimatorDraws = z.strictObject({
  ips: numbers,
  snips: numbers,
  ipsMean: z.number(),
  snipsMean: z.number(),
  ipsVariance: count,
  snipsVariance: count,
  ratio: z.strictObject({ value: count, interval: pair.nullable() }),
})

/** Where ratings come from. */
export const ratingsSource = z.strictObject({
  name: z.string(),
  isReal: z.boolean(),
  note: z.string().nullable(),
  ratings: count.int(),
  users: count.int(),
  items: count.int(),
})

/** The toy world: its items, and estimates of its targets over resamples and logs. */
export const toySchema = z
  .strictObject({
    world: z.strictObject({
      users: count.int(),
      items: count.int(),
      exposures: count.int(),
      beta: pair,
      skew: z.number(),
    }),
    items: counts.extend({ trueClickRate: numbers, expectedImpressions: numbers }),
    spread,
    clickRates: clickRateSpread,
    clickRateRatio: overSeeds,
    topTenthShare: overSeeds,
    targets: z.array(
      z.strictObject({
        target: z.string(),
        label: z.string(),
        truth: z.number(),
        bootstrap: estimatorDraws,
        logs: estimatorDraws,
        varianceRatio: overSeeds,
      }),
    ),
  })
  .nullable()

/** The ratings, described. */
export const ratingsDescriptionSchema = z
  .strictObject({
    source: ratingsSource,
    clickRate: probability,
    items: counts,
    users: counts,
    spread,
    clickRates: clickRateSpread,
    lowClickRates: probability,
    highClickRates: probability,
  })
  .nullable()
