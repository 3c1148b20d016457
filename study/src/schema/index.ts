import { z } from 'zod'
import { STUDY_SCHEMA, type StudyResults } from '../results.js'
import { claimsSchema } from './claims.js'
import { ratingsDescriptionSchema, ratingsSource, toySchema } from './data.js'
import { curvesSchema, methodsSchema } from './methods.js'
import { count, numbers } from './numbers.js'
import { studySettingsSchema } from './settings.js'
import { biasSchema, misspecificationSchema, regulariserSchema, targetsSchema } from './sweeps.js'

/** What `hindcast study` writes to results.json. */
export const studySchema: z.ZodType<StudyResults> = z.strictObject({
  schema: z.literal(STUDY_SCHEMA),
  version: z.string(),
  parts: z.array(z.enum(['toy', 'movielens'])),
  settings: studySettingsSchema,
  seeds: numbers,
  ratings: z.strictObject({ world: ratingsSource, description: ratingsSource }).nullable(),
  toy: toySchema,
  description: ratingsDescriptionSchema,
  bias: biasSchema,
  methods: methodsSchema,
  curves: curvesSchema,
  regulariser: regulariserSchema,
  misspecification: misspecificationSchema,
  targets: targetsSchema,
  claims: claimsSchema,
  summary: z.array(z.string()),
  run: z.strictObject({
    startedAt: z.string(),
    seconds: count,
    stepSeconds: count,
    threads: count.int(),
    engine: z.string(),
    steps: z.array(z.strictObject({ step: z.string(), seconds: count, reused: z.boolean() })),
  }),
})
