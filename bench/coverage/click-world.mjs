// Logs whose true values are known: one policy shows one item per impression, another is evaluated.
import { logOf, sameForAll } from './log-of.mjs'
import { evenAppeal, logistic, runningSums, secondMoment, softmax, solve, sum } from './numbers.mjs'
import { expectation, NO_SPREAD } from './spread.mjs'

/** The first day of a log with timestamps. */
const START = Date.UTC(2025, 0, 6)
const DAY = 86_400_000

/**
 * Items have evenly spread appeal z in [−2, 2]. The logging policy is softmax(−0.25 z), the target softmax(s z),
 * with s such that ESS/n is `essRatio` on average; items of high appeal are clicked more,
 * logit rate = c + 0.5 z + a shift drawn from `spread`, with c such that the target earns `meanReward`.
 */
export function clickWorld({ meanReward, essRatio, items = 50, spread = NO_SPREAD, logging: given }) {
  const appeal = evenAppeal(items)
  const logging = given ?? softmax(appeal.map((z) => -0.25 * z))
  const targetAt = (s) => softmax(appeal.map((z) => s * z))
  const lowest = given ? 0 : -0.25
  const s = solve((tilt) => secondMoment(targetAt(tilt), logging) - 1 / essRatio, lowest, 40)
  const target = targetAt(s)
  const rate = (c, k) => expectation(spread, (shift) => logistic(c + 0.5 * appeal[k] + shift))
  const worth = (policy, c) => sum(Array.from(policy, (p, k) => p * rate(c, k)))
  const c = solve((level) => worth(target, level) - meanReward, -20, 20)
  const weights = Float64Array.from(target, (p, k) => p / logging[k])
  return {
    items,
    appeal,
    logging,
    cumulative: runningSums(logging),
    target: sameForAll('target', target),
    tilted: (tilt) => targetAt(tilt),
    tilt: s,
    weights,
    maxWeight: Math.max(...weights),
    /** Click-through rate of item `k` for a shift of the logit. */
    rateAt: (k, shift) => logistic(c + 0.5 * appeal[k] + shift),
    /** What a policy, given by its probabilities, earns per impression. */
    worth: (policy) => worth(policy, c),
    value: worth(target, c),
    loggingValue: worth(logging, c),
  }
}

const click = (rate, random) => (random.uniform() < rate ? 1 : 0)

/**
 * One log. `rows` says who sees each row and when; `shiftOf(row)` shifts the logit, `earn(rate, random, item)` is the
 * reward (default: a click), and `logger(row)` gives the probabilities and their running sums where they change.
 */
export function drawClicks(
  world,
  random,
  { user, users, time },
  { shiftOf = () => 0, earn = click, logger } = {},
) {
  const rows = user.length
  const item = new Uint32Array(rows)
  const reward = new Float64Array(rows)
  const propensity = new Float64Array(rows)
  for (let row = 0; row < rows; row++) {
    const { logging, cumulative } = logger ? logger(row) : world
    const shift = shiftOf(row)
    const k = random.pick(cumulative)
    item[row] = k
    propensity[row] = logging[k]
    reward[row] = earn(world.rateAt(k, shift), random, k)
  }
  return logOf({ user, users, item, items: world.items, reward, propensity, ...(time && { time }) })
}

/** Users with the same number of rows each, one user after the other. */
export function equalUsers(users, rowsPerUser) {
  const user = new Uint32Array(users * rowsPerUser)
  for (let row = 0; row < user.length; row++) user[row] = Math.floor(row / rowsPerUser)
  return { user, users }
}

/** Rows in the order of time, spread over days, each of a user drawn at random. */
export function overDays(random, { rows, users, days }) {
  const user = new Uint32Array(rows)
  const day = new Uint32Array(rows)
  const time = new Float64Array(rows)
  for (let row = 0; row < rows; row++) {
    user[row] = random.below(users)
    day[row] = Math.floor((row * days) / rows)
    time[row] = START + Math.floor((row * days * DAY) / rows)
  }
  return { user, users, day, days, time }
}

/** One shift per user or day, drawn from a spread of equally likely ones. */
export const drawShifts = (random, spread, count) =>
  Float64Array.from({ length: count }, () => spread[random.word() % spread.length].shift)
