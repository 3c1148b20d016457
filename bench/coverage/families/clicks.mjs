import { clickWorld, drawClicks, drawShifts, equalUsers } from '../click-world.mjs'
import { FOUR_KINDS, NO_SPREAD } from '../spread.mjs'

const SIZES = [
  { users: 1000, rowsPerUser: 1 },
  { users: 10_000, rowsPerUser: 1 },
  { users: 100, rowsPerUser: 30 },
  { users: 333, rowsPerUser: 30 },
]

export const clicks = {
  name: 'clicks',
  title: 'Clicks, 50 items; rows of different users, or 30 rows per user and users who differ',
  use: 'found',
  estimators: ['ips', 'snips', 'dr', 'beta-ips'],
  cells: [0.02, 0.1, 0.5].flatMap((meanReward) =>
    [0.05, 0.2, 0.8].flatMap((essRatio) =>
      SIZES.map(({ users, rowsPerUser }) => ({
        name: `reward ${meanReward}, ESS/n ${essRatio}, ${users} users × ${rowsPerUser}`,
        meanReward,
        essRatio,
        users,
        rowsPerUser,
      })),
    ),
  ),
  world: ({ meanReward, essRatio, users, rowsPerUser }) => {
    const spread = rowsPerUser > 1 ? FOUR_KINDS : NO_SPREAD
    const world = clickWorld({ meanReward, essRatio, spread })
    const plan = equalUsers(users, rowsPerUser)
    return {
      draw(random) {
        const shifts = drawShifts(random, spread, users)
        const log = drawClicks(world, random, plan, { shiftOf: (row) => shifts[plan.user[row]] })
        return { log, target: world.target, truth: world.value }
      },
    }
  },
}
