import { z } from 'zod'
import type { Decision } from '../verdict/decision.js'
import { QUESTIONS, type Verdict } from '../verdict/verdict.js'
import { count, nullableNumber, pair, probability } from './numbers.js'

/** A verdict: its word, what that means, the five questions and the reasons. */
export const verdict: z.ZodType<Verdict> = z.strictObject({
  level: z.enum(['trust', 'caution', 'refuse']),
  means: z.enum(['decide', 'careful', 'cannot-tell', 'do-not-believe']),
  questions: z.array(
    z.strictObject({
      question: z.enum(QUESTIONS),
      level: z.enum(['trust', 'note', 'caution', 'refuse', 'not-said', 'not-applicable', 'lacking']),
      text: z.string(),
    }),
  ),
  reasons: z.array(
    z.strictObject({
      code: z.string(),
      level: z.enum(['note', 'caution', 'refuse']),
      question: z.enum(QUESTIONS),
      shift: nullableNumber,
      driver: z.string().nullable(),
      message: z.string(),
      value: nullableNumber,
    }),
  ),
  hull: pair.exactOptional(),
})

export const action = z.enum(['launch', 'test', 'keep', 'undecided', 'cannot-tell'])

/** What to do, and on what grounds. */
export const decision: z.ZodType<Decision> = z.strictObject({
  action,
  policy: z.string(),
  lift: nullableNumber,
  interval: pair.nullable(),
  errorRate: probability.nullable(),
  needed: z.strictObject({ rows: count, days: count.nullable() }).exactOptional(),
})
