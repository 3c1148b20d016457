import { clickWorld, drawClicks, drawShifts, equalUsers } from '../click-world.mjs'
import { FOUR_KINDS } from '../spread.mjs'

/** Laws of an order's amount, each with a mean of 1. */
const lognormal = (sigma) => (random) => Math.exp(sigma * random.normal() - (sigma * sigma) / 2)
const pareto = (shape) => (random) => ((shape - 1) / shape) * random.uniform() ** (-1 / shape)
/** Weibull with shape 1/2, the square of an exponential. */
const weibull = (random) => Math.log(random.uniform()) ** 2 / 2
/** Mostly small orders, one in a hundred fifty times as large. */
const baskets = (random) => (random.uniform() < 0.01 ? 50 : 1) / 1.49

const SIZES = [
  { users: 800, rowsPerUser: 5 },
  { users: 2000, rowsPerUser: 5 },
]

/** Orders by few: a click rate, and what a click then earns. */
const family = ({ name, title, use, laws, essRatios, rates }) => ({
  name,
  title,
  use,
  estimators: ['ips', 'snips', 'dr'],
  cells: Object.keys(laws).flatMap((law) =>
    rates.flatMap((rate) =>
      essRatios.flatMap((essRatio) =>
        SIZES.map(({ users, rowsPerUser }) => ({
          name: `${law}, orders ${100 * rate} %, ESS/n ${essRatio}, ${users} users × ${rowsPerUser}`,
          law,
          rate,
          essRatio,
          users,
          rowsPerUser,
        })),
      ),
    ),
  ),
  world: ({ law, rate, essRatio, users, rowsPerUser }) => {
    const world = clickWorld({ meanReward: rate, essRatio, items: 30, spread: FOUR_KINDS })
    const plan = equalUsers(users, rowsPerUser)
    const amount = laws[law]
    const earn = (chance, random) => (random.uniform() < chance ? amount(random) : 0)
    return {
      draw(random) {
        const shifts = drawShifts(random, FOUR_KINDS, users)
        const log = drawClicks(world, random, plan, { earn, shiftOf: (row) => shifts[plan.user[row]] })
        return { log, target: world.target, truth: world.value }
      },
    }
  },
})

export const revenue = family({
  name: 'revenue',
  title: 'Revenue: orders with lognormal amounts',
  use: 'found',
  laws: Object.fromEntries([0.5, 1, 1.5, 2].map((sigma) => [`lognormal σ ${sigma}`, lognormal(sigma)])),
  essRatios: [0.3],
  rates: [0.03, 0.1],
})

export const amounts = family({
  name: 'amounts',
  title: 'Revenue with other amounts: Pareto, Weibull, rare large baskets',
  use: 'tested',
  laws: { 'Pareto 2.2': pareto(2.2), 'Pareto 4': pareto(4), 'Weibull ½': weibull, baskets },
  essRatios: [0.15, 0.6],
  rates: [0.06],
})
