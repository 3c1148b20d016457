import { clickWorld, drawClicks, drawShifts, overDays } from '../click-world.mjs'
import { bothSpreads, FOUR_KINDS, normalSpread } from '../spread.mjs'

/**
 * Days that differ: a normal shift of the logit per day, besides that of the user. The truth is the mean over days to
 * come.
 */
export const dayWorld = ({ sd, users, days, rows = 6000, meanReward = 0.15, essRatio = 0.4 }) => {
  const spread = bothSpreads(FOUR_KINDS, normalSpread(sd))
  const world = clickWorld({ meanReward, essRatio, items: 20, spread })
  return {
    world,
    drawLog(random) {
      const plan = overDays(random, { rows, users, days })
      const ofUser = drawShifts(random, FOUR_KINDS, users)
      const ofDay = Float64Array.from({ length: days }, () => sd * random.normal())
      return drawClicks(world, random, plan, {
        shiftOf: (row) => ofUser[plan.user[row]] + ofDay[plan.day[row]],
      })
    },
  }
}

const cell = (days, users, sd) => ({ name: `${days} days, ${users} users, sd ${sd}`, days, users, sd })

const family = (name, use, cells) => ({
  name,
  title: 'Days that differ, logs with timestamps, 6,000 rows',
  use,
  estimators: ['ips', 'snips', 'dr'],
  cells,
  world: (settings) => {
    const { world, drawLog } = dayWorld(settings)
    return { draw: (random) => ({ log: drawLog(random), target: world.target, truth: world.value }) }
  },
})

export const days28 = family(
  'days-28',
  'found',
  [100, 400, 2800].flatMap((users) => [0, 0.2, 0.4].map((sd) => cell(28, users, sd))),
)

export const days = family(
  'days',
  'tested',
  [7, 60].flatMap((count) =>
    [200, 1400].flatMap((users) => [0, 0.2, 0.4].map((sd) => cell(count, users, sd))),
  ),
)
