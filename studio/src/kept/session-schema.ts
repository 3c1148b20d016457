import { z } from 'zod'
import { SESSION_SCHEMA } from './kept-session.js'

const whole = z.number().int().min(0).max(1e9)
const share = z.number().min(0).max(1)

/** `session.json` in the file of a session; everything else lies beside it. */
export const sessionSchema = z.strictObject({
  schema: z.literal(SESSION_SCHEMA),
  link: z.string().startsWith('#').max(100_000),
  /** By view, and by figure. */
  notes: z.record(z.string().max(200), z.string().max(100_000)),
  models: z
    .array(
      z.strictObject({
        id: whole,
        number: whole,
        split: z
          .strictObject({ by: z.enum(['row', 'time']), validation: share, test: share })
          .refine(({ validation, test }) => validation + test < 1, 'leaves no rows to train on'),
        machine: z.strictObject({
          backend: z.enum(['auto', 'wasm', 'webgpu']),
          threads: z.number().int().min(0).max(1024),
        }),
      }),
    )
    .max(1000),
  policies: z
    .array(
      z.strictObject({
        fingerprint: z.string().max(100),
        paths: z.array(z.string().max(1000)).max(1000),
      }),
    )
    .max(100),
  /** The names of the log's files, where they are saved too. */
  log: z.array(z.string().max(1000)).max(2),
})
export type SessionJson = z.infer<typeof sessionSchema>
