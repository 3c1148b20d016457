import { clickWorld, drawClicks, drawShifts, equalUsers } from '../click-world.mjs'
import { FOUR_KINDS } from '../spread.mjs'

/** Kinds of rewards: what is earned where a click has the given rate, and its expectation as a · rate + b. */
const KINDS = {
  '0 or 5': {
    range: [0, 5],
    earn: (rate, random) => (random.uniform() < rate ? 5 : 0),
    mean: (rate) => 5 * rate,
  },
  '−1, 0 or 1': {
    range: [-1, 1],
    // Half of the impressions earn nothing; the others are liked or disliked.
    earn: (rate, random) => (random.uniform() < 0.5 ? 0 : random.uniform() < rate ? 1 : -1),
    mean: (rate) => rate - 0.5,
  },
  '0 to 100': {
    range: [0, 100],
    // A share of a video watched: mostly little, now and then all of it.
    earn: (rate, random) => (random.uniform() < rate ? 100 : 20 * random.uniform() ** 2),
    mean: (rate) => 100 * rate + (20 / 3) * (1 - rate),
  },
}

const SIZES = [
  { users: 2000, rowsPerUser: 1 },
  { users: 300, rowsPerUser: 10 },
]

export const rewards = {
  name: 'rewards',
  title: 'Rewards beyond 0 and 1, with and without their range given',
  use: 'tested',
  estimators: ['ips', 'snips', 'dr'],
  cells: Object.keys(KINDS).flatMap((kind) =>
    // 0 or 5 at a rate of 0.19 earns 0.95: just below the upper end of a range that was never there.
    (kind === '0 or 5' ? [0.08, 0.19, 0.4] : [0.08, 0.4]).flatMap((rate) =>
      SIZES.flatMap(({ users, rowsPerUser }) =>
        [false, true].map((isGiven) => ({
          name: `${kind}, rate ${rate}, ${users} users × ${rowsPerUser}, range ${isGiven ? 'given' : 'not given'}`,
          kind,
          rate,
          users,
          rowsPerUser,
          isGiven,
        })),
      ),
    ),
  ),
  world: ({ kind, rate, users, rowsPerUser, isGiven }) => {
    const { range, earn, mean } = KINDS[kind]
    const world = clickWorld({ meanReward: rate, essRatio: 0.3, items: 30, spread: FOUR_KINDS })
    const plan = equalUsers(users, rowsPerUser)
    return {
      draw(random) {
        const shifts = drawShifts(random, FOUR_KINDS, users)
        const log = drawClicks(world, random, plan, { earn, shiftOf: (row) => shifts[plan.user[row]] })
        return {
          log,
          target: world.target,
          truth: mean(world.value),
          ...(isGiven && { rewardRange: range }),
        }
      },
    }
  },
}
