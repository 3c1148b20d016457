import { z } from 'zod'
import { DIAGNOSIS_SCHEMA, type Diagnosis } from '../doctor/finding.js'
import { count } from './numbers.js'

/** What `hindcast doctor` writes as JSON. */
export const diagnosisSchema: z.ZodType<Diagnosis> = z.strictObject({
  schema: z.literal(DIAGNOSIS_SCHEMA),
  file: z.string(),
  rows: count.int(),
  of: count.int().exactOptional(),
  clean: z.boolean(),
  findings: z.array(
    z.strictObject({
      code: z.string(),
      level: z.enum(['problem', 'note']),
      column: z.string().nullable(),
      seen: z.string(),
      why: z.string(),
      remedy: z.string(),
      numbers: z.record(z.string(), z.number()),
      driver: z.string().exactOptional(),
      mend: z
        .union([
          z.strictObject({ kind: z.enum(['values', 'judged']), columns: z.record(z.string(), z.string()) }),
          z.strictObject({ kind: z.literal('clicks'), from: z.number() }),
          z.strictObject({ kind: z.enum(['copies', 'order']) }),
        ])
        .exactOptional(),
      lines: z.array(count.int()),
      examples: z.array(z.string()).exactOptional(),
      file: z.string().exactOptional(),
    }),
  ),
})
