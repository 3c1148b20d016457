import { badOption } from '../error.js'
import { softmaxPolicy } from '../policy/ruled-policy.js'
import { drawBeta } from '../random/distributions.js'
import { randomStream } from '../random/stream.js'
import { requireCount, type World, worldOf } from './world.js'

export interface ToyOptions {
  seed?: number
  users?: number
  items?: number
  /** Independent exposures per user. */
  exposures?: number
  /** The two parameters of the Beta distribution of click probabilities. */
  beta?: readonly [number, number]
  /** How strongly the logging policy favours later items: the last is exp(skew) times as likely as the first. */
  skew?: number
}

/** The paper's settings. */
export const TOY_DEFAULTS = { seed: 0, users: 1000, items: 200, exposures: 5, beta: [2, 5], skew: 5 } as const

/**
 * The synthetic world of the paper (Raja & Vats 2025, appendix A): click rates CTR(u, i) ~ Beta(2, 5) for each
 * pair, a logging policy π(i) ∝ exp(5 (i−1)/(I−1)) that favours items of high index, and 5 exposures per user.
 */
export function toyWorld(options: ToyOptions = {}): World {
  const { seed, users, items, exposures, beta, skew } = { ...TOY_DEFAULTS, ...options }
  requireCount('users', users)
  requireCount('items', items)
  requireCount('exposures', exposures)
  if (!beta.every((parameter) => parameter > 0 && parameter < Infinity))
    throw badOption(`Beta(${beta.join(', ')}) is not a distribution.`, 'Use two finite numbers above 0.')
  if (!Number.isFinite(skew)) throw badOption(`A skew of ${skew} is not a number.`, 'Use a finite number.')
  const rates = new Float64Array(users * items)
  for (let u = 0; u < users; u++) {
    const random = randomStream(seed, 'click rates', u)
    for (let i = 0; i < items; i++) rates[u * items + i] = drawBeta(random, beta[0], beta[1])
  }
  const scores = Float64Array.from({ length: items }, (_, i) => (items === 1 ? 0 : (skew * i) / (items - 1)))
  return worldOf({
    name: 'toy',
    seed,
    userIds: Array.from({ length: users }, (_, u) => String(u + 1)),
    itemIds: Array.from({ length: items }, (_, i) => String(i + 1)),
    logging: softmaxPolicy('logging', scores, 1),
    exposures,
    clickRate: (user, item) => rates[user * items + item]!,
  })
}
