import { randomUUID } from 'node:crypto'

/** A name for a table that nobody else has: whoever finds one that was left behind may drop it. */
export const scratchName = (): string => `hindcast_scratch_${randomUUID().replaceAll('-', '').slice(0, 16)}`
