import { z } from 'zod'
import type { Named, Registry } from '../registry.js'

/** At least 0. */
export const count = z.number().min(0)

/** From 0 to 1. */
export const probability = z.number().min(0).max(1)

/** A number that may be missing. */
export const nullableNumber = z.number().nullable()

/** Two numbers: an interval or a range. */
export const pair = z.tuple([z.number(), z.number()]).readonly()

/** The name of a thing in a registry, including those added later. */
export const nameIn = <Thing extends Named>(registry: Registry<Thing>): z.ZodType<Thing['name']> =>
  z.custom<Thing['name']>((name) => typeof name === 'string' && registry.find(name) !== undefined, {
    error: ({ input }) =>
      input === undefined
        ? `The name of the ${registry.kind} is missing.`
        : `There is no ${registry.kind} ${JSON.stringify(input)}.`,
  })
