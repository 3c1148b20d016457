import { z } from 'zod'
import { methodName } from './names.js'
import { count, nullableNumber, numbers, pair } from './numbers.js'

/** What a study was asked for. */
export const studySettingsSchema = z.strictObject({
  quick: z.boolean(),
  seed: count.int(),
  seeds: count.int(),
  resamples: count.int(),
  toy: z.strictObject({
    users: count.int(),
    items: count.int(),
    exposures: count.int(),
    beta: pair,
    skew: z.number(),
    logs: count.int(),
  }),
  exposures: count.int(),
  users: count.int().nullable(),
  training: z.strictObject({
    dim: count.int(),
    layers: count.int(),
    learningRate: count,
    batch: count.int(),
    steps: count.int(),
    alpha: count,
  }),
  methods: z.strictObject({ names: z.array(methodName), temperatures: numbers, k: count.int() }),
  curves: z.strictObject({ temperatures: numbers, points: count.int() }),
  regulariser: z.strictObject({ temperature: count, alphas: z.array(nullableNumber) }),
  bias: z.strictObject({ temperatures: numbers, steps: count.int() }),
  misspecification: z.strictObject({ temperature: count, gammas: numbers }),
  targets: z.strictObject({ temperature: count }),
})
