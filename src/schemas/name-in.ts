import { z } from 'zod'
import type { Named, Registry } from '../registry.js'

/** The name of a thing in a registry, including those added later. */
export const nameIn = <Thing extends Named>(registry: Registry<Thing>): z.ZodType<Thing['name']> =>
  z.custom<Thing['name']>((name) => typeof name === 'string' && registry.find(name) !== undefined, {
    error: ({ input }) =>
      input === undefined
        ? `The name of the ${registry.kind} is missing.`
        : `There is no ${registry.kind} ${JSON.stringify(input)}.`,
  })
