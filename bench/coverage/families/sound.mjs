import { MOST_DOUBTED } from '../aim.mjs'
import { allTrusted } from '../answers.mjs'
import { clickWorld, drawClicks, drawShifts, equalUsers, overDays } from '../click-world.mjs'
import { sameForAll } from '../log-of.mjs'
import { evenAppeal, normalised, secondMoment, softmax } from '../numbers.mjs'
import { FOUR_KINDS } from '../spread.mjs'

function datedText({ isDated }) {
  return isDated ? '28 days' : 'no timestamps'
}

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
function soundWorld({ items, logger, logging = LOGGERS[logger](items), isDated, meanReward = 0.12 }) {
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

/** A policy drawn by chance: softmax of normal scores. */
const drawnPolicy = (random, { items, sd }) =>
  softmax(Array.from({ length: items }, () => sd * random.normal()))

/** Policies drawn anew for each log, the targets until all have an ESS of at least 20 %; what targets earn is exact. */
function drawnWorld(settings, count) {
  return (random) => {
    const { items, sd, ...size } = settings
    const logging = drawnPolicy(random, { items, sd })
    const targets = Array.from({ length: count }, () => {
      let policy
      do policy = drawnPolicy(random, { items, sd })
      while (secondMoment(policy, logging) > 5)
      return policy
    })
    const { world, drawLog } = soundWorld({ items, logging, ...size })
    return { log: drawLog(random), targets, truths: targets.map((policy) => world.worth(policy)) }
  }
}

const DRAWN = [
  { items: 20, sd: 0.6, isDated: true },
  { items: 40, sd: 0.3, isDated: false },
  { items: 40, sd: 0.6, isDated: true },
].map((settings) => ({
  name: `policies by chance, ${settings.items} items, sd of scores ${settings.sd}, ${datedText(settings)}`,
  isDrawn: true,
  ...settings,
}))

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
        name: `${items} items, logging ${logger}, target ${target}, ${datedText({ isDated: k % 2 === 0 })}`,
        items,
        logger,
        target,
        isDated: k % 2 === 0,
      })),
  ).concat(DRAWN),
  world: ({ target, isDrawn, ...settings }) => {
    if (isDrawn) {
      const drawn = drawnWorld(settings, 1)
      return {
        draw(random) {
          const { log, targets, truths } = drawn(random)
          return { log, target: sameForAll('by chance', targets[0]), truth: truths[0] }
        },
      }
    }
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
  mostLogs: 300,
  ask: allTrusted,
  estimators: ['snips'],
  cells: LOGS.filter(({ items }) => items > 3)
    .flatMap(({ items, logger }, k) => ({
      name: `six softmax targets, ${items} items, logging ${logger}, ${datedText({ isDated: k % 2 === 0 })}`,
      items,
      logger,
      isDated: k % 2 === 0,
    }))
    .concat(DRAWN),
  world: ({ isDrawn, ...settings }) => {
    if (isDrawn) {
      const drawn = drawnWorld(settings, SIX.length)
      return {
        draw(random) {
          const { log, targets } = drawn(random)
          return { log, targets: targets.map((policy, k) => sameForAll(`by chance ${k + 1}`, policy)) }
        },
      }
    }
    const { world, drawLog } = soundWorld(settings)
    const targets = SIX.map((tilt) => sameForAll(`softmax ${tilt}`, world.tilted(tilt)))
    return { draw: (random) => ({ log: drawLog(random), targets }) }
  },
}
