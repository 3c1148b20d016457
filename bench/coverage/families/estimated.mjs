import { choosePropensity } from '../../../dist/index.js'
import { drawClicks, drawShifts, equalUsers } from '../click-world.mjs'
import { logOf, sameForAll } from '../log-of.mjs'
import { evenAppeal, logistic, normalised, runningSums, solve, softmax, sum } from '../numbers.mjs'
import { expectation, FOUR_KINDS } from '../spread.mjs'

const ITEMS = 20
const APPEAL = evenAppeal(ITEMS)
const USERS = 400
const ROWS_PER_USER = 8

/** What decides what is shown: the item alone, the item and the kind of user, or the reward itself. */
const LOGGERS = {
  'by item': () => APPEAL.map((z) => -0.4 * z),
  'by user': (kind) => APPEAL.map((z, k) => -0.2 * z + 1.2 * Math.sin(2 * kind + k)),
}

const STAND_INS = {
  popularity: () => ({ kind: 'popularity', power: 1 }),
  'naive Bayes': (slice) => ({ kind: 'naive-bayes', slice }),
}

export const estimated = {
  name: 'estimated',
  title: 'Estimated propensities, right and wrong: whether any is trusted without saying so',
  use: 'tested',
  estimators: ['ips', 'snips', 'dr'],
  cells: Object.keys(STAND_INS).flatMap((standIn) =>
    Object.keys(LOGGERS).map((logger) => ({ name: `${standIn}, shown ${logger}`, standIn, logger })),
  ),
  world: ({ standIn, logger }) => {
    const tables = FOUR_KINDS.map((_, kind) => {
      const logging = softmax(LOGGERS[logger](kind))
      return { logging, cumulative: runningSums(logging) }
    })
    const target = normalised(APPEAL.map((z) => Math.exp(0.5 * z)))
    // Users click more on what they are shown more often where the logger knows them.
    const score = (k, kind) => 0.5 * APPEAL[k] + (logger === 'by user' ? 0.6 * Math.sin(2 * kind + k) : 0)
    const worth = (c) =>
      sum(Array.from(target, (p, k) => p * expectation(kinds, (kind) => logistic(c + score(k, kind)))))
    const c = solve((level) => worth(level) - 0.2, -12, 12)
    const truth = worth(c)
    const plan = equalUsers(USERS, ROWS_PER_USER)
    const everyItem = new Float64Array(ITEMS).fill(1 / ITEMS)
    const uniform = { logging: everyItem, cumulative: runningSums(everyItem) }
    const clicks = { items: ITEMS, rateAt: (k, kind) => logistic(c + score(k, kind)) }
    const drawLog = (random, loggerOf) => {
      const ofUser = drawShifts(random, kinds, USERS)
      const shiftOf = (row) => ofUser[plan.user[row]]
      return drawClicks(clicks, random, plan, { shiftOf, logger: (row) => loggerOf(shiftOf(row)) })
    }
    return {
      draw(random) {
        const { propensity: _, ...log } = drawLog(random, (kind) => tables[kind])
        const slice = drawLog(random, () => uniform)
        return {
          log: choosePropensity(logOf({ ...log, users: USERS, items: ITEMS }), STAND_INS[standIn](slice)),
          target: sameForAll('target', target),
          truth,
        }
      },
    }
  },
}

/** Kinds of users by their number, all equally likely. */
const kinds = FOUR_KINDS.map((_, kind) => ({ shift: kind, chance: 0.25 }))
