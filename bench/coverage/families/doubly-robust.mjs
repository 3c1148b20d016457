import { byType, logOf } from '../log-of.mjs'
import { logistic, runningSums, softmax, solve, sum } from '../numbers.mjs'

const ITEMS = 20
const TYPES = 4

export const doublyRobust = {
  name: 'doubly-robust',
  title:
    'Every estimator with a reward model that is offered as an answer; item means are wrong, for tastes differ',
  use: 'tested',
  estimators: ['dr', 'sndr', 'mrdr'],
  cells: [1, 2].flatMap((skew) =>
    [0.04, 0.3].flatMap((meanReward) =>
      [200, 800].map((users) => ({
        name: `skew ${skew}, reward ${meanReward}, ${users} users × 6`,
        skew,
        meanReward,
        users,
      })),
    ),
  ),
  world: ({ skew, meanReward, users }) => {
    const taste = (type, item) => Math.sin(0.7 + 1.9 * type + 2.7 * item)
    const table = (tilt) =>
      Array.from({ length: TYPES }, (_, type) =>
        softmax(Array.from({ length: ITEMS }, (_, item) => tilt * taste(type, item))),
      )
    const [logging, target] = [table(-0.5 * skew), table(0.5)]
    const rate = (c, type, item) => logistic(c + taste(type, item))
    const worth = (c) =>
      sum(target.map((pi, type) => sum(Array.from(pi, (p, item) => p * rate(c, type, item))))) / TYPES
    const c = solve((level) => worth(level) - meanReward, -12, 12)
    const truth = worth(c)
    const cumulative = logging.map(runningSums)
    return {
      draw(random) {
        const typeOf = Uint8Array.from({ length: users }, () => random.below(TYPES))
        const rows = 6 * users
        const [user, item] = [new Uint32Array(rows), new Uint32Array(rows)]
        const [reward, propensity] = [new Float64Array(rows), new Float64Array(rows)]
        for (let row = 0; row < rows; row++) {
          user[row] = Math.floor(row / 6)
          const type = typeOf[user[row]]
          item[row] = random.pick(cumulative[type])
          propensity[row] = logging[type][item[row]]
          reward[row] = random.uniform() < rate(c, type, item[row]) ? 1 : 0
        }
        return {
          log: logOf({ user, users, item, items: ITEMS, reward, propensity }),
          target: byType('target', target, typeOf),
          truth,
        }
      },
    }
  },
}
