import { z } from 'zod'
import { count } from './numbers.js'

const from = z.string().min(1)
const sample = z.string().regex(/^([0-9a-f]{12})*$/)

/** The stamp of a log. */
export const stamp = z.strictObject({ from, rows: count.int(), timed: z.boolean(), sample })
