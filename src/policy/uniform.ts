import { fixedPolicy } from './fixed.js'
import type { Policy } from './policy.js'

/** Every item equally likely: π(a|u) = 1/items. */
export const uniformPolicy = (items: number): Policy => ({
  ...fixedPolicy('uniform', new Float64Array(items).fill(1)),
  groupOf: () => 0,
  origin: { made: 'elsewhere' },
})
