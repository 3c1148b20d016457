import { z } from 'zod'
import { type LogPart, PART_SCHEMA } from '../log/stamp.js'
import { count } from './numbers.js'

const from = z.string().regex(/^[0-9a-f]{16}$/)
const sample = z.string().regex(/^([0-9a-f]{12})*$/)

/** The stamp of a log. */
export const stamp = z.strictObject({ from, rows: count.int(), timed: z.boolean(), sample })

const named = z.strictObject({ file: z.string(), from, rows: count.int() })

/** What `hindcast split` writes beside each part. */
export const partSchema: z.ZodType<LogPart> = z.strictObject({
  schema: z.literal(PART_SCHEMA),
  file: z.string(),
  by: z.enum(['user', 'time']),
  seed: count.int(),
  part: count.int().min(1),
  parts: count.int().min(2),
  made: stamp,
  of: named,
  others: z.array(named),
})
