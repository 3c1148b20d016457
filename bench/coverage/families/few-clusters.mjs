import { clickWorld, drawClicks, equalUsers } from '../click-world.mjs'
import { normalSpread } from '../spread.mjs'

export const fewClusters = {
  name: 'few-clusters',
  title: 'Few users with many rows each, who differ (normal, on the logit scale)',
  use: 'found',
  estimators: ['ips', 'snips', 'dr'],
  cells: [20, 40, 80].flatMap((users) =>
    [0.05, 0.3].flatMap((meanReward) =>
      [0.3, 0.8].map((sd) => ({
        name: `${users} users × 60, reward ${meanReward}, sd ${sd}`,
        users,
        meanReward,
        sd,
      })),
    ),
  ),
  world: ({ users, meanReward, sd }) => {
    const world = clickWorld({ meanReward, essRatio: 0.4, items: 20, spread: normalSpread(sd) })
    const plan = equalUsers(users, 60)
    return {
      draw(random) {
        const shifts = Float64Array.from({ length: users }, () => sd * random.normal())
        const log = drawClicks(world, random, plan, { shiftOf: (row) => shifts[plan.user[row]] })
        return { log, target: world.target, truth: world.value }
      },
    }
  },
}
