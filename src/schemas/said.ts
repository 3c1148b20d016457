import { z } from 'zod'
import { type Fact, FACTS, type SaidOfLog } from '../verdict/said.js'
import { count } from './numbers.js'

const amounts = { rows: count.exactOptional(), reward: z.number().exactOptional() }
const facts = Object.fromEntries(FACTS.map((fact) => [fact, z.boolean().exactOptional()])) as Record<
  Fact,
  z.ZodExactOptional<z.ZodBoolean>
>

/** What the user said of a log and a policy. */
export const said: z.ZodType<SaidOfLog> = z.strictObject({
  policyMade: z.enum(['elsewhere', 'held-out', 'this-log']).exactOptional(),
  facts: z.strictObject(facts).exactOptional(),
  totals: z
    .strictObject({
      ...amounts,
      days: z.array(z.strictObject({ day: z.string(), ...amounts })).exactOptional(),
    })
    .exactOptional(),
  strict: z.boolean().exactOptional(),
  matters: z.number().exactOptional(),
  accept: z.record(z.string(), z.string()).exactOptional(),
})
