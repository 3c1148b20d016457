import { badOption } from '../error.js'
import type { Log } from '../log/log.js'
import { softmaxPolicy } from '../policy/ruled-policy.js'
import { log } from '../portable-math.js'
import { requireCount, type World, worldOf } from './world.js'

export interface MovielensOptions {
  seed?: number
  /** T of the logging policy softmax(log popularity / T): 1 is proportional to popularity, ∞ is uniform. */
  temperature?: number
  /** Exposures per user, drawn with replacement. */
  exposures?: number
  /** Probability that a click becomes a non-click, and vice versa. */
  noise?: number
}

/** The default settings. */
export const MOVIELENS_DEFAULTS = { seed: 0, temperature: 1, exposures: 100, noise: 0 } as const

/**
 * A world whose truth is a set of ratings. The paper says "exposure bias is simulated by sampling
 * exposures with a softmax over item popularity, controlled by a bias parameter"; read here as: item popularity is the number
 * of ratings n(i); the logging policy is softmax(log n(i) / T) ∝ n(i)^(1/T), the same for every user; users
 * click on the items whose rating counts as a click (4 or higher), and on no others;
 * `noise` flips either with that probability.
 *
 * @param ratings a log of ratings, reward 1 for a click and 0 for a rating below
 */
export function movielensWorld(ratings: Log, options: MovielensOptions = {}): World {
  const { seed, temperature, exposures, noise } = { ...MOVIELENS_DEFAULTS, ...options }
  requireCount('exposures', exposures)
  if (!(temperature > 0))
    throw badOption(
      `A temperature of ${temperature} is not above 0.`,
      'Use a number above 0; 1 is proportional to popularity, larger is closer to uniform.',
    )
  if (!(noise >= 0 && noise <= 1))
    throw badOption(`A click noise of ${noise} is not a probability.`, 'Use a number from 0 to 1.')
  const items = ratings.itemIds.length
  const popularity = new Float64Array(items)
  // One bit per user–item pair.
  const wordsAUser = Math.ceil(items / 32)
  const liked = new Uint32Array(ratings.userIds.length * wordsAUser)
  for (let row = 0; row < ratings.rows; row++) {
    const item = ratings.item[row]!
    popularity[item]!++
    if (ratings.reward[row]! > 0) liked[ratings.user[row]! * wordsAUser + (item >>> 5)]! |= 1 << (item & 31)
  }
  const likes = (user: number, item: number): boolean =>
    ((liked[user * wordsAUser + (item >>> 5)]! >>> (item & 31)) & 1) === 1
  return worldOf({
    name: 'movielens',
    seed,
    userIds: ratings.userIds,
    itemIds: ratings.itemIds,
    logging: softmaxPolicy('logging', popularity.map(log), temperature),
    exposures,
    clickRate: (user, item) => (likes(user, item) ? 1 - noise : noise),
  })
}
