import { z } from 'zod'
import { TUNED_BY, type Tuning, TUNING_SCHEMA } from '../train/tune/tuning.js'
import { count, nullableNumber } from './numbers.js'
import { certificate, rankedModels, trainSettings } from './training.js'

const tested = z.strictObject({ ranked: rankedModels.element, certificate })

/** What `hindcast tune` writes as JSON. */
export const tuningSchema: z.ZodType<Tuning> = z.strictObject({
  schema: z.literal(TUNING_SCHEMA),
  by: z.enum(TUNED_BY),
  asked: z.string(),
  fingerprint: z.string(),
  brackets: z.array(z.array(z.strictObject({ trials: count.int(), steps: count.int() }))),
  pace: z
    .strictObject({
      seconds: count,
      speeds: z.array(z.strictObject({ kind: z.string(), seconds: count })),
      least: count,
      most: count,
    })
    .nullable(),
  trials: z.array(
    z.strictObject({
      role: z.enum(['defaults', 'drawn', 'solved']),
      bracket: count.int(),
      settings: trainSettings,
      reached: z.array(
        z.strictObject({
          epochs: count.int(),
          steps: count.int(),
          epoch: count.int(),
          value: nullableNumber,
          stopped: z.enum(['rung', 'patience', 'diverged', 'solved']),
          seconds: count,
        }),
      ),
    }),
  ),
  best: count.int().nullable(),
  notes: z.array(z.string()),
  test: z.strictObject({ best: tested, defaults: tested.exactOptional() }).exactOptional(),
})
