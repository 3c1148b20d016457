import { z } from 'zod'
import { count, nullableNumber, pair } from './numbers.js'

/** One number a seed, with its mean and interval. */
export const overSeeds = z.strictObject({
  values: z.array(nullableNumber),
  mean: nullableNumber,
  interval: pair.nullable(),
})

/** How many seeds got each verdict. */
export const verdictCounts = z.strictObject({ trust: count.int(), caution: count.int(), refuse: count.int() })

/** A list without gaps. */
export const numbers = z.array(z.number())
