import { clickWorld, drawClicks, drawShifts, equalUsers } from '../click-world.mjs'
import { sameForAll } from '../log-of.mjs'
import { logistic, normalised, runningSums, solve, sum } from '../numbers.mjs'
import { expectation, FOUR_KINDS } from '../spread.mjs'

const ESTIMATORS = [
  'clipped-ips',
  'clipped-dr',
  'switch-dr',
  'dr-os',
  'sub-gaussian-ips',
  'sub-gaussian-dr',
  'snips',
]

export const tunedSoftmax = {
  name: 'tuned-softmax',
  title: 'Estimators with a λ, weights of a softmax: the best items have the largest weights',
  use: 'found',
  estimators: ESTIMATORS,
  cells: [0.5, 0.2, 0.05].flatMap((essRatio) =>
    [400, 1000].map((users) => ({
      name: `ESS/n ${essRatio}, reward 0.15, ${users} users × 5`,
      essRatio,
      users,
    })),
  ),
  world: ({ essRatio, users }) => {
    const world = clickWorld({ meanReward: 0.15, essRatio, items: 30, spread: FOUR_KINDS })
    const plan = equalUsers(users, 5)
    return {
      draw(random) {
        const shifts = drawShifts(random, FOUR_KINDS, users)
        const log = drawClicks(world, random, plan, { shiftOf: (row) => shifts[plan.user[row]] })
        return { log, target: world.target, truth: world.value }
      },
    }
  },
}

/** How appeal goes with the logging probability: rare items good, rare items bad, or neither. */
const ALIGNMENTS = { 'rare items better': 1, 'rare items worse': -1, 'rare items alike': 0 }

export const tunedZipf = {
  name: 'tuned-zipf',
  title: 'Estimators with a λ, uniform target, logging by popularity: weights with a long tail',
  use: 'found',
  estimators: ESTIMATORS,
  cells: [0.8, 1.2].flatMap((power) =>
    Object.keys(ALIGNMENTS).map((alignment) => ({
      name: `Zipf ${power}, ${alignment}, reward 0.15, 700 users × 5`,
      power,
      alignment,
      users: 700,
    })),
  ),
  world: ({ power, alignment, users }) => {
    const items = 40
    const logging = normalised(Array.from({ length: items }, (_, k) => (k + 1) ** -power))
    const cumulative = runningSums(logging)
    const score = (k) => ALIGNMENTS[alignment] * (-1.5 + (3 * k) / (items - 1)) * 0.6
    const worth = (c) =>
      sum(
        Array.from(
          logging,
          (_, k) => expectation(FOUR_KINDS, (shift) => logistic(c + score(k) + shift)) / items,
        ),
      )
    const c = solve((level) => worth(level) - 0.15, -12, 12)
    const truth = worth(c)
    const plan = equalUsers(users, 5)
    const target = sameForAll('uniform', new Float64Array(items).fill(1 / items))
    const world = { items, logging, cumulative, rateAt: (k, shift) => logistic(c + score(k) + shift) }
    return {
      draw(random) {
        const shifts = drawShifts(random, FOUR_KINDS, users)
        const log = drawClicks(world, random, plan, { shiftOf: (row) => shifts[plan.user[row]] })
        return { log, target, truth }
      },
    }
  },
}
