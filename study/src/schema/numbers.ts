import { z } from 'zod'

/** At least 0. */
export const count = z.number().min(0)

/** From 0 to 1. */
export const probability = z.number().min(0).max(1)

/** A number that may be missing. */
export const nullableNumber = z.number().nullable()

/** Two numbers: an interval or a range. */
export const pair = z.tuple([z.number(), z.number()]).readonly()

/** One number per seed, with its mean and interval. */
export const overSeeds = z.strictObject({
  values: z.array(nullableNumber),
  mean: nullableNumber,
  interval: pair.nullable(),
})

/** How many seeds got each verdict. */
export const verdictCounts = z.strictObject({ trust: count.int(), caution: count.int(), refuse: count.int() })

/** A list without gaps. */
export const numbers = z.array(z.number())
