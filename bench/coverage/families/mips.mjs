import { byType, logOf } from '../log-of.mjs'
import { logistic, normalised, runningSums, solve, sum } from '../numbers.mjs'

const ITEMS = 24
const CATEGORIES = 6
const TYPES = 4
const categoryOf = (item) => item % CATEGORIES
const categories = Array.from({ length: ITEMS }, (_, item) => `category ${categoryOf(item)}`)

/**
 * Users of four types. Both policies depend on the type (or the target on nothing), rewards on type and category, and,
 * where `within` is above 0, on the item too: then categories do not explain the reward and MIPS is biased.
 */
function categoryWorld({ isPersonal, strength, within, meanReward }) {
  const taste = (type, category) => Math.sin(1 + 2.3 * type + 1.7 * category)
  const detail = (item) => Math.cos(5.1 * item)
  const policy = (tilt, spread, byTypeToo) =>
    Array.from({ length: TYPES }, (_, type) =>
      normalised(
        Array.from({ length: ITEMS }, (_, item) =>
          Math.exp(tilt * taste(byTypeToo ? type : 0, categoryOf(item)) + spread * detail(item)),
        ),
      ),
    )
  const logging = policy(0.4, 0.6, true)
  const target = policy(strength, -0.6, isPersonal)
  const rate = (c, type, item) => logistic(c + 0.8 * taste(type, categoryOf(item)) + within * detail(item))
  const worth = (c) =>
    sum(target.map((pi, type) => sum(Array.from(pi, (p, item) => p * rate(c, type, item))))) / TYPES
  const c = solve((level) => worth(level) - meanReward, -12, 12)
  return {
    logging,
    target,
    cumulative: logging.map(runningSums),
    rates: logging.map((b, type) => Float64Array.from(b, (_, item) => rate(c, type, item))),
    value: worth(c),
  }
}

const SIZES = [
  { users: 1000, rowsPerUser: 5 },
  { users: 150, rowsPerUser: 40 },
]

export const mips = {
  name: 'mips',
  title: 'MIPS and its relatives, personalised policies, 24 items in 6 categories',
  use: 'tested',
  estimators: ['mips', 'snmips', 'offcem', 'snips'],
  cells: [
    { isPersonal: true, strength: 1, within: 0 },
    { isPersonal: true, strength: 2, within: 0 },
    { isPersonal: false, strength: 1, within: 0 },
    { isPersonal: true, strength: 1, within: 0.5 },
  ].flatMap((kind) =>
    SIZES.flatMap(({ users, rowsPerUser }) =>
      [0.05, 0.3].map((meanReward) => ({
        name:
          `${kind.isPersonal ? 'personalised' : 'same for all'}, strength ${kind.strength}, rewards by ` +
          `${kind.within > 0 ? 'item too' : 'category'}, reward ${meanReward}, ${users} users × ${rowsPerUser}`,
        ...kind,
        users,
        rowsPerUser,
        meanReward,
      })),
    ),
  ),
  world: ({ users, rowsPerUser, ...settings }) => {
    const world = categoryWorld(settings)
    return {
      draw(random) {
        const typeOf = Uint8Array.from({ length: users }, () => random.below(TYPES))
        const rows = users * rowsPerUser
        const [user, item] = [new Uint32Array(rows), new Uint32Array(rows)]
        const [reward, propensity] = [new Float64Array(rows), new Float64Array(rows)]
        for (let row = 0; row < rows; row++) {
          user[row] = Math.floor(row / rowsPerUser)
          const type = typeOf[user[row]]
          item[row] = random.pick(world.cumulative[type])
          propensity[row] = world.logging[type][item[row]]
          reward[row] = random.uniform() < world.rates[type][item[row]] ? 1 : 0
        }
        return {
          log: logOf({ user, users, item, items: ITEMS, reward, propensity }),
          target: byType('target', world.target, typeOf),
          truth: world.value,
          categories,
        }
      },
    }
  },
}
