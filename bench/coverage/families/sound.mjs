import { MOST_DOUBTED } from '../aim.mjs'
import { allTrusted } from '../answers.mjs'
import { clickWorld, drawClicks, drawShifts, equalUsers, overDays } from '../click-world.mjs'
import { sameForAll } from '../log-of.mjs'
import { evenAppeal, normalised, secondMoment, softmax } from '../numbers.mjs'
import { FOUR_KINDS } from '../spread.mjs'

/** Loggers of few distinct probabilities, as rules of thumb have them. */
const LOGGERS = {
  uniform: (items) => new Float64Array(items).fill(1 / items),
  'two levels': (items) => normalised(Array.from({ length: items }, (_, k) => (k % 2 === 0 ? 3 : 1))),
  'ε-greedy': (items) =>
    Float64Array.from({ length: items }, (_, k) => 0.5 / items + (k === Math.floor(items / 2) ? 0.5 : 0)),
  softmax: (items) => softmax(evenAppeal(items).map((z) => -0.25 * z)),
}

/** Targets that any of these logs supports well. */
const TARGETS = {
  uniform: (items) => new Float64Array(items).fill(1 / items),
  'top third': (items) =>
    normalised(Array.from({ length: items }, (_, k) => (k >= Math.floor((2 * items) / 3) ? 1 : 0))),
  'softmax ½': (items) => softmax(evenAppeal(items).map((z) => 0.5 * z)),
}

/** A log of many clicks and users, with or without timestamps. */
function soundWorld({ items, logger, isDated, meanReward = 0.12 }) {
  const logging = LOGGERS[logger](items)
  const world = clickWorld({ meanReward, essRatio: 0.5, items, logging, spread: FOUR_KINDS })
  return {
    world,
    drawLog(random) {
      const plan = isDated ? overDays(random, { rows: 5000, users: 500, days: 28 }) : equalUsers(500, 10)
      const shifts = drawShifts(random, FOUR_KINDS, plan.users)
      return drawClicks(world, random, plan, { shiftOf: (row) => shifts[plan.user[row]] })
    },
  }
}

const LOGS = [3, 10, 40].flatMap((items) => Object.keys(LOGGERS).map((logger) => ({ items, logger })))

export const sound = {
  name: 'sound',
  title: 'Sound logs: hundreds of clicks, ESS of at least 20 %, few distinct weights; the share not trusted',
  use: 'found',
  doubt: MOST_DOUBTED.evaluation,
  estimators: ['ips', 'snips', 'dr'],
  cells: LOGS.flatMap(({ items, logger }) =>
    Object.keys(TARGETS)
      .filter((target) => secondMoment(TARGETS[target](items), LOGGERS[logger](items)) <= 5)
      .filter((target) => target !== logger)
      .map((target, k) => ({
        name: `${items} items, logging ${logger}, target ${target}, ${k % 2 === 0 ? '28 days' : 'no timestamps'}`,
        items,
        logger,
        target,
        isDated: k % 2 === 0,
      })),
  ),
  world: ({ target, ...settings }) => {
    const { world, drawLog } = soundWorld(settings)
    const policy = TARGETS[target](settings.items)
    const asked = { target: sameForAll(target, policy), truth: world.worth(policy) }
    return { draw: (random) => ({ log: drawLog(random), ...asked }) }
  },
}

const SIX = [-0.4, -0.2, 0, 0.2, 0.4, 0.6]

export const soundSix = {
  name: 'sound-six',
  title: 'Six targets on a sound log, all of them to be trusted',
  use: 'tested',
  doubt: MOST_DOUBTED.comparison,
  ask: allTrusted,
  estimators: ['snips'],
  cells: LOGS.filter(({ items }) => items > 3).flatMap(({ items, logger }, k) => ({
    name: `six softmax targets, ${items} items, logging ${logger}, ${k % 2 === 0 ? '28 days' : 'no timestamps'}`,
    items,
    logger,
    isDated: k % 2 === 0,
  })),
  world: (settings) => {
    const { world, drawLog } = soundWorld(settings)
    const targets = SIX.map((tilt) => sameForAll(`softmax ${tilt}`, world.tilted(tilt)))
    return { draw: (random) => ({ log: drawLog(random), targets }) }
  },
}
