import type { Log } from '../../log/log.js'
import { tablePolicy } from '../../policy/probabilities.js'
import type { Policy } from '../../policy/policy.js'
import { randomStream } from '../../random/stream.js'

/**
 * A world of two types of user and three categories of four items each, in which the reward depends on the type and the
 * category alone. Both policies look at the type, and the target likes in each what logging does not.
 */
const TYPES = [
  { rates: [0.5, 0.2, 0.1], logging: [0.2, 0.5, 0.3], target: [0.7, 0.2, 0.1] },
  { rates: [0.1, 0.3, 0.6], logging: [0.5, 0.3, 0.2], target: [0.1, 0.3, 0.6] },
] as const

const ITEMS = 12
const categoryOf = (item: number): 0 | 1 | 2 => (item % 3) as 0 | 1 | 2

/** How a category's probability is shared by its four items: logging and target disagree about that too. */
const WITHIN_LOGGING = [0.4, 0.3, 0.2, 0.1]
const WITHIN_TARGET = [0.1, 0.2, 0.3, 0.4]

const probabilities = (of: readonly number[], within: readonly number[]): Float64Array =>
  Float64Array.from({ length: ITEMS }, (_, item) => of[categoryOf(item)]! * within[Math.floor(item / 3)]!)

/** The category of each item. */
export const CATEGORIES: readonly string[] = Array.from(
  { length: ITEMS },
  (_, item) => `category ${categoryOf(item)}`,
)

/** What the target earns per impression: either type is as likely as the other. */
export const TRUTH =
  TYPES.reduce(
    (sum, { rates, target }) => sum + rates.reduce((own, rate, c) => own + rate * target[c]!, 0),
    0,
  ) / TYPES.length

/** A log of users whose types are drawn anew, each with so many rows, and the target for them. */
export function categoryLog(
  seed: number,
  { users, rowsPerUser }: { users: number; rowsPerUser: number },
): { log: Log; target: Policy } {
  const random = randomStream(seed, 'categories')
  const rows = users * rowsPerUser
  const types = Array.from({ length: users }, () => TYPES[random.uniform() < 0.5 ? 0 : 1])
  const logging = types.map((type) => probabilities(type.logging, WITHIN_LOGGING))
  const policy = tablePolicy('logging', logging)
  const [item, reward, propensity] = [new Uint32Array(rows), new Float64Array(rows), new Float64Array(rows)]
  types.forEach((type, user) => {
    const drawn = policy.sample(user, random, rowsPerUser)
    item.set(drawn.items, user * rowsPerUser)
    propensity.set(drawn.propensities, user * rowsPerUser)
    drawn.items.forEach((shown, k) => {
      reward[user * rowsPerUser + k] = random.uniform() < type.rates[categoryOf(shown)] ? 1 : 0
    })
  })
  return {
    log: {
      rows,
      user: Uint32Array.from({ length: rows }, (_, row) => Math.floor(row / rowsPerUser)),
      item,
      userIds: types.map((_, user) => `user ${user}`),
      itemIds: CATEGORIES.map((_, shown) => `item ${shown}`),
      catalogueKnown: true,
      reward,
      propensity,
      propensitySource: 'logged',
    },
    target: tablePolicy(
      'target',
      types.map((type) => probabilities(type.target, WITHIN_TARGET)),
    ),
  }
}
