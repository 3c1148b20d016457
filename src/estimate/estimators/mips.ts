import type { Estimator } from '../estimator.js'
import { one, type Term } from '../term.js'

const weightedReward: Term = { name: 'mr', of: ({ m, r }) => m * r, sql: 'm * r' }

/** Marginalised IPS: weights of the item's category, w(u, c) = π(c|u)/b(c|u), in place of the item's (Saito & Joachims 2022). */
export const mips: Estimator = {
  name: 'mips',
  ratios: [{ numerator: weightedReward, denominator: one }],
  needs: 'categories',
}
