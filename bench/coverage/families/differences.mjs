import { compared } from '../answers.mjs'
import { clickWorld, drawClicks, drawShifts, equalUsers } from '../click-world.mjs'
import { sameForAll } from '../log-of.mjs'
import { solve } from '../numbers.mjs'
import { FOUR_KINDS } from '../spread.mjs'
import { dayWorld } from './days.mjs'

/** What is compared, as the probabilities of two targets; `undefined` is the logging policy. */
const PAIRS = {
  'target against logging': (world) => [undefined, world.tilted(world.tilt)],
  'two near targets': (world) => [world.tilted(0.8 * world.tilt), world.tilted(world.tilt)],
  // A target and one that shows the best items as often as the worst, mixed to earn the same.
  'no difference': (world) => {
    const target = world.tilted(world.tilt)
    const mirror = target.map((p, k) => (p + target[target.length - 1 - k]) / 2)
    const good = world.tilted(2 * world.tilt)
    const mixed = (share) => mirror.map((p, k) => (1 - share) * p + share * good[k])
    return [target, mixed(solve((share) => world.worth(mixed(share)) - world.worth(target), 0, 1))]
  },
}

const question = (world, pair) => {
  const both = PAIRS[pair](world)
  const [before, after] = both.map((policy) => (policy ? world.worth(policy) : world.loggingValue))
  return {
    targets: both.map((policy, k) =>
      policy ? sameForAll(k === 0 ? 'before' : 'after', policy) : { kind: 'logging' },
    ),
    truth: after - before,
  }
}

export const differences = {
  name: 'differences',
  title: 'Paired differences between two targets',
  use: 'tested',
  estimators: ['snips', 'dr'],
  ask: compared,
  cells: Object.keys(PAIRS).flatMap((pair) => [
    ...[0.03, 0.2].flatMap((meanReward) =>
      [0.2, 0.6].map((essRatio) => ({
        name: `${pair}, reward ${meanReward}, ESS/n ${essRatio}, 500 users × 8`,
        pair,
        meanReward,
        essRatio,
      })),
    ),
    { name: `${pair}, reward 0.15, 28 days, 400 users, sd 0.4`, pair, days: 28 },
  ]),
  world: ({ pair, meanReward, essRatio, days }) => {
    if (days) {
      const { world, drawLog } = dayWorld({ sd: 0.4, users: 400, days })
      const asked = question(world, pair)
      return { draw: (random) => ({ log: drawLog(random), ...asked }) }
    }
    const world = clickWorld({ meanReward, essRatio, items: 20, spread: FOUR_KINDS })
    const asked = question(world, pair)
    const plan = equalUsers(500, 8)
    return {
      draw(random) {
        const shifts = drawShifts(random, FOUR_KINDS, plan.users)
        const log = drawClicks(world, random, plan, { shiftOf: (row) => shifts[plan.user[row]] })
        return { log, ...asked }
      },
    }
  },
}
