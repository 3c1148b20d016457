import { clickWorld, drawClicks, drawShifts, overDays } from '../click-world.mjs'
import { runningSums, softmax } from '../numbers.mjs'
import { FOUR_KINDS } from '../spread.mjs'

const DAYS = 28
const ITEMS = 20

/** Loggers by day: the tilt of their softmax over appeal. */
const TILTS = {
  'tilt drifts': (day) => -0.6 + (1.2 * day) / DAYS,
  'two loggers in turn': (day) => (day % 2 === 0 ? -0.5 : 0.3),
  'a new logger half way': (day) => (day < DAYS / 2 ? -0.7 : 0.5),
}

/** ε-greedy on the clicks seen so far, learnt once per day. */
function learner(epsilon) {
  const clicks = new Float64Array(ITEMS)
  const shown = new Float64Array(ITEMS).fill(1)
  let logger
  return {
    at(isNewDay) {
      if (isNewDay || !logger) {
        const rates = clicks.map((count, k) => count / shown[k])
        const best = rates.indexOf(Math.max(...rates))
        const logging = Float64Array.from(rates, (_, k) => epsilon / ITEMS + (k === best ? 1 - epsilon : 0))
        logger = { logging, cumulative: runningSums(logging) }
      }
      return logger
    },
    learn(item, reward) {
      shown[item]++
      clicks[item] += reward
    },
  }
}

export const loggers = {
  name: 'loggers',
  title: 'Loggers that change over 28 days, their probabilities logged rightly',
  use: 'tested',
  estimators: ['ips', 'snips', 'dr'],
  cells: [...Object.keys(TILTS), 'learns every day (ε 0.4)'].flatMap((logger) =>
    [0.04, 0.2].map((meanReward) => ({ name: `${logger}, reward ${meanReward}`, logger, meanReward })),
  ),
  world: ({ logger: kind, meanReward }) => {
    const world = clickWorld({ meanReward, essRatio: 0.6, items: ITEMS, spread: FOUR_KINDS })
    const byDay =
      TILTS[kind] &&
      Array.from({ length: DAYS }, (_, day) => {
        const logging = softmax(world.appeal.map((z) => TILTS[kind](day) * z))
        return { logging, cumulative: runningSums(logging) }
      })
    return {
      draw(random) {
        const plan = overDays(random, { rows: 6000, users: 600, days: DAYS })
        const shifts = drawShifts(random, FOUR_KINDS, plan.users)
        const learning = byDay ? undefined : learner(0.4)
        const log = drawClicks(world, random, plan, {
          shiftOf: (row) => shifts[plan.user[row]],
          logger: (row) => {
            const day = plan.day[row]
            return byDay ? byDay[day] : learning.at(row > 0 && day !== plan.day[row - 1])
          },
          ...(learning && {
            earn(rate, { uniform }, item) {
              const reward = uniform() < rate ? 1 : 0
              learning.learn(item, reward)
              return reward
            },
          }),
        })
        return { log, target: world.target, truth: world.value }
      },
    }
  },
}
