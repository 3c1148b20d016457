import { z } from 'zod'
import { count, nullableNumber, pair } from './numbers.js'
import { CLAIM_VERDICTS } from '../results.js'

/** The claims of the paper with their verdicts. */
export const claimsSchema = z.array(
  z.strictObject({
    id: z.string(),
    claim: z.string(),
    test: z.string(),
    verdict: z.enum(CLAIM_VERDICTS),
    effects: z.array(
      z.strictObject({
        label: z.string(),
        value: nullableNumber,
        interval: pair.nullable(),
        unit: z.string(),
        seeds: count.int(),
        expected: z.union([
          z.strictObject({ kind: z.enum(['above', 'below']), than: z.number() }),
          z.strictObject({ kind: z.literal('within'), range: pair }),
        ]),
        agrees: z.enum(['yes', 'no', 'unclear']),
      }),
    ),
    explanation: z.string(),
    holdsWhen: z.string().nullable(),
  }),
)
