// Logs whose true values are known: one policy shows one of 50 items per impression, another is evaluated.
const ITEMS = 50
/** How much users differ: equally likely shifts of the logit of every click-through rate. */
const SHIFTS = [-1.34, -0.45, 0.45, 1.34]
const NO_SHIFT = [0]

const logistic = (x) => 1 / (1 + Math.exp(-x))
const sum = (values) => values.reduce((total, value) => total + value, 0)
const softmax = (scores) => {
  const raised = scores.map((score) => Math.exp(score))
  const total = sum(raised)
  return raised.map((value) => value / total)
}

/** A root of an increasing function, by bisection. */
function solve(f, low, high) {
  for (let step = 0; step < 200; step++) {
    const middle = (low + high) / 2
    if (f(middle) < 0) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/**
 * Items have evenly spread appeal z in [−2, 2]. The logging policy is softmax(−0.25 z), the target softmax(s z),
 * with s such that ESS/n is `essRatio` on average; items of high appeal are clicked more,
 * logit rate = c + 0.5 z + the user's shift, with c such that the target earns `meanReward`.
 */
export function makeWorld({ meanReward, essRatio, rowsPerUser }) {
  const appeal = Array.from({ length: ITEMS }, (_, k) => -2 + (4 * k) / (ITEMS - 1))
  const logging = softmax(appeal.map((z) => -0.25 * z))
  const targetAt = (s) => softmax(appeal.map((z) => s * z))
  const secondMoment = (s) => sum(targetAt(s).map((p, k) => (p * p) / logging[k]))
  const target = targetAt(solve((s) => secondMoment(s) - 1 / essRatio, -0.25, 40))
  const shifts = rowsPerUser > 1 ? SHIFTS : NO_SHIFT
  const rate = (c, k) => sum(shifts.map((shift) => logistic(c + 0.5 * appeal[k] + shift))) / shifts.length
  const worth = (policy, c) => sum(policy.map((p, k) => p * rate(c, k)))
  const c = solve((level) => worth(target, level) - meanReward, -20, 20)
  const weights = Float64Array.from(target, (p, k) => p / logging[k])
  let running = 0
  return {
    rowsPerUser,
    weights,
    cumulative: Float64Array.from(logging, (b) => (running += b)),
    rates: shifts.map((shift) => Float64Array.from(appeal, (z) => logistic(c + 0.5 * z + shift))),
    maxWeight: Math.max(...weights),
    value: worth(target, c),
    loggingValue: worth(logging, c),
  }
}

/** A fast generator of 32-bit words (xoshiro128**, Blackman & Vigna 2018), seeded by splitmix32. */
export function generator(seed) {
  let mix = seed | 0
  const next = () => {
    mix = (mix + 0x9e3779b9) | 0
    let z = mix ^ (mix >>> 16)
    z = Math.imul(z, 0x21f0aaad)
    z ^= z >>> 15
    z = Math.imul(z, 0x735a2d97)
    return z ^ (z >>> 15)
  }
  let a = next()
  let b = next()
  let c = next()
  let d = next()
  return () => {
    const five = Math.imul(b, 5)
    const result = Math.imul((five << 7) | (five >>> 25), 9)
    const t = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= t
    d = (d << 11) | (d >>> 21)
    return result >>> 0
  }
}

/** Weights and rewards of the rows of one log, `rowsPerUser` rows per user. */
export function drawLog(world, rows, word) {
  const { cumulative, weights, rates, rowsPerUser } = world
  const weight = new Float64Array(rows)
  const reward = new Float64Array(rows)
  let userRates = rates[0]
  for (let row = 0; row < rows; row++) {
    if (row % rowsPerUser === 0) userRates = rates[word() % rates.length]
    const u = word() / 0x100000000
    let low = 0
    let high = ITEMS - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if (cumulative[middle] > u) high = middle
      else low = middle + 1
    }
    weight[row] = weights[low]
    reward[row] = word() / 0x100000000 < userRates[low] ? 1 : 0
  }
  return { weight, reward }
}
