import { clickWorld, drawClicks } from '../click-world.mjs'
import { runningSums, sum } from '../numbers.mjs'
import { FOUR_KINDS } from '../spread.mjs'

/** Most rows of one user. */
const MOST = 300

/** Zipf activity: a user has n rows with a chance in proportion to n^−power. */
const activityOf = (power) => Float64Array.from({ length: MOST }, (_, k) => (k + 1) ** -power)

export const activity = {
  name: 'zipf-activity',
  title: 'Users of very unequal activity, which may go with how much they click',
  use: 'tested',
  estimators: ['ips', 'snips', 'dr'],
  cells: [1.4, 1.8, 2.2].flatMap((power) =>
    [
      { users: 300, isTied: false },
      { users: 1200, isTied: false },
      { users: 1200, isTied: true },
    ].map(({ users, isTied }) => ({
      name: `rows per user ~ n^−${power}, ${users} users, ${isTied ? 'the active click less' : 'activity by chance'}`,
      power,
      users,
      isTied,
    })),
  ),
  world: ({ power, users, isTied }) => {
    const cumulative = runningSums(activityOf(power))
    const powers = FOUR_KINDS.map((_, kind) => runningSums(activityOf(power + (isTied ? 0.2 * kind : 0))))
    const meanRows = powers.map((running) => {
      const total = running[MOST - 1]
      return sum(Array.from(running, (_, k) => (total - (k > 0 ? running[k - 1] : 0)) / total))
    })
    // Per impression, kinds of users count by their rows.
    const chances = meanRows.map((rows) => rows / sum(meanRows))
    const spread = FOUR_KINDS.map(({ shift }, kind) => ({ shift, chance: isTied ? chances[kind] : 0.25 }))
    const world = clickWorld({ meanReward: 0.12, essRatio: 0.4, items: 20, spread })
    return {
      draw(random) {
        const kinds = Uint8Array.from({ length: users }, () => random.below(4))
        const counts = Uint32Array.from(kinds, (kind) => 1 + random.pick(isTied ? powers[kind] : cumulative))
        const user = new Uint32Array(counts.reduce((total, rows) => total + rows, 0))
        let row = 0
        counts.forEach((rows, u) => {
          user.fill(u, row, (row += rows))
        })
        const log = drawClicks(
          world,
          random,
          { user, users },
          {
            shiftOf: (at) => FOUR_KINDS[kinds[user[at]]].shift,
          },
        )
        return { log, target: world.target, truth: world.value }
      },
    }
  },
}
